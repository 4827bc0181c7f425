//! `jigo match`: plays games between two or more players.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    str::FromStr,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use jigo_analysis::{
    report::{
        MatchScore, PlayedMatch, STANDINGS, Tournament, foreign_to_tournament, match_folder, match_page,
        tournament_page,
    },
    stats::Sprt,
};
use jigo_engine::{BoardSize, Game, Komi, RuleSet, rules::KomiChoice};
use jigo_selfplay::{
    RunConfig,
    files::{MAX_TEXT_BYTES, read_file, write_whole},
    matches::{
        Adjudication, Contestant, MatchResult, MatchSpec, Openings, PAGE, PlayerSpec, RECORDS, TimeControl,
        play_match_until, write_results,
    },
    sealed::seal,
};

use crate::{
    args::{self, processor_count},
    output::{Failure, fixed, print, print_json_text, report_meta, tell},
    progress,
};

#[derive(Args, Debug)]
pub(crate) struct MatchArgs {
    /// A policy such as `eye-safe` or `uct:playouts=1000`, or the command line of a program that speaks GTP. The first player has Black in the
    /// even-numbered games.
    #[arg(value_name = "PLAYER", value_parser = args::player)]
    first: PlayerSpec,

    /// The opponent.
    #[arg(value_name = "PLAYER", value_parser = args::player)]
    second: PlayerSpec,

    /// Further players. Those who meet, by --tournament, play --games games each.
    #[arg(value_name = "PLAYER", value_parser = args::player)]
    others: Vec<PlayerSpec>,

    /// Who meets whom where there are more than two players.
    #[arg(long, value_name = "KIND", value_enum, default_value_t = TournamentKind::RoundRobin)]
    tournament: TournamentKind,

    /// Folder of the match. Run the same command again to resume an interrupted match.
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,

    /// Board size: 9; between policies also 9x13.
    #[arg(short, long, default_value = "9", value_parser = args::suggesting::<BoardSize>())]
    size: BoardSize,

    /// Rule set: a name, or values joined with +. GTP has no command for rules: configure the programs with their own options.
    #[arg(short, long, value_name = "RULES", default_value = args::DEFAULT_RULES, value_parser = args::suggesting::<RuleSet>())]
    rules: RuleSet,

    /// Points added to White's score: a number, or `rules` for the komi of the rule set on this size.
    #[arg(long, default_value = "rules", allow_hyphen_values = true)]
    komi: KomiChoice,

    /// Handicap stones of every game: 0, or 2 and more. They go where the rule set puts them: on star points, or where Black's player puts them.
    #[arg(long, value_name = "N", default_value = "0", value_parser = args::handicap())]
    handicap: u32,

    /// Number of games between two players, who alternate colours. With --sprt, the most.
    #[arg(short = 'n', long, value_name = "N", default_value = "20", value_parser = args::game_count)]
    games: u64,

    /// Seed of policies and random openings.
    #[arg(long, default_value_t = 1, value_parser = args::seed)]
    seed: u64,

    /// Move limit: a game is stopped after this many plies, passes included, and does not count for either player [default: 3 per point].
    #[arg(long, value_name = "PLIES", value_parser = args::within(1..=RunConfig::MAX_PLY_CAP))]
    ply_cap: Option<u32>,

    /// Seconds a program has to answer each command; it loses the game if it does not. With --clock, the clock says how long moves may take.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = args::seconds)]
    time_limit: Duration,

    /// Clock of each program in seconds: 300 for a whole game, 300+2 with 2 more for every move, or 300+30/5 for periods of 30 seconds and 5 moves after
    /// the main time. A program whose flag falls loses the game. Policies have no clock.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    clock: Option<TimeControl>,

    /// Milliseconds by which a move may be longer than its clock allows.
    #[arg(long, value_name = "MS", default_value_t = 0, requires = "clock", value_parser = args::within(0_u64..=60_000))]
    time_margin: u64,

    /// Stop as soon as a sequential test decides between two Elo differences of the first player, `ELO0,ELO1[,ALPHA,BETA]`, with errors of 0.05 unless
    /// stated. It is computed from pairs of games in their order.
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    sprt: Option<Sprt>,

    /// How games begin: `random:K` for K random legal plies, or a file. A text file has one opening on each line, as in `C3 D4 pass`; in an
    /// SGF file, the main line of each game is an opening. Both games of a pair have the same opening. It follows handicap stones on star points,
    /// and begins with those that Black puts [default: none].
    #[arg(long, value_name = "FILE|random:K")]
    openings: Option<OpeningsChoice>,

    /// How dead stones are found after two passes: as-it-stands (none are dead), engines (asks both programs and removes what they agree
    /// on), or certified (both players are policies and propose stones that are proved dead; where they differ, play resumes, and
    /// under rules that end by passes, four in a row end the game with all stones alive).
    /// `certified:LIMIT` or `certified:LIMIT,LIMIT` sets the number of states that their searches may visit.
    #[arg(long, value_name = "HOW", default_value = "as-it-stands")]
    adjudicate: Adjudication,

