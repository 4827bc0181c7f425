//! Arguments that several commands share, and how their values are parsed.

use std::{
    env,
    error::Error,
    ffi::OsStr,
    fmt::Display,
    marker::PhantomData,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use anyhow::{Context as _, bail};
use clap::{
    Args,
    builder::{PossibleValue, TypedValueParser},
};
use jigo_analysis::{
    Histogram,
    cells::Cells,
    report::{ReportFolder, ReportFolderError},
};
use jigo_engine::{
    BoardSize, RuleSet, Rules,
    rules::{KomiChoice, Preset, UnknownRules},
};
use jigo_selfplay::{
    Policy, RunConfig,
    dataset::{InvalidPart, Part, Provenance},
    gtp::GtpClient,
    matches::PlayerSpec,
    policy::{UnknownPolicy, count},
    search::TreeTooLarge,
};

use crate::output::group;

/// The version of this program.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The commit that this program was built from.
pub(crate) const COMMIT: &str = env!("JIGO_COMMIT");

/// Returns what datasets and exports say about the program that wrote them.
pub(crate) fn provenance() -> Provenance {
    Provenance { version: VERSION.to_owned(), commit: COMMIT.to_owned() }
}

#[derive(Args, Debug)]
pub(crate) struct ThreadArgs {
    /// Number of threads [default: one per processor].
    #[arg(short = 'j', long, value_name = "N", value_parser = within(1_u16..=1024))]
    threads: Option<u16>,
}

impl ThreadArgs {
    /// Returns how many threads to use.
    pub(crate) fn count(&self) -> usize {
        self.threads.map_or_else(processor_count, usize::from)
    }

    /// Starts the global rayon pool with this many threads.
    pub(crate) fn start(&self) -> anyhow::Result<()> {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(self.threads.map_or(0, usize::from));
        builder.build_global().context("cannot start the worker threads")
    }
}

/// The rule set of a command unless another is named.
pub(crate) const DEFAULT_RULES: &str = "tromp-taylor";

/// Values that completions suggest. The text of an argument can have other values too.
pub(crate) trait Suggest: FromStr {
    fn suggestions() -> impl Iterator<Item = &'static str>;
}

impl Suggest for BoardSize {
    fn suggestions() -> impl Iterator<Item = &'static str> {
        ["5", "7", "9", "13", "19"].into_iter()
    }
}

impl Suggest for RuleSet {
    fn suggestions() -> impl Iterator<Item = &'static str> {
        Preset::ALL.into_iter().map(Preset::name)
    }
}

impl Suggest for RuleSets {
    fn suggestions() -> impl Iterator<Item = &'static str> {
        RuleSet::suggestions().chain(["lattice"])
    }
}

impl Suggest for Policy {
    fn suggestions() -> impl Iterator<Item = &'static str> {
        ["uniform", "eye-safe", "guarded:k=3", "settled:k=3", "uct:playouts=1000"].into_iter()
    }
}

impl Suggest for Policies {
    fn suggestions() -> impl Iterator<Item = &'static str> {
        Policy::suggestions()
    }
}

/// The parser of an argument whose values are suggested.
#[derive(Clone)]
pub(crate) struct Suggesting<T>(PhantomData<T>);

/// Returns the parser of an argument of this type that suggests values to completions.
pub(crate) const fn suggesting<T: Suggest>() -> Suggesting<T> {
    Suggesting(PhantomData)
}

impl<T> TypedValueParser for Suggesting<T>
where
    T: Suggest<Err: Error + Send + Sync + 'static> + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        (|text: &str| text.parse::<T>()).parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(T::suggestions().map(PossibleValue::new)))
    }
}

/// Where a report goes and what it shows.
#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// Folder for the report [default: jigo- and the name of the command, as in jigo-study].
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Write the report even if the folder holds something else. A report of another command is removed, an unfinished one of another version of jigo is
    /// begun again; other files stay unless they have the name of a new one.
    #[arg(long)]
    pub(crate) force: bool,

    /// Komi of the win rates in the summary of playouts: a number, or `rules` for the komi of each rule set on each size.
    #[arg(long, default_value = "rules", allow_hyphen_values = true)]
    pub(crate) komi: KomiChoice,

    /// Print the summary as JSON instead of a table.
    #[arg(long)]
    pub(crate) json: bool,
}

impl ReportArgs {
    /// Takes the folder for the report of a command, before any work is done.
    pub(crate) fn open_folder(&self, command: &str) -> Result<ReportFolder, ReportFolderError> {
        let default = || PathBuf::from(format!("jigo-{command}"));
        ReportFolder::open(&self.out.clone().unwrap_or_else(default), command, self.force)
    }
}

