//! The arguments as they are written; [`config`] makes values of them.

mod bench;
mod exact;
mod export;
mod match_;
mod score;
mod shell;
mod status;
mod study;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use jigo_engine::{BoardSize, Komi};
use jigo_selfplay::Policy;

use crate::config::{self, GameCount};

pub(crate) use bench::BenchArgs;
pub(crate) use exact::{CountArgs, PerftArgs, SolveArgs};
pub(crate) use export::{ExportArgs, FilterArgs, Format};
pub(crate) use match_::{MatchArgs, OpeningsChoice};
pub(crate) use score::ScoreArgs;
pub(crate) use shell::{CompletionsArgs, ManArgs};
pub(crate) use status::StatusArgs;
pub(crate) use study::{PlayArgs, PlayoutArgs, ReportArgs, StudyArgs};

/// Plays millions of Go games per minute and measures what the rules do.
#[derive(Parser, Debug)]
#[command(
    name = "jigo",
    version,
    long_version = config::VERSIONS.as_str(),
    propagate_version = true,
    max_term_width = 100,
    after_help = "Exit status: 0 success, 1 failure or problems found, 2 wrong arguments, 130 interrupted."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Play games in memory, measure them, write a report, print the summary.
    Study(StudyArgs),
    /// Write a dataset of games; the same command continues where it was stopped.
    Play(PlayArgs),
    /// Play games between two GTP programs or policies; the same command continues where it was stopped.
    Match(Box<MatchArgs>),
    /// Measure datasets, SGF files, folders and archives of SGF.
    Analyze(AnalyzeArgs),
    /// Write real games as a dataset: SGF files, folders and archives of SGF.
    Import(ImportArgs),
    /// Merge the measurements of several parts into one report.
    Merge(MergeArgs),
    /// Compare two reports: differences with intervals.
    Report(CompareArgs),
    /// Check a dataset or an export: digests, and on request every move of a dataset.
    Verify(VerifyArgs),
    /// Write games of a dataset as SGF, as CSV or as positions for numpy.
    Export(Box<ExportArgs>),
    /// Count the nodes of the game tree to a depth.
    Perft(PerftArgs),
    /// Count legal positions, moves or whole games exactly.
    Count(CountArgs),
    /// Find the exact result of a tiny board.
    Solve(SolveArgs),
    /// Speak the Go Text Protocol on standard input and output, for referees, GUIs and other programs.
    Gtp(GtpArgs),
    /// Measure how fast games are played, by each means, and that these are the same games.
    Bench(BenchArgs),
    /// Count one position or game under any rules.
    ///
    /// An SGF file that is a whole game, with its protocol in `JC`, is replayed strictly and has the result of its protocol. With --rules,
    /// --all-rules, --dead, --prisoners, --handicap or --komi its last position is counted as any other.
    Score(ScoreArgs),
    /// Tell which stones of a position are alive or dead, and how that is known.
    ///
    /// Nothing is guessed: what is not proved is unknown. What the statuses mean stands in docs/status.md.
    Status(StatusArgs),
    /// Print the completions of a shell.
    ///
    /// Bash: jigo completions bash > ~/.local/share/bash-completion/completions/jigo. Zsh: into a file _jigo in a folder of $fpath.
    /// Fish: into ~/.config/fish/completions/jigo.fish. PowerShell and Elvish: have your profile read it.
    Completions(CompletionsArgs),
    /// Print the manual page of jigo, or write those of all commands.
    Man(ManArgs),
}

/// How many processors are used.
#[derive(Args, Debug)]
pub(crate) struct ThreadArgs {
    /// Threads [default: one per processor].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

#[derive(Args, Debug)]
pub(crate) struct AnalyzeArgs {
    /// Datasets, imported games, SGF files, folders, archives (tar, tar.gz, tar.xz, zip).
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// How the last positions of real games are judged.
    #[arg(long, value_name = "HOW", default_value = "benson")]
    pub(crate) status: StatusArg,

    #[command(flatten)]
    pub(crate) report: ReportArgs,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
}

/// How the last positions of real games are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StatusArg {
    /// By unconditional life alone: fast; most chains stay unknown, since people stop early.
    Benson,
    /// By certified statuses as well, where the players counted: about 30 ms for each such game.
    Search,
}

#[derive(Args, Debug)]
pub(crate) struct ImportArgs {
    /// SGF files, folders, archives (tar, tar.gz, tar.xz, zip).
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Folder of the dataset, new or empty; the same command writes it anew.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// Games per shard (one file).
    #[arg(long, value_name = "N", default_value = "65536")]
    pub(crate) shard_games: GameCount,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
}

#[derive(Args, Debug)]
pub(crate) struct MergeArgs {
    /// The report.json files (or report folders) of the parts.
    #[arg(required = true, value_name = "REPORT")]
    pub(crate) reports: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Args, Debug)]
pub(crate) struct CompareArgs {
    /// The report.json files (or report folders) of two runs: of two versions, policies or rule sets, for instance. Cells of the same size
    /// are compared.
    #[arg(long, required = true, num_args = 2, value_names = ["A", "B"])]
    pub(crate) compare: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// Folder of the dataset or of the export.
    #[arg(value_name = "DATASET")]
    pub(crate) dataset: PathBuf,

    /// Also play every game again, by its moves and, unless it was imported, by its seed.
    #[arg(long)]
    pub(crate) replay: bool,

    /// As --replay, and compare every move with the slow reference board.
    #[arg(long)]
    pub(crate) reference: bool,

    /// Print the findings as JSON.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
}

#[derive(Args, Debug)]
pub(crate) struct GtpArgs {
    /// Board size at the start: 9 or 9x13.
    #[arg(long, default_value = "19")]
    pub(crate) size: BoardSize,

    /// Rule set at the start, by name, by values joined with +, or as KataGo writes it.
    #[arg(long, value_name = "RULES", default_value = "tromp-taylor")]
    pub(crate) rules: jigo_engine::Rules,

    /// Komi at the start [default: that of the rule set].
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) komi: Option<Komi>,

    /// How genmove chooses: uniform, eye-safe[:suicide=rules], guarded[:k=N], settled[:k=N].
    #[arg(long, default_value = "eye-safe")]
    pub(crate) policy: Policy,

    /// Seed of the draws: the same seed and commands give the same moves.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}
