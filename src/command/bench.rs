//! `jigo bench`: measures how fast each backend plays and verifies that all play identical games. docs/benchmarks.md explains the method.

mod against;
mod table;

use std::{
    fmt,
    ops::{Range, RangeInclusive},
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context as _, bail, ensure};
use clap::{Args, ValueEnum};
use jigo_engine::{BoardSize, zobrist::mix64};
use jigo_selfplay::{
    AnyPosition, Backend, GameRecord, Needs, Policy, Progress, Run, RunConfig, Signature, Sink, Stopped,
    files::write_named,
};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::{
    args::{self, Policies, RuleSets, processor_count, unique},
    output::{Failure, print, print_json_text, quantity, terminal_width},
    progress::{self, Part},
};
use against::Against;
use table::{document, table};

pub(super) use table::FORMAT_VERSION;

#[derive(Args, Debug)]
pub(crate) struct BenchArgs {
    /// Board sizes: 9, 9x13, or a list such as 9,13,19.
    #[arg(short, long, value_name = "SIZES", value_delimiter = ',', default_value = "9,13,19", value_parser = args::suggesting::<BoardSize>())]
    size: Vec<BoardSize>,

    /// Rule sets: names, or values joined with +, in a list, or `lattice` for every combination of values.
    #[arg(short, long, value_name = "RULES", default_value = args::DEFAULT_RULES, value_parser = args::suggesting::<RuleSets>())]
    rules: Vec<RuleSets>,

    #[arg(short, long, value_name = "POLICIES", default_value = "eye-safe", value_parser = args::suggesting::<Policies>())]
    #[arg(help = format!("Playout policies in a list: {}", Policy::SYNTAX))]
    policy: Vec<Policies>,

    /// Backends: board (one game at a time), plain, avx2, avx512 (many games in lockstep), a list, `best`, or `all` that this processor
    /// supports.
    #[arg(long, value_name = "BACKENDS", value_delimiter = ',', default_value = "all", value_parser = backend_name)]
    backend: Vec<String>,

    /// What to record of each game, a list.
    #[arg(long, value_delimiter = ',', default_value = "end")]
    needs: Vec<Recorded>,

    /// Numbers of threads, a list; `all` is one per processor.
    #[arg(short = 'j', long, value_name = "NUMBERS", value_delimiter = ',', default_value = "1,all", value_parser = thread_count)]
    threads: Vec<usize>,

    /// Games in one repetition, as in 10k or 1e6 [default: depends on the speed, 0.4 seconds on average; 64 to 512 for each
    /// thread of a search].
    #[arg(short = 'n', long, value_name = "N", value_parser = args::game_count)]
    games: Option<u64>,

    /// How often each backend is timed.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = args::within(1_u32..=1000))]
    repetitions: u32,

    /// Seed of the games.
    #[arg(long, default_value_t = 1, value_parser = args::seed)]
    seed: u64,

    /// Time another program in the same rounds, and show how many times as fast jigo is. The command must play games and print how many it played in a
    /// second, as `pps=NUMBER`. In it, {size}, {width}, {height} and {threads} are replaced.
    #[arg(long, value_name = "COMMAND", value_parser = against::command_line)]
    against: Option<Against>,

    /// Also write the measurements to this file, as JSON.
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print JSON instead of the table.
    #[arg(long)]
    json: bool,
}

/// Accepts the name of a backend, `best` or `all`.
fn backend_name(text: &str) -> Result<String, String> {
    match text.parse::<Backend>() {
        Err(error) if !["all", "best"].contains(&text) => {
            Err(format!("{error}; or `best`, or `all` that this processor supports"))
        }
        _ => Ok(text.to_owned()),
    }
}

/// What is recorded of each game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Recorded {
    /// The final position and counts.
    End,
    /// Also the moves.
    Moves,
    /// Which moves recreate a position or would.
    Repetitions,
    /// All moves, and which recreate a position or would.
    All,
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.to_possible_value().expect("a name on the command line").get_name())
    }
}