    /// Games that are played at a time. Each has a process of its own for every program. Between policies, the number of threads, each of which plays
    /// many games at a time. --threads is understood too [default: 1 with a program, otherwise one per processor].
    #[arg(short = 'j', long, alias = "threads", value_name = "N", value_parser = args::within(1_u16..=1024))]
    concurrency: Option<u16>,

    /// Print the results as JSON instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TournamentKind {
    /// Everyone meets everyone.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum OpeningsChoice {
    Random(u32),
    File(PathBuf),
}

impl FromStr for OpeningsChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some(plies) = text.strip_prefix("random:") else { return Ok(Self::File(text.into())) };
        let plies = plies.parse().map_err(|_| format!("`{plies}` is no number of plies: write random:4"))?;
        Ok(Self::Random(plies))
    }
}

impl TournamentKind {
    /// Returns who meets, by the numbers of the players from 0.
    fn meetings(self, player_count: usize) -> Vec<[usize; 2]> {
        let ones = match self {
            Self::RoundRobin => 0..player_count,
            Self::Gauntlet => 0..1,
        };
        ones.flat_map(|one| (one + 1..player_count).map(move |other| [one, other])).collect()
    }
}

pub(crate) fn run(args: &MatchArgs) -> anyhow::Result<()> {
    let players = [&args.first, &args.second].into_iter().chain(&args.others).cloned().collect::<Vec<_>>();
    let base = spec(args, &players)?;
    if players.len() > 2 && args.sprt.is_some() {
        let reason = "--sprt tests the first player against the second: name two players";
        return Err(Failure::wrong_arguments(reason));
    }
    let matches = matches(args, &players, &base);
    matches.iter().try_for_each(|(_, spec)| spec.check())?;
    args::check_folder(&args.out)?;
    if args.komi == KomiChoice::Rules && base.komi == Komi::ZERO && base.handicap == 0 {
        tell(&format!(
            "note: {} names no komi for {}, so games are played at komi 0; players of equal strength are even with about --komi 7 on 9x9",
            base.rules, base.size
        ));
    }
    if players.len() == 2 { run_match(args, base) } else { run_tournament(args, &players, matches) }
}

/// Returns the matches with the numbers of their players. Where there are programs, two policies play without the clock.
fn matches(args: &MatchArgs, players: &[PlayerSpec], base: &MatchSpec) -> Vec<([usize; 2], MatchSpec)> {
    let has_program = |players: &[PlayerSpec]| players.iter().any(PlayerSpec::is_program);
    let meetings = args.tournament.meetings(players.len()).into_iter();
    let with_spec = |meeting: [usize; 2]| {
        let pair = meeting.map(|player| players[player].clone());
        let clock = base.clock.filter(|_| has_program(&pair) || !has_program(players));
        (meeting, MatchSpec { players: pair, clock, ..base.clone() })
    };
    meetings.map(with_spec).collect()
}

fn run_match(args: &MatchArgs, spec: MatchSpec) -> anyhow::Result<()> {
    let (played, json) = play(args, &args.out, spec, "match")?;
    if args.json { print_json_text(&json) } else { print(&played.table()) }?;
    check_complete(played.is_complete(), played.results.len() as u64, played.spec.games)?;
    check_players(&played)?;
    let out = args.out.display();
    tell(&format!("report: {out}/{PAGE}"));
    tell(&format!("games: {out}/games.sgf and {out}/games.parquet; measure them with `jigo analyze {out}`"));
    Ok(())
}

fn run_tournament(
    args: &MatchArgs,
    players: &[PlayerSpec],
    meetings: Vec<([usize; 2], MatchSpec)>,
) -> anyhow::Result<()> {
    // What is replaced at the end must be of a tournament.
    if let Some(name) = foreign_to_tournament(&args.out)? {
        bail!(
            "{} holds something else than a tournament, `{name}`: choose a new or empty folder with --out",
            args.out.display()
        );
    }
    let (count, mut matches) = (meetings.len(), Vec::new());
    for (number, (meeting, spec)) in meetings.into_iter().enumerate() {
        let label = format!("match {} of {count},", number + 1);
        let (played, _) = play(args, &args.out.join(match_folder(meeting)), spec, &label)?;
        let is_complete = played.is_complete();
        matches.push((meeting, played));
        if !is_complete {
            break;
        }
    }
    let tournament = Tournament { players: players.iter().map(PlayerSpec::to_string).collect(), matches };
    let json = seal(&format!("{:#}\n", tournament.json()));
    write(&args.out.join(STANDINGS), json.as_bytes())?;
    write(&args.out.join(PAGE), tournament_page(&tournament, &report_meta(args.komi)).as_bytes())?;
    if args.json { print_json_text(&json) } else { print(&tournament.table()) }?;
    let [finished, _] = tournament.game_counts();
    let is_complete = tournament.matches.iter().all(|(_, played)| played.is_complete());
    check_complete(is_complete, finished, args.games * count as u64)?;
    tournament.matches.iter().try_for_each(|(_, played)| check_players(played))?;
    tell(&format!("report: {}", args.out.join(PAGE).display()));
    Ok(())
}