/// How text from outside is written to CSV files.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct CellArgs {
    /// CSV: write text from records as it is, also where spreadsheets take it for a formula. Otherwise an apostrophe precedes text that begins with
    /// = + - @, a tab, a carriage return or an apostrophe, unless it is a number.
    #[arg(long)]
    pub(crate) raw: bool,
}

impl CellArgs {
    pub(crate) fn cells(self) -> Cells {
        if self.raw { Cells::Raw } else { Cells::Marked }
    }
}

/// How games are played.
#[derive(Args, Debug)]
pub(crate) struct PlayoutArgs {
    /// Move limit: a game is stopped after this many plies, passes included [default: 3 per point].
    #[arg(long, value_name = "PLIES", value_parser = within(1..=RunConfig::MAX_PLY_CAP))]
    pub(crate) ply_cap: Option<u32>,

    /// Seed of the run. The same seed always gives the same games.
    #[arg(long, default_value_t = 1, value_parser = seed)]
    pub(crate) seed: u64,

    /// At every ply, count all candidate moves that superko forbids, not only those sampled (slower).
    #[arg(long)]
    pub(crate) forbidden_candidates: bool,

    #[command(flatten)]
    pub(crate) threads: ThreadArgs,
}

impl PlayoutArgs {
    /// Returns the configuration of the games that these arguments describe; an error where the board is too large for the policy.
    pub(crate) fn config(
        &self,
        size: BoardSize,
        rules: RuleSet,
        policy: Policy,
    ) -> Result<RunConfig, TreeTooLarge> {
        policy.check(size)?;
        let config = RunConfig::new(size, rules, policy);
        let ply_cap = self.ply_cap.unwrap_or(config.ply_cap);
        Ok(RunConfig { ply_cap, count_forbidden: self.forbidden_candidates, ..config })
    }
}

/// Parses a number of games.
pub(crate) fn game_count(text: &str) -> Result<u64, String> {
    count_of("games", text)
}

/// Parses a number of these things.
pub(crate) fn count_of(things: &str, text: &str) -> Result<u64, String> {
    /// Up to here every reader of JSON keeps counts exactly.
    const MAX: u64 = Histogram::MAX_READ;
    match count(text) {
        Some(number) if number <= MAX => Ok(number),
        Some(_) => Err(format!("`{text}` {things} are too many: the most are {}", group(MAX))),
        None => Err(format!("`{text}` is not a number of {things}: write 250, 10k, 2.5M or 1e6")),
    }
}

/// Returns the parser of a whole number in a range.
pub(crate) fn within<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("write a whole number from {} to {}", range.start(), range.end()))
    }
}

/// Returns the parser of a number of handicap stones; how many there may be depends on the rules and the board.
pub(crate) fn handicap() -> impl Fn(&str) -> Result<u32, String> + Clone {
    within(0..=BoardSize::MAX_POINTS as u32)
}

/// Makes sure that the place for results is a folder, or nothing yet.
pub(crate) fn check_folder(path: &Path) -> anyhow::Result<()> {
    if path.symlink_metadata().is_ok() && !path.is_dir() {
        bail!("{} is no folder: name a folder with --out", path.display());
    }
    Ok(())
}

/// Parses the command line of a program.
pub(crate) fn command_line(text: &str) -> Result<String, String> {
    GtpClient::check_command_line(text).map_err(|error| error.to_string())?;
    Ok(text.to_owned())
}

/// Parses a player of a match.
pub(crate) fn player(text: &str) -> Result<PlayerSpec, String> {
    let player = text.parse().map_err(|error: UnknownPolicy| error.to_string())?;
    if let PlayerSpec::Program(line) = &player {
        command_line(line)?;
    }
    Ok(player)
}

/// Parses the seed of random numbers.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is not a seed: write a whole number from 0 to {}", u64::MAX))
}

/// Parses a time in seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.01..=86_400.0).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| format!("`{text}` is not a time: write 0.01 to 86400 seconds"))
}

/// A bound on what a search may take.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    /// Bytes.
    Memory(u64),
    Time(Duration),
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        /// Units, and bytes or seconds in one.
        const UNITS: [(&str, bool, f64); 9] = [
            ("GiB", true, 1073741824.0),
            ("MiB", true, 1048576.0),
            ("GB", true, 1e9),
            ("MB", true, 1e6),
            ("kB", true, 1e3),
            ("min", false, 60.0),
            ("d", false, 86_400.0),
            ("h", false, 3600.0),
            ("s", false, 1.0),
        ];
        let parse = |&(unit, is_memory, size): &(&str, bool, f64)| {
            let amount = text.strip_suffix(unit)?.trim_end().parse::<f64>().ok()? * size;
            let is_possible = amount > 0.0 && amount < if is_memory { 1e15 } else { 1e9 };
            is_possible.then(|| match is_memory {
                true => Self::Memory(amount as u64),
                false => Self::Time(Duration::from_secs_f64(amount)),
            })
        };
        let wrong = || {
            format!("`{text}` is not a limit: write memory as in 500MB or 8GB, time as in 30s, 10min or 1h")
        };
        UNITS.iter().find_map(parse).ok_or_else(wrong)
    }
}