fn thread_count(text: &str) -> Result<usize, String> {
    match text.parse() {
        _ if text == "all" => Ok(processor_count()),
        Ok(number @ 1..=1024) => Ok(number),
        _ => Err(format!("`{text}` is not a number of threads: write 1 to 1024, or `all`")),
    }
}

pub(crate) fn run(args: &BenchArgs) -> anyhow::Result<()> {
    let mut lines = lines(args)?;
    if let Some(file) = &args.out {
        check_file(file)?;
    }
    let progress = progress::stoppable();
    let groups: Vec<usize> = lines.chunk_by(Line::is_in_group_of).map(<[Line]>::len).collect();
    let (mut parts, mut ranges, mut end) = (Vec::new(), Vec::new(), 0);
    for length in groups {
        let games = length as u64 * (1 + u64::from(args.repetitions));
        parts.push(Part { label: lines[end].run_name(), games, cost: 1.0 });
        ranges.push(end..end + length);
        end += length;
    }
    // How often games are played; how many they are depends on the speed.
    let runs = &Progress::new();
    let measured = progress::shown_in_parts(&parts, "runs", runs, || {
        ranges.into_iter().try_for_each(|own| measure(args, &mut lines, own, progress, runs))
    });
    let is_complete = match measured {
        Err(error) if !error.is::<Stopped>() => return Err(error),
        measured => measured.is_ok(),
    };
    lines.retain(|line| !line.seconds.is_empty());
    let json = format!("{:#}\n", document(args, &lines, is_complete));
    // Before anything is printed: a failure of that must not lose the file.
    let written = args.out.as_ref().map(|file| {
        write_named(file, json.as_bytes())
            .with_context(|| format!("cannot write {}; name another file with --out", file.display()))
    });
    if args.json {
        print_json_text(&json)?
    } else {
        print(&table(&lines, terminal_width()))?
    }
    written.transpose()?;
    if is_complete {
        return Ok(());
    }
    let lines = quantity(lines.len(), "line");
    Err(Failure::interrupted(format!(
        "{lines} measured until then, perhaps with fewer repetitions than asked for"
    )))
}

/// Refuses a path that cannot become a file, before anything is played.
fn check_file(file: &Path) -> anyhow::Result<()> {
    if file.is_dir() {
        bail!("{} is a folder: name a file with --out", file.display());
    }
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => bail!(
            "cannot write {}: there is no folder {}; make it or name another file with --out",
            file.display(),
            folder.display()
        ),
        _ => Ok(()),
    }
}

/// Returns a line for each way to play each combination of size, rules, policy and number of threads; the ways of a combination are neighbours.
fn lines(args: &BenchArgs) -> anyhow::Result<Vec<Line>> {
    let available: Vec<Backend> = Backend::available().collect();
    let mut lines = Vec::new();
    for size in unique(args.size.iter().copied()) {
        for rules in RuleSets::expand(&args.rules) {
            for policy in Policies::expand(&args.policy) {
                policy.check(size)?;
                let run = RunConfig::new(size, rules, policy).seed(args.seed);
                let backends = expand(&args.backend, &available, &run)?;
                for threads in unique(args.threads.iter().copied()) {
                    for needs in unique(args.needs.iter().copied()) {
                        lines.extend(backends.iter().map(|&backend| Line::new(run, threads, backend, needs)));
                    }
                }
            }
        }
    }
    Ok(lines)
}

/// Returns the backends with these names in order, without repetitions, or an error if one of them cannot play this run.
fn expand(names: &[String], available: &[Backend], run: &Run) -> anyhow::Result<Vec<Backend>> {
    let mut all = Vec::new();
    for name in names {
        match (name.as_str(), name.parse()) {
            ("all", _) => all.extend(available.iter().copied().filter(|backend| backend.can_play(run))),
            (_, Ok(backend)) => {
                if !available.contains(&backend) {
                    let names = available.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                    bail!("this processor does not support {backend}: choose among {names} with --backend");
                }
                if !backend.can_play(run) {
                    let RunConfig { size, policy, .. } = run.config;
                    bail!(
                        "{backend} cannot play {size} {policy}: choose `all`, `best` or `board` with --backend"
                    );
                }
                all.push(backend);
            }
            _ => all.push(Backend::best(run)),
        }
    }
    Ok(unique(all))
}

