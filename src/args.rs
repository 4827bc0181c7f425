//! The arguments as they are written; [`config`](crate::config) makes values of them.

mod match_;
mod status;

use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand};
use jigo_engine::{BoardSize, Komi};
use jigo_selfplay::{
    Policy,
    dataset::{MovesColumn, Part},
};

pub(crate) use match_::{MatchArgs, OpeningsChoice};
pub(crate) use status::StatusArgs;

use crate::config::{GameCount, MeansChoice, NamedRules, Prisoners, Recorded, RuleSets, ThreadChoice};

/// Plays millions of Go games per minute and measures what the rules do.
#[derive(Parser, Debug)]
#[command(
    name = "jigo",
    version,
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
    /// Merge the measurements of several parts into one report.
    Merge(MergeArgs),
    /// Check a dataset: digests, and on request every move.
    Verify(VerifyArgs),
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
}

/// How many processors are used.
#[derive(Args, Debug)]
pub(crate) struct ThreadArgs {
    /// Threads [default: one per processor].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// Where a report goes and what it shows.
#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// Folder of the report.
    #[arg(long, value_name = "DIR", default_value = "jigo-report")]
    pub(crate) out: PathBuf,

    /// The komi of the shares in the summary of playouts.
    #[arg(long, default_value = "7.5", allow_hyphen_values = true)]
    pub(crate) komi: Komi,

    /// Print the summary as JSON instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

/// How games are played.
#[derive(Args, Debug)]
pub(crate) struct PlayoutArgs {
    /// Plies after which an unfinished game is cut off [default: 3 per point].
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=65_535))]
    pub(crate) ply_cap: Option<u32>,

    /// Seed of the run; game i of a seed is always the same.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// Count every candidate that superko forbids, not only those drawn (slower).
    #[arg(long)]
    pub(crate) forbidden_candidates: bool,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
}

#[derive(Args, Debug)]
pub(crate) struct StudyArgs {
    /// Board sizes: 9, 9x13, or a list such as 5,7,9.
    #[arg(long, value_name = "SIZES", value_delimiter = ',', default_value = "5,7,9,13,19")]
    pub(crate) size: Vec<BoardSize>,

    /// Rule sets by name or by values joined with +, a list, or `lattice` for every combination. Several
    /// are compared game by game.
    #[arg(long, value_name = "RULES", default_value = "tromp-taylor")]
    pub(crate) rules: Vec<RuleSets>,

    /// Playout policies: uniform, eye-safe[:suicide=rules], guarded[:k=N], settled[:k=N]. Several may follow each other.
    #[arg(long, value_name = "POLICY", num_args = 1.., default_value = "eye-safe")]
    pub(crate) policy: Vec<Policy>,

    /// Games per setting, as in 10k or 1e6 [default: by size, for a report in under a minute].
    #[arg(long, value_name = "N")]
    pub(crate) games: Option<GameCount>,

    /// Play only part I of N (I from 0); `jigo merge` joins the parts.
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Part>,

    /// In place of playing, list all positions of a tiny board that hold a seki, up to 12 points: 3 or 3x4. Of the rules, ko and suicide matter.
    #[arg(long, value_name = "SIZE", conflicts_with_all = ["size", "policy", "games", "shard"])]
    pub(crate) seki_census: Option<BoardSize>,

    #[command(flatten)]
    pub(crate) report: ReportArgs,

    #[command(flatten)]
    pub(crate) playout: PlayoutArgs,
}

#[derive(Args, Debug)]
pub(crate) struct PlayArgs {
    /// Folder of the dataset.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// Board size: 9 or 9x13.
    #[arg(long, default_value = "9")]
    pub(crate) size: BoardSize,

    /// Rule set by name or by values joined with +.
    #[arg(long, value_name = "RULES", default_value = "tromp-taylor")]
    pub(crate) rules: jigo_engine::Rules,

    /// Playout policy: uniform, eye-safe[:suicide=rules], guarded[:k=N], settled[:k=N].
    #[arg(long, default_value = "eye-safe")]
    pub(crate) policy: Policy,

    /// Games in the whole dataset, as in 10k or 1e6.
    #[arg(long, value_name = "N", default_value = "100k")]
    pub(crate) games: GameCount,

    /// Games per shard (one file).
    #[arg(long, value_name = "N", default_value = "65536")]
    pub(crate) shard_games: GameCount,

    /// How moves are stored: list, binary or none (the seed is enough to play again).
    #[arg(long, value_name = "FORM", default_value = "list")]
    pub(crate) moves: MovesColumn,

    /// Write only the shards of part I of N (I from 0); any number of parts may share the folder.
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Part>,

    #[command(flatten)]
    pub(crate) playout: PlayoutArgs,
}

#[derive(Args, Debug)]
pub(crate) struct AnalyzeArgs {
    /// Datasets, SGF files, folders, archives (tar, tar.gz, tar.xz, zip).
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) report: ReportArgs,

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
pub(crate) struct VerifyArgs {
    /// Folder of the dataset.
    #[arg(value_name = "DATASET")]
    pub(crate) dataset: PathBuf,

