//! The command line: one file for each subcommand, with its arguments.

mod analyze;
mod bench;
mod check;
mod compare;
mod count;
mod export;
mod gtp;
mod help;
mod import;
mod r#match;
mod merge;
mod perft;
mod play;
mod score;
mod shell;
mod solve;
mod status;
mod study;
mod verify;

use std::{env, process, sync::LazyLock};

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand, builder::Styles};
use jigo_analysis::{
    export::EXPORT_FORMAT_VERSION,
    records::RECORDS_FORMAT_VERSION,
    report::{DIFFERENCES_FORMAT_VERSION, STUDY_FORMAT_VERSION, SUMMARY_FORMAT_VERSION},
};
use jigo_selfplay::{dataset, matches, stream::GAMES_VERSION};

use crate::{
    args::{COMMIT, VERSION},
    output::{be_quiet, print_message, terminal_width},
};

/// Plays millions of Go games, random ones and those of players who search, and measures how the rules affect them.
#[derive(Parser, Debug)]
#[command(
    name = "jigo",
    version,
    long_version = VERSIONS.as_str(),
    propagate_version = true,
    max_term_width = help::MAX_COLUMNS
)]
pub(crate) struct Cli {
    /// Show no progress and no notes: only results, warnings and errors.
    #[arg(short, long, global = true)]
    quiet: bool,

    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Play games in memory, measure them and write a report.
    Study(study::StudyArgs),
    /// Write a dataset of games in Parquet; run again to resume.
    Play(play::PlayArgs),
    /// Play matches between GTP programs or policies: Elo, tests.
    Match(Box<r#match::MatchArgs>),
    /// Test a Go program that speaks GTP against the rules.
    ///
    /// Every reply is compared with what the rules and the protocol demand; what is wrong comes with the shortest commands found that show it.
    /// docs/check.md says what is checked.
    Check(check::CheckArgs),
    /// Measure real games: SGF files, folders, archives, datasets.
    Analyze(analyze::AnalyzeArgs),
    /// Convert SGF files, folders and archives to a dataset.
    Import(import::ImportArgs),
    /// Merge the reports of several parts of a study.
    Merge(merge::MergeArgs),
    /// Compare two reports, with intervals of the differences.
    Compare(compare::CompareArgs),
    /// Check what jigo wrote: digests and, on request, every move.
    Verify(verify::VerifyArgs),
    /// Write the games of a dataset as SGF, CSV or NumPy arrays.
    Export(Box<export::ExportArgs>),
    /// Count the nodes of the game tree to a depth.
    Perft(perft::PerftArgs),
    /// Count legal positions, moves or whole games exactly.
    Count(count::CountArgs),
    /// Solve a small board: best play, with a proof.
    ///
    /// Each player's margin is proved under simple ko and every superko rule at once, as far as possible; else the value is found under the ko rule of
    /// --rules. docs/solve.md has the values of all boards that were solved.
    Solve(solve::SolveArgs),
    /// Speak the Go Text Protocol, for GUIs, referees and programs.
    Gtp(gtp::GtpArgs),
    /// Time every backend and verify that all play identical games.
    Bench(bench::BenchArgs),
    /// Score a position or a finished game under any rules.
    ///
    /// An SGF file that records a whole game, with its protocol in `JC`, is replayed strictly and scored by that protocol. With --rules,
    /// --all-rules, --dead, --prisoners, --handicap or --komi, its last position is scored like any other.
    Score(score::ScoreArgs),
    /// Prove groups alive, dead or in seki, and show the proof.
    ///
    /// Nothing is guessed: a chain without a proof is `unknown`. docs/status.md defines the statuses.
    Status(status::StatusArgs),
    /// Print completions for a shell.
    ///
    /// Bash: jigo completions bash > ~/.local/share/bash-completion/completions/jigo. Zsh: write them to a file _jigo in a folder of
    /// $fpath. Fish: to ~/.config/fish/completions/jigo.fish. PowerShell and Elvish: load them in your profile.
    Completions(shell::CompletionsArgs),
    /// Print the manual page, or write those of all commands.
    Man(shell::ManArgs),
}

impl Cli {
    /// Reads the arguments of this process, or ends it with a message. Without arguments the message is the help.
    pub(crate) fn read() -> Self {
        let mut command = help::complete(Self::command(), terminal_width());
        if env::args_os().len() < 2 {
            // A reader that went away does not want the help.
            _ = command.print_help();
            process::exit(0);
        }
        let plain = command.clone().styles(Styles::plain());
        let matches = command.try_get_matches().unwrap_or_else(|error| match error.use_stderr() {
            false => error.exit(),
            // An error repeats arguments. Its own styles could not be told from what they contain, so it has none.
            true => plain.try_get_matches().unwrap_or_else(|error| exit(error)),
        });
        Self::from_arg_matches(&matches).unwrap_or_else(|error| exit(error))
    }

    pub(crate) fn run(self) -> anyhow::Result<()> {
        if self.quiet {
            be_quiet();
        }
        match self.command {
            Command::Study(args) => study::run(&args),
            Command::Play(args) => play::run(&args),
            Command::Match(args) => r#match::run(&args),
            Command::Check(args) => check::run(&args),
            Command::Analyze(args) => analyze::run(&args),
            Command::Import(args) => import::run(&args),
            Command::Merge(args) => merge::run(&args),
            Command::Compare(args) => compare::run(&args),
            Command::Verify(args) => verify::run(&args),
            Command::Export(args) => export::run(&args),
            Command::Perft(args) => perft::run(&args),
            Command::Count(args) => count::run(&args),
            Command::Solve(args) => solve::run(&args),
            Command::Gtp(args) => gtp::run(&args),
            Command::Bench(args) => bench::run(&args),
            Command::Score(args) => score::run(&args),
            Command::Status(args) => status::run(&args),
            Command::Completions(args) => shell::print_completions(&args),
            Command::Man(args) => shell::write_manual(&args),
        }
    }
}

/// Ends the process with an error about arguments, which has no styles.
fn exit(mut error: clap::Error) -> ! {
    help::improve(&mut error, env::args_os());
    // Without styles this is the text as it is; the other form would leave out the escape sequences of arguments.
    print_message(error.render().ansi().to_string().trim_end());
    process::exit(error.exit_code())
}

/// What `jigo --version` prints after the name: also the versions of games and formats, which docs/stability.md and the changelog refer to.
static VERSIONS: LazyLock<String> = LazyLock::new(|| {
    let formats = [
        ("dataset", dataset::FORMAT_VERSION),
        ("match", matches::FORMAT_VERSION),
        ("export", EXPORT_FORMAT_VERSION),
        ("study", STUDY_FORMAT_VERSION),
        ("summary", SUMMARY_FORMAT_VERSION),
        ("differences", DIFFERENCES_FORMAT_VERSION),
        ("records", RECORDS_FORMAT_VERSION),
        ("bench", bench::FORMAT_VERSION),
    ];
    let formats = formats.map(|(name, version)| format!("{name} {version}")).join(", ");
    format!("{VERSION}\ncommit {COMMIT}\ngames {GAMES_VERSION}\nformats: {formats}")
});