/// Plays the games of a group of lines, first to identify them, then in turn to time them.
///
/// # Errors
/// [`Stopped`] on request, with the lines as far as they were measured; or which line played different games.
fn measure(
    args: &BenchArgs,
    lines: &mut [Line],
    own: Range<usize>,
    progress: &Progress,
    runs: &Progress,
) -> anyhow::Result<()> {
    let Line { run, threads, .. } = lines[own.start];
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = &pool.context("cannot start the worker threads")?;
    let games = args.games.map_or_else(|| games_by_speed(&lines[own.clone()], pool, progress), Ok)?;
    for index in own.clone() {
        let new_sink = Games::<SIGNED>::default;
        let played = pool.install(|| run.play_on(lines[index].backend, 0..games, new_sink, progress))?;
        (lines[index].sums, lines[index].signature) = (played.sums, played.signature);
        lines[..index].iter().try_for_each(|other| other.check_signature(&lines[index]))?;
        runs.add(1, 0);
    }
    let bare = lines[own.start].bare();
    let bare = bare
        .map(|bare| Ok::<_, Stopped>((games_by_speed(std::slice::from_ref(&bare), pool, progress)?, bare)));
    let bare = bare.transpose()?;
    for round in 0..args.repetitions {
        if let Some((games, bare)) = &bare {
            let speed = *games as f64 / bare.time(pool, *games, progress)?.0;
            lines[own.clone()].iter_mut().for_each(|line| line.bare.push(speed));
        }
        if let Some(against) = &args.against {
            let speed = against.games_per_s(&lines[own.start], progress)?;
            lines[own.clone()].iter_mut().for_each(|line| line.against.push(speed));
        }
        for index in turns(round, own.clone()) {
            let (seconds, sums) = lines[index].time(pool, games, progress)?;
            lines[index].check_sums(sums)?;
            lines[index].seconds.push(seconds);
            runs.add(1, 0);
        }
    }
    Ok(())
}

/// Returns how many games a repetition of 0.4 seconds on average over the lines has, rounded down to two significant digits.
fn games_by_speed(lines: &[Line], pool: &ThreadPool, progress: &Progress) -> Result<u64, Stopped> {
    const REPETITION_S: f64 = 0.4;
    const TRIAL_S: f64 = 0.03;
    const FIRST_GAMES: u64 = 128;
    /// At the end of fewer games by search, much of the batch is empty. On small boards that is a larger part of the time.
    const SEARCHED_GAMES: RangeInclusive<u64> = 64..=512;
    const SEARCHED_POINTS: u64 = 10_000;
    if let Some(line) = lines.iter().find(|line| line.playouts().is_some()) {
        let games = SEARCHED_POINTS / line.run.config.size.point_count() as u64;
        return Ok(games.clamp(*SEARCHED_GAMES.start(), *SEARCHED_GAMES.end()) * line.threads as u64);
    }
    let mut seconds_per_game = 0.0;
    for line in lines {
        // The faster of two trials: one can be far too slow, because the code is loaded or another program runs.
        let trial = |games| {
            let [one, other] = [line.time(pool, games, progress)?.0, line.time(pool, games, progress)?.0];
            Ok::<_, Stopped>(one.min(other))
        };
        let mut games = FIRST_GAMES * line.threads as u64;
        let mut seconds = trial(games)?;
        while seconds < TRIAL_S {
            games *= 2;
            seconds = trial(games)?;
        }
        seconds_per_game += seconds / games as f64;
    }
    Ok(two_digits((REPETITION_S * lines.len() as f64 / seconds_per_game) as u64))
}