    /// Also play every game again, by its moves and by its seed.
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
pub(crate) struct ScoreArgs {
    /// SGF file, or a file with a diagram: X, O and . in rows; `-` for standard input.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Which game of an SGF collection, from 1.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) game: u32,

    /// Rule set by name (makrai-area and makrai-territory included), by values joined with +, or in KataGo's notation [default: the
    /// record's, else tromp-taylor].
    #[arg(long, value_name = "RULES", conflicts_with = "all_rules")]
    pub(crate) rules: Option<NamedRules>,

    /// Count under all rules that have a name.
    #[arg(long)]
    pub(crate) all_rules: bool,

    /// List what happened in a whole game, and the phase after each event.
    #[arg(long)]
    pub(crate) events: bool,

    /// A stone of each dead chain, as in A2,C3, or `unconditional` for those in the opponent's unconditional territory, or `certified` for
    /// all that `jigo status` proves dead [default: those that a record states, else none].
    #[arg(long, value_name = "POINTS", value_delimiter = ',')]
    pub(crate) dead: Option<Vec<String>>,

    /// Black and white stones captured, as in 3,2 [default: those of the record].
    #[arg(long, value_name = "B,W")]
    pub(crate) prisoners: Option<Prisoners>,

    /// Handicap stones, for rules that give White points for them [default: those of the record].
    #[arg(long, value_name = "N")]
    pub(crate) handicap: Option<u32>,

    /// Points added to White's [default: the record's, else the rule set's].
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) komi: Option<Komi>,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct PerftArgs {
    /// Plies to look ahead.
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) depth: u32,

    /// Board size: 9 or 9x13.
    #[arg(long, default_value = "9", conflicts_with = "diagram")]
    pub(crate) size: BoardSize,

    /// File with a diagram of the position to start from, `-` for standard input: X, O and . in rows.
    #[arg(long, value_name = "FILE")]
    pub(crate) diagram: Option<PathBuf>,

    /// Rule set by name or by values joined with +.
    #[arg(long, value_name = "RULES", default_value = "tromp-taylor")]
    pub(crate) rules: jigo_engine::Rules,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("what").required(true).args(["legal", "moves", "games"]))]
pub(crate) struct CountArgs {
    /// Number of legal positions on a board of this size.
    #[arg(long, value_name = "SIZE")]
    pub(crate) legal: Option<BoardSize>,

    /// Number of moves over all legal positions, by kind.
    #[arg(long, value_name = "SIZE")]
    pub(crate) moves: Option<BoardSize>,

    /// Number of games on a tiny board under a superko rule.
    #[arg(long, value_name = "SIZE")]
    pub(crate) games: Option<BoardSize>,

    /// Rule set by name or by values joined with + (for --games).
    #[arg(long, value_name = "RULES", default_value = "tromp-taylor")]
    pub(crate) rules: jigo_engine::Rules,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct SolveArgs {
    /// Board size: 2 or 2x3.
    #[arg(value_name = "SIZE")]
    pub(crate) size: BoardSize,

    /// Rule sets by name or by values joined with +, a list, or `lattice` for every combination.
    #[arg(long, value_name = "RULES", default_value = "tromp-taylor")]
    pub(crate) rules: Vec<RuleSets>,

    /// Print JSON.
    #[arg(long)]
    pub(crate) json: bool,
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

#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// Board sizes: 9, 9x13, or a list such as 9,13,19.
    #[arg(long, value_name = "SIZES", value_delimiter = ',', default_value = "9,13,19")]
    pub(crate) size: Vec<BoardSize>,

    /// Rule sets by name or by values joined with +, a list, or `lattice` for every combination.
    #[arg(long, value_name = "RULES", default_value = "chinese")]
    pub(crate) rules: Vec<RuleSets>,

    /// Playout policies: uniform, eye-safe[:suicide=rules], guarded[:k=N], settled[:k=N]. Several may follow each other.
    #[arg(long, value_name = "POLICY", num_args = 1.., default_value = "eye-safe")]
    pub(crate) policy: Vec<Policy>,

    /// What plays: board (one game at a time), plain, avx2, avx512 (many in lockstep), a list, `best`, or `all` that
    /// this processor has.
    #[arg(long, value_name = "MEANS", value_delimiter = ',', default_value = "all")]
    pub(crate) means: Vec<MeansChoice>,

    /// What is recorded of each game beside its end, a list.
    #[arg(long, value_delimiter = ',', default_value = "end")]
    pub(crate) needs: Vec<Recorded>,

    /// Numbers of threads, a list; `all` is one per processor.
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', default_value = "1,all")]
    pub(crate) threads: Vec<ThreadChoice>,

    /// Games in one repetition, as in 10k or 1e6 [default: by speed, for 0.4 seconds on average].
    #[arg(long, value_name = "N")]
    pub(crate) games: Option<GameCount>,

    /// How often the games are timed.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) repetitions: u32,

    /// Seed of the games.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// Write JSON to this file beside the table; `-` prints it instead of the table.
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,
}