/// Returns how many threads can run at once.
pub(crate) fn processor_count() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the values in order, without repetitions.
pub(crate) fn unique<T: PartialEq>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}

/// The rule sets of one argument: a comma-separated list in which `lattice` stands for every combination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RuleSets(Vec<RuleSet>);

impl FromStr for RuleSets {
    type Err = UnknownRules;

    fn from_str(text: &str) -> Result<Self, UnknownRules> {
        let mut depth = 0_u32;
        // Commas inside JSON separate nothing.
        let is_separator = |char| {
            match char {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            char == ',' && depth == 0
        };
        let mut all = Vec::new();
        for rules in text.split(is_separator) {
            match rules.trim() {
                "lattice" => all.extend(Rules::lattice().map(RuleSet::from)),
                rules => all.push(rules.parse()?),
            }
        }
        Ok(Self(all))
    }
}

impl RuleSets {
    /// Returns the rule sets of all arguments in order, without repetitions.
    pub(crate) fn expand(arguments: &[Self]) -> Vec<RuleSet> {
        unique(arguments.iter().flat_map(|rules| rules.0.iter().copied()))
    }
}

/// The policies of one argument: a comma-separated list in which the name of a policy begins the next one. Of `uct`, each option can have several values,
/// as in `uct:playouts=10,100,1000`, for every combination of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Policies(Vec<Policy>);

impl FromStr for Policies {
    type Err = UnknownPolicy;

    fn from_str(text: &str) -> Result<Self, UnknownPolicy> {
        let mut policies: Vec<String> = Vec::new();
        for part in text.split(',') {
            let name = part.split_once(':').map_or(part, |(name, _)| name).trim();
            match policies.last_mut() {
                Some(policy) if !Policy::NAMES.contains(&name) => *policy += &format!(",{part}"),
                _ => policies.push(part.trim().to_owned()),
            }
        }
        let policies = policies.iter().flat_map(|policy| each_value(policy));
        policies.map(|policy| policy.parse()).collect::<Result<_, _>>().map(Self)
    }
}

/// Returns the policy with each combination of the values of its options.
fn each_value(policy: &str) -> Vec<String> {
    let Some(options) = policy.strip_prefix("uct:") else { return vec![policy.to_owned()] };
    let mut texts = vec!["uct:".to_owned()];
    for option in with_values(options) {
        let extend = |text: &String| option.iter().map(|value| format!("{text}{value},")).collect::<Vec<_>>();
        texts = texts.iter().flat_map(extend).collect();
    }
    texts.iter().map(|text| text.trim_end_matches(',').to_owned()).collect()
}

/// Returns each option with each of its values: what has no name belongs to the option before.
fn with_values(options: &str) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> = Vec::new();
    let mut name = "";
    for part in options.split(',') {
        match (part.split_once('='), all.last_mut()) {
            (None, Some(values)) => values.push(format!("{name}={part}")),
            (split, _) => {
                name = split.map_or("", |(name, _)| name);
                all.push(vec![part.to_owned()]);
            }
        }
    }
    all
}

impl Policies {
    /// Returns the policies of all arguments in order, without repetitions.
    pub(crate) fn expand(arguments: &[Self]) -> Vec<Policy> {
        unique(arguments.iter().flat_map(|policies| policies.0.iter().copied()))
    }
}

/// The variables in which schedulers tell a process its index in an array of jobs.
const INDEX_VARIABLES: [(&str, &str); 3] = [
    ("Slurm", "SLURM_ARRAY_TASK_ID"),
    ("a Kubernetes Indexed Job", "JOB_COMPLETION_INDEX"),
    ("AWS Batch", "AWS_BATCH_JOB_ARRAY_INDEX"),
];

/// Parses a part of a run: `I/N`, or `auto/N` for this job's index in an array of N jobs.
pub(crate) fn part(text: &str) -> Result<Part, String> {
    part_with(text, |name| env::var(name).ok())
}