/// Returns the order in which a round times the lines: every second round runs backwards, so that a steady drift of the machine affects all
/// lines alike.
fn turns(round: u32, lines: Range<usize>) -> Vec<usize> {
    if round.is_multiple_of(2) { lines.collect() } else { lines.rev().collect() }
}

/// Returns the number with all but its first two digits zero; at least 10.
fn two_digits(number: u64) -> u64 {
    let unit = 10_u64.pow(number.max(10).ilog10() - 1);
    number.max(10) / unit * unit
}

/// What all runs of the same games agree on. Adding is commutative, so neither order nor threads matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sums {
    games: u64,
    plies: u64,
    /// Hashes of index, length and margin of each game: cheap, so that nearly all of the time measured is playing.
    results: u64,
}

impl Sums {
    #[inline]
    fn add(&mut self, record: &GameRecord) {
        let result = u64::from(record.ply_count()) << 32 | u64::from(record.margin() as u32);
        let results = mix64(mix64(record.game_index) ^ result);
        self.merge(Self { games: 1, plies: record.ply_count().into(), results });
    }

    fn merge(&mut self, other: Self) {
        self.games += other.games;
        self.plies += other.plies;
        self.results = self.results.wrapping_add(other.results);
    }
}

/// The number of the [`Games`] whose [`Signature`] is taken.
const SIGNED: usize = 4;

/// The sink of runs that record this much: a [`Recorded`] as number, for timed runs, or [`SIGNED`].
#[derive(Default)]
struct Games<const RECORDED: usize> {
    sums: Sums,
    signature: Signature,
}

impl<const RECORDED: usize> Sink for Games<RECORDED> {
    const NEEDS: Needs = [Needs::End, Needs::Moves, Needs::Repetitions, Needs::All, Needs::Moves][RECORDED];

    #[inline]
    fn add(&mut self, record: &GameRecord, position: AnyPosition<'_>) {
        self.sums.add(record);
        if RECORDED == SIGNED {
            self.signature.add(record, position);
        }
    }

    fn merge(&mut self, other: Self) {
        self.sums.merge(other.sums);
        self.signature.merge(other.signature);
    }
}

/// One way to play some games, and how long it took.
#[derive(Clone, Debug)]
struct Line {
    run: Run,
    threads: usize,
    backend: Backend,
    needs: Recorded,
    sums: Sums,
    signature: Signature,
    /// Wall-clock time of each repetition.
    seconds: Vec<f64>,
    /// Of a search: games per second of its playouts alone from the empty board, in each repetition.
    bare: Vec<f64>,
    /// Games per second of the other program in each repetition.
    against: Vec<f64>,
}

/// Returns minimum, median and maximum. The median of an even number of values is the mean of the middle two.
fn spread(values: impl IntoIterator<Item = f64>) -> [f64; 3] {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let (low, high) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
    [values[0], f64::midpoint(low, high), values[values.len() - 1]]
}

impl Line {
    fn new(run: Run, threads: usize, backend: Backend, needs: Recorded) -> Self {
        let (sums, signature, none) = (Sums::default(), Signature::default(), Vec::new);
        Self { run, threads, backend, needs, sums, signature, seconds: none(), bare: none(), against: none() }
    }

    /// Plays games and returns how many seconds they took.
    fn time(&self, pool: &ThreadPool, games: u64, progress: &Progress) -> Result<(f64, Sums), Stopped> {
        fn play<const RECORDED: usize>(
            line: &Line,
            games: u64,
            progress: &Progress,
        ) -> Result<Sums, Stopped> {
            let new_sink = Games::<RECORDED>::default;
            line.run.play_on(line.backend, 0..games, new_sink, progress).map(|games| games.sums)
        }
        let play = [play::<0>, play::<1>, play::<2>, play::<3>][self.needs as usize];
        let start = Instant::now();
        let sums = pool.install(|| play(self, games, progress))?;
        Ok((start.elapsed().as_secs_f64(), sums))
    }

