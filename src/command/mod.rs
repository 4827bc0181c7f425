//! One file per subcommand.

mod analyze;
mod bench;
mod compare;
mod completions;
mod count;
mod export;
mod gtp;
mod import;
mod man;
mod match_;
mod merge;
mod perft;
mod play;
mod report;
mod score;
mod seki_census;
mod solve;
mod status;
mod study;
mod verify;

use crate::args::Command;

pub(crate) fn run(command: Command) -> anyhow::Result<()> {
    match command {
        Command::Study(args) => study::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Match(args) => match_::run(&args),
        Command::Analyze(args) => analyze::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Report(args) => compare::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Perft(args) => perft::run(&args),
        Command::Count(args) => count::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Gtp(args) => gtp::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Score(args) => score::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    }
}