/// Plays the games of a match that are missing, and writes its results and its page. Returns the results also as JSON.
fn play(args: &MatchArgs, out: &Path, spec: MatchSpec, label: &str) -> anyhow::Result<(PlayedMatch, String)> {
    let progress = progress::stoppable();
    let score = Mutex::new(MatchScore::default());
    let current = || *score.lock().unwrap_or_else(PoisonError::into_inner);
    let follow = |result: &MatchResult| {
        let mut score = score.lock().unwrap_or_else(PoisonError::into_inner);
        score.add(result);
        match args.sprt.and_then(|sprt| sprt.decision(score.pairs())) {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    };
    let state = || {
        let score = current();
        let ratio = args.sprt.map(|sprt| sprt.log_likelihood_ratio(score.pairs()));
        format!("{score}{}", ratio.map_or_else(String::new, |ratio| format!(", LLR {}", fixed(ratio, 2))))
    };
    let label = format!("{label} {} {}", spec.size, spec.rules);
    let work = || play_match_until(out, &spec, progress, follow);
    let results = progress::shown_with(&label, spec.games, progress, state, work)?;
    let played = PlayedMatch { spec, results, sprt: args.sprt };
    let json = write_results(out, &played.json())?;
    // Beyond this size, the page has no games.
    let records = read_file(&out.join(RECORDS), MAX_TEXT_BYTES).unwrap_or_default();
    write(&out.join(PAGE), match_page(&played, &records, &report_meta(args.komi)).as_bytes())?;
    Ok((played, json))
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_whole(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

fn check_complete(is_complete: bool, finished: u64, wanted: u64) -> anyhow::Result<()> {
    if is_complete {
        return Ok(());
    }
    Err(Failure::interrupted(format!(
        "{finished} of {wanted} games are finished; run the same command again to resume"
    )))
}

/// Makes sure that no player lost every game by a fault before its first move.
fn check_players(played: &PlayedMatch) -> anyhow::Result<()> {
    let is_idle = |&contestant: &Contestant| played_nothing(contestant, &played.spec, &played.results);
    let Some(contestant) = Contestant::ALL.into_iter().find(is_idle) else { return Ok(()) };
    let player = &played.spec.players[contestant.index()];
    Err(Failure::ProblemsFound(format!(
        "`{player}` played no legal move in the whole match: see the faults above, and check that it is a GTP program for this board"
    ))
    .into())
}

/// Returns the match of the first two players; others differ in their players only.
fn spec(args: &MatchArgs, players: &[PlayerSpec]) -> anyhow::Result<MatchSpec> {
    let &MatchArgs { size, rules, komi, handicap, .. } = args;
    let start = rules.handicap(size, handicap)?;
    let openings = match &args.openings {
        None => Openings::Empty,
        Some(OpeningsChoice::Random(plies)) => Openings::Random(*plies),
        Some(OpeningsChoice::File(path)) => Openings::read(path, &Game::with_handicap(size, *rules, &start))?,
    };
    let has_program = players.iter().any(PlayerSpec::is_program);
    Ok(MatchSpec {
        players: [args.first.clone(), args.second.clone()],
        size,
        rules,
        komi: komi.at(rules, size),
        handicap,
        games: args.games,
        seed: args.seed,
        ply_cap: args.ply_cap.unwrap_or(RunConfig::default_ply_cap(size)),
        time_limit: args.time_limit,
        clock: args.clock,
        time_margin: Duration::from_millis(args.time_margin),
        stop_rule: args.sprt.map(|sprt| format!("sprt {sprt}")),
        openings,
        adjudication: args.adjudicate,
        threads: args.concurrency.map_or(if has_program { 1 } else { processor_count() }, usize::from),
    })
}

/// Returns whether a player lost every game by a fault before its first move.
fn played_nothing(contestant: Contestant, spec: &MatchSpec, results: &[MatchResult]) -> bool {
    // The other player may have moved once after the opening. Of free handicap stones the first is a move already.
    let others = if spec.handicap > 0 { 0 } else { 1 };
    let is_one = |result: &MatchResult| {
        let is_lost = result.ending.is_fault() && result.winner == Some(contestant.opponent());
        is_lost && result.plies as usize <= spec.opening(result.game).len() + others
    };
    !results.is_empty() && results.iter().all(is_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_random_or_read() {
        assert_eq!("random:4".parse(), Ok(OpeningsChoice::Random(4)));
        assert_eq!("book.txt".parse(), Ok(OpeningsChoice::File("book.txt".into())));
        assert!("random:few".parse::<OpeningsChoice>().is_err());
    }

    #[test]
    fn who_meets_whom() {
        assert_eq!(TournamentKind::RoundRobin.meetings(3), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(TournamentKind::Gauntlet.meetings(3), [[0, 1], [0, 2]]);
        assert_eq!(TournamentKind::Gauntlet.meetings(2), TournamentKind::RoundRobin.meetings(2));
    }
}