    /// Returns what the lines of a group have in common.
    fn run_name(&self) -> String {
        let RunConfig { size, rules, policy, .. } = self.run.config;
        format!("{size} {rules} {policy}, {}", quantity(self.threads, "thread"))
    }

    /// Returns minimum, median and maximum.
    fn games_per_s(&self) -> [f64; 3] {
        spread(self.seconds.iter().map(|seconds| self.sums.games as f64 / seconds))
    }

    fn plies_per_s(&self) -> f64 {
        self.games_per_s()[1] * self.sums.plies as f64 / self.sums.games as f64
    }

    /// Returns how many playouts a search has for each move.
    const fn playouts(&self) -> Option<u32> {
        match self.run.config.policy {
            Policy::Uct(uct) => Some(uct.playouts),
            Policy::Playout(_) => None,
        }
    }

    /// Returns the playouts of a search in a second.
    fn playouts_per_s(&self) -> Option<f64> {
        self.playouts().map(|playouts| self.plies_per_s() * f64::from(playouts))
    }

    /// Returns the playouts of a search relative to games that are played without it in the same time: the median over the rounds.
    fn playouts_by_games(&self) -> Option<f64> {
        let playouts = self.sums.plies as f64 * f64::from(self.playouts()?);
        let rounds = self.seconds.iter().zip(&self.bare);
        (!self.bare.is_empty()).then(|| spread(rounds.map(|(seconds, bare)| playouts / seconds / bare))[1])
    }

    /// Returns the speed relative to the other program: minimum, median and maximum over the rounds.
    fn ratio_against(&self) -> Option<[f64; 3]> {
        let rounds = self.seconds.iter().zip(&self.against);
        let games = self.sums.games as f64;
        (!self.against.is_empty()).then(|| spread(rounds.map(|(seconds, other)| games / seconds / other)))
    }

    /// Returns the games of the playouts of a search alone, as fast as they can be played; nothing for other policies.
    fn bare(&self) -> Option<Self> {
        self.playouts()?;
        let RunConfig { size, rules, policy, .. } = self.run.config;
        let run = RunConfig::new(size, rules, policy.playout().into()).seed(self.run.seed);
        Some(Self::new(run, self.threads, Backend::best(&run), Recorded::End))
    }

    /// Returns how long one thread takes for a ply, assuming that the threads share the work evenly.
    fn ns_per_ply_per_thread(&self) -> f64 {
        1e9 * self.threads as f64 / self.plies_per_s()
    }

    /// Returns the speed relative to the first line of the group: the median over the rounds.
    fn ratio(&self, lines: &[Self]) -> f64 {
        let first = lines.iter().find(|first| self.is_in_group_of(first)).unwrap_or(self);
        spread(first.seconds.iter().zip(&self.seconds).map(|(first, own)| first / own))[1]
    }

    fn is_in_group_of(&self, other: &Self) -> bool {
        self.run == other.run && self.threads == other.threads
    }

    /// Fails unless a timed run played the games that the signature identifies.
    fn check_sums(&self, timed: Sums) -> anyhow::Result<()> {
        let sums = self.sums;
        ensure!(
            timed == sums,
            "{self} played different games when timed than when their moves were recorded: {timed:?} instead of {sums:?}. \
             Its speed means nothing; please report this"
        );
        Ok(())
    }