fn part_with(text: &str, variable: impl Fn(&str) -> Option<String>) -> Result<Part, String> {
    let parse = |text: &str| text.parse().map_err(|error: InvalidPart| error.to_string());
    let Some(count) = text.strip_prefix("auto/") else { return parse(text) };
    parse(&format!("0/{count}"))?;
    let set = INDEX_VARIABLES.into_iter().filter_map(|(_, name)| Some((name, variable(name)?)));
    match &set.collect::<Vec<_>>()[..] {
        [] => {
            let names = INDEX_VARIABLES.map(|(scheduler, name)| format!("{name} ({scheduler})")).join(", ");
            Err(format!("this process is not in an array of jobs: none of {names} is set"))
        }
        [(name, index)] => parse(&format!("{index}/{count}")).map_err(|_| {
            format!("{name} is `{index}`: the jobs of the array must be numbered from 0 to {count}-1")
        }),
        [(one, _), (other, _), ..] => Err(format!("both {one} and {other} are set: write --shard I/{count}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_seconds() {
        assert_eq!(seconds("2.5"), Ok(Duration::from_millis(2500)));
        for text in ["", "0", "-1", "NaN", "inf", "5s", "1e9"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn game_counts() {
        for (text, count) in [
            ("1", 1),
            ("250", 250),
            ("10k", 10_000),
            ("1e6", 1_000_000),
            ("2.5M", 2_500_000),
            ("1.5e3", 1500),
        ] {
            assert_eq!(game_count(text), Ok(count), "{text}");
        }
        for text in ["", "0", "-1", "k", "1.5", "1e", "ten", "1.2345k", "١"] {
            assert!(game_count(text).unwrap_err().contains("not a number of games"), "{text}");
        }
        assert_eq!(
            count_of("positions", "0").unwrap_err().split(':').next(),
            Some("`0` is not a number of positions")
        );
        for text in ["1e19", "1e30", "9007199254740993", "99999999999999999999999", "18446744073709551615k"] {
            let error = game_count(text).unwrap_err();
            assert!(error.ends_with("the most are 9,007,199,254,740,992"), "{error}");
        }
    }

    #[test]
    fn rule_sets() {
        let expand = |text: &str| text.parse::<RuleSets>().map(|rules| RuleSets::expand(&[rules]));
        assert_eq!(expand("lattice,tromp-taylor").unwrap().len(), 24);
        let json = r#"{"ko":"SIMPLE","suicide":false}"#;
        let both = expand(&format!("{json}, chinese")).unwrap();
        assert_eq!(both, ["area+simple-ko+no-suicide", "chinese"].map(|rules| rules.parse().unwrap()));
        for text in ["", "chinese,", "chinese,lattices", "{,}"] {
            assert!(expand(text).is_err(), "{text}");
        }
    }

    #[test]
    fn policies_with_several_values() {
        let expand = |text: &str| {
            let policies = text.parse::<Policies>().map(|policies| Policies::expand(&[policies]));
            policies.map(|policies| policies.iter().map(Policy::to_string).collect::<Vec<_>>())
        };
        let several = expand("uct:playouts=10,1k,rave=off,30000").unwrap();
        let rave = ["10,rave=off", "10,rave=30000", "1000,rave=off", "1000,rave=30000"];
        assert_eq!(several, rave.map(|rest| format!("uct:playouts={rest}")));
        assert_eq!(expand("uct:playouts=10,10,10").unwrap(), ["uct:playouts=10"]);
        assert_eq!(expand("guarded:k=3,suicide=rules").unwrap(), ["guarded:k=3,suicide=rules"]);
        let mixed =
            expand("eye-safe, uct:playouts=10,20,playout=guarded:k=3,settled,uniform,eye-safe").unwrap();
        let guarded = ["10", "20"].map(|playouts| format!("uct:playouts={playouts},playout=guarded:k=3"));
        assert_eq!(mixed, ["eye-safe", &guarded[0], &guarded[1], "settled:k=2", "uniform"]);
        for text in [
            "uct:",
            "uct:10",
            "uct:playouts=10,,20",
            "uct:playouts=10,",
            "uct:playouts=1,0",
            "eye-safe,uniforms",
            "eye-safe,",
            "uct",
        ] {
            assert!(expand(text).is_err(), "{text}");
        }
    }

    #[test]
    fn schedulers_say_which_part() {
        let read = |text: &str, set: &[(&str, &str)]| {
            let value =
                |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, value)| value.to_string());
            part_with(text, value).map(|part| part.to_string())
        };
        for (_, name) in INDEX_VARIABLES {
            assert_eq!(read("auto/8", &[(name, "3")]).unwrap(), "3/8");
            assert!(read("auto/8", &[(name, "8")]).unwrap_err().contains("numbered from 0 to 8-1"));
            assert!(read("auto/8", &[(name, "x")]).unwrap_err().contains(name));
            assert!(read("auto/x", &[(name, "0")]).is_err());
            // An explicit index wins over the variables.
            assert_eq!(read("1/2", &[(name, "0")]).unwrap(), "1/2");
        }
        assert!(read("auto/8", &[]).unwrap_err().contains("SLURM_ARRAY_TASK_ID"));
        let [(_, slurm), _, (_, aws)] = INDEX_VARIABLES;
        assert!(read("auto/8", &[(slurm, "1"), (aws, "1")]).unwrap_err().contains("--shard I/8"));
        assert!(read("auto", &[(slurm, "1")]).unwrap_err().contains("I/N"));
    }
}