    /// Fails if `other` should have played the same games and did not.
    fn check_signature(&self, other: &Self) -> anyhow::Result<()> {
        let are_same = self.run == other.run && self.sums.games == other.sums.games;
        ensure!(
            !are_same || (self.signature == other.signature && self.sums == other.sums),
            "{self} and {other} played different games: signatures {} and {}. Their speeds cannot be compared; please report this",
            self.signature,
            other.signature
        );
        Ok(())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { backend, needs, threads, .. } = self;
        let RunConfig { size, rules, policy, .. } = self.run.config;
        write!(f, "{size} {rules} {policy} by {backend}, {needs}, {}", quantity(threads, "thread"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn example(backend: &str, seconds: &[f64]) -> Line {
        let run = Run::new("9", "chinese", "eye-safe").unwrap();
        let sums = Sums { games: 1000, plies: 111_000, results: 7 };
        let line = Line::new(run, 1, backend.parse().unwrap(), Recorded::End);
        Line { sums, seconds: seconds.to_vec(), ..line }
    }

    #[test]
    fn backends() {
        let expand = |names: &str, available: &[Backend], size: &str| {
            let names: Vec<String> = names.split(',').map(|name| backend_name(name).unwrap()).collect();
            let run = Run::new(size, "tromp-taylor", "eye-safe").unwrap();
            expand(&names, available, &run).map_err(|error| error.to_string())
        };
        let [board, plain, avx2] = ["board", "plain", "avx2"].map(|name| name.parse::<Backend>().unwrap());
        assert_eq!(expand("plain,all", &[board, plain], "9"), Ok(vec![plain, board]));
        assert_eq!(expand("all", &[board, plain], "1x9"), Ok(vec![board]));
        assert_eq!(expand("best", &[board], "1x9"), Ok(vec![board]));
        let lacking = expand("board,avx2", &[board, plain], "9").unwrap_err();
        assert!(lacking.contains("not support avx2") && lacking.contains("board, plain"), "{lacking}");
        let narrow = expand("plain", &[board, plain, avx2], "1x9").unwrap_err();
        assert!(narrow.contains("1x9"), "{narrow}");
    }

    #[test]
    fn rounds_alternate() {
        assert_eq!(turns(0, 3..6), [3, 4, 5]);
        assert_eq!(turns(1, 3..6), [5, 4, 3]);
    }

    #[test]
    fn round_numbers_of_games() {
        for (number, rounded) in [(0, 10), (10, 10), (99, 99), (101, 100), (78_912, 78_000)] {
            assert_eq!(two_digits(number), rounded);
        }
    }

    #[test]
    fn speeds() {
        let lines = [example("board", &[0.02, 0.01, 0.04]), example("plain", &[0.01, 0.005, 0.01])];
        assert_eq!(lines[0].games_per_s(), [25_000.0, 50_000.0, 100_000.0]);
        assert!((lines[0].plies_per_s() - 5_550_000.0).abs() < 1e-3);
        assert!((lines[0].ns_per_ply_per_thread() - 180.18).abs() < 0.01);
        assert!((lines[1].ratio(&lines) - 2.0).abs() < 1e-9, "rounds are 2, 2 and 4 times as fast");
        assert!((spread([1.0, 2.0, 4.0, 9.0])[1] - 3.0).abs() < 1e-9);
    }

    #[test]
    fn different_games_cannot_pass() {
        let line = example("board", &[0.02]);
        assert!(line.check_sums(line.sums).is_ok());
        let timed = Sums { results: 8, ..line.sums };
        let message = line.check_sums(timed).unwrap_err().to_string();
        assert!(
            message.contains("9x9 chinese eye-safe by board, end, 1 thread played different"),
            "{message}"
        );
        let mut other = example("plain", &[0.01]);
        assert!(line.check_signature(&other).is_ok());
        other.signature = line.run.play(0..1, Signature::default, &Progress::new()).unwrap();
        let message = line.check_signature(&other).unwrap_err().to_string();
        assert!(message.contains("board") && message.contains("plain"), "{message}");
        other.sums.games += 1;
        assert!(line.check_signature(&other).is_ok(), "fewer games are other games");
    }

    #[test]
    fn sums_tell_games_apart() {
        let run = Run::new("3", "tromp-taylor", "eye-safe").unwrap();
        let sums = |indices: [u64; 2]| {
            let mut sums = Sums::default();
            indices.into_iter().for_each(|index| sums.add(&run.game(index)));
            sums
        };
        assert_eq!(sums([0, 1]), sums([1, 0]));
        assert_ne!(sums([0, 1]), sums([0, 2]));
    }
}
