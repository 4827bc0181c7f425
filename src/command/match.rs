//! `jigo match`: plays games between two players.

use std::{fmt::Write as _, path::PathBuf, str::FromStr, time::Duration};

use clap::Args;
use jigo_analysis::{Proportion, stats::CONFIDENCE};
use jigo_engine::{BoardSize, Color, Game, Komi, RuleSet, rules::KomiChoice};
use jigo_selfplay::{
    RunConfig,
    fingerprint::rules_fingerprint,
    matches::{
        Adjudication, Contestant, DeadStones, MatchEnding, MatchResult, MatchSpec, Openings, PlayerSpec,
        play_match, write_results,
    },
};
use serde_json::{Map, Value, json};

use crate::{
    args::{self, processor_count},
    output::{Failure, fixed, group, print, print_json_text, tell},
    progress,
};

#[derive(Args, Debug)]
pub(crate) struct MatchArgs {
    /// A policy such as `eye-safe` or `uct:playouts=1000`, or the command line of a program that speaks GTP. The first player has Black in the
    /// even-numbered games.
    #[arg(value_name = "PLAYER")]
    first: PlayerSpec,

    /// The opponent.
    #[arg(value_name = "PLAYER")]
    second: PlayerSpec,

    /// Folder of the match. Run the same command again to resume an interrupted match.
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,

    /// Board size: 9; between policies also 9x13.
    #[arg(short, long, default_value = "9")]
    size: BoardSize,

    /// Rule set: a name, or values joined with +. GTP has no command for rules: configure the programs with their own options.
    #[arg(short, long, value_name = "RULES", default_value = "tromp-taylor")]
    rules: RuleSet,

    /// Points added to White's score: a number, or `rules` for the komi of the rule set on this size.
    #[arg(long, default_value = "rules", allow_hyphen_values = true)]
    komi: KomiChoice,

    /// Handicap stones of every game: 0, or 2 and more. They go where the rule set puts them: on star points, or where Black's player puts them.
    #[arg(long, value_name = "N", default_value_t = 0)]
    handicap: u32,

    /// Number of games. The players alternate colours.
    #[arg(short = 'n', long, value_name = "N", default_value = "20", value_parser = args::game_count)]
    games: u64,

    /// Seed of policies and random openings.
    #[arg(long, default_value_t = 1, value_parser = args::seed)]
    seed: u64,

    /// Move limit: a game is stopped after this many plies, passes included, and does not count for either player [default: 3 per point].
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=i64::from(RunConfig::MAX_PLY_CAP)))]
    ply_cap: Option<u32>,

    /// Seconds a program has to answer each command; it loses the game if it does not.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    time_limit: Duration,

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
    /// many games at a time [default: 1 with a program, otherwise one per processor].
    #[arg(short = 'j', long, visible_alias = "threads", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,

    /// Print the results as JSON instead of a table.
    #[arg(long)]
    json: bool,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.01..=86_400.0).contains(seconds));
    seconds
        .map(Duration::from_secs_f64)
        .ok_or_else(|| format!("`{text}` is not a time: write 0.01 to 86400 seconds"))
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

pub(crate) fn run(args: &MatchArgs) -> anyhow::Result<()> {
    let spec = spec(args)?;
    if args.komi == KomiChoice::Rules && spec.komi == Komi::ZERO && spec.handicap == 0 {
        tell(&format!(
            "note: {} names no komi for {}, so games are played at komi 0; players of equal strength are even with about --komi 7 on 9x9",
            spec.rules, spec.size
        ));
    }
    let progress = progress::stoppable();
    let label = format!("match {} {}", spec.size, spec.rules);
    let results = progress::shown(&label, spec.games, progress, || play_match(&args.out, &spec, progress))?;
    let out = args.out.display();
    let json = write_results(&args.out, &json(&spec, &results))?;
    if args.json { print_json_text(&json) } else { print(&table(&spec, &results)) }?;
    let finished = results.len() as u64;
    if finished < spec.games {
        return Err(Failure::interrupted(format!(
            "{finished} of {} games are finished; run the same command again to resume",
            spec.games
        )));
    }
    if let Some(contestant) = Contestant::ALL.into_iter().find(|&of| played_nothing(of, &spec, &results)) {
        let player = &spec.players[contestant.index()];
        return Err(Failure::ProblemsFound(format!(
            "`{player}` played no legal move in the whole match: see the faults above, and check that it is a GTP program for this board"
        ))
        .into());
    }
    tell(&format!("games: {out}/games.sgf and {out}/games.parquet; measure them with `jigo analyze {out}`"));
    Ok(())
}

fn spec(args: &MatchArgs) -> anyhow::Result<MatchSpec> {
    let &MatchArgs { size, rules, komi, handicap, .. } = args;
    let start = rules.handicap(size, handicap)?;
    let openings = match &args.openings {
        None => Openings::Empty,
        Some(OpeningsChoice::Random(plies)) => Openings::Random(*plies),
        Some(OpeningsChoice::File(path)) => Openings::read(path, &Game::with_handicap(size, *rules, &start))?,
    };
    let (first, second) = (&args.first, &args.second);
    let has_program = [first, second].into_iter().any(|player| matches!(player, PlayerSpec::Program(_)));
    Ok(MatchSpec {
        players: [first.clone(), second.clone()],
        size,
        rules,
        komi: komi.at(rules, size),
        handicap,
        games: args.games,
        seed: args.seed,
        ply_cap: args.ply_cap.unwrap_or(RunConfig::default_ply_cap(size)),
        time_limit: args.time_limit,
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

/// The results of a match from one player's point of view.
struct Tally {
    contestant: Contestant,
    /// Of all games except those stopped at the move limit.
    wins: Proportion,
    /// The same for the games with Black and for those with White.
    wins_as: [Proportion; 2],
    /// How often the player lost in each way.
    losses: Vec<(MatchEnding, u64)>,
}

impl Tally {
    fn new(contestant: Contestant, results: &[MatchResult]) -> Self {
        let finished = || results.iter().filter(|result| result.ending != MatchEnding::PlyCap);
        let has_won = |result: &&MatchResult| result.winner == Some(contestant);
        let wins_as = Color::BOTH.map(|color| {
            let games = || finished().filter(|result| result.contestant(color) == contestant);
            proportion(games().filter(has_won).count(), games().count())
        });
        let losses = MatchEnding::ALL.map(|ending| {
            let has_lost = |result: &&MatchResult| {
                result.ending == ending && result.winner == Some(contestant.opponent())
            };
            (ending, finished().filter(has_lost).count() as u64)
        });
        Self {
            contestant,
            wins: proportion(finished().filter(has_won).count(), finished().count()),
            wins_as,
            losses: losses.into_iter().filter(|&(_, count)| count > 0).collect(),
        }
    }
}

fn proportion(count: usize, of: usize) -> Proportion {
    Proportion::new(count as u64, of as u64).expect("a part of the games")
}

/// Returns how many games were draws, were stopped at the move limit, and had no agreement on the dead stones.
fn others(results: &[MatchResult]) -> [usize; 3] {
    let count = |is: fn(&&MatchResult) -> bool| results.iter().filter(is).count();
    [
        count(|result| result.winner.is_none() && result.ending != MatchEnding::PlyCap),
        count(|result| result.ending == MatchEnding::PlyCap),
        count(|result| matches!(result.dead, DeadStones::Common | DeadStones::Disputed)),
    ]
}

/// Returns the results as a table.
fn table(spec: &MatchSpec, results: &[MatchResult]) -> String {
    /// How many games lost by a fault the table explains.
    const MAX_FAULTS: usize = 10;
    let tallies = Contestant::ALL.map(|contestant| Tally::new(contestant, results));
    let mut text = String::new();
    let MatchSpec { size, rules, komi, handicap, games, .. } = spec;
    let handicap = if *handicap > 0 { format!(", handicap {handicap}") } else { String::new() };
    let _ = writeln!(
        text,
        "{size} {rules}, komi {komi}{handicap}: {} of {} games",
        group(results.len()),
        group(games)
    );
    for contestant in Contestant::ALL {
        let _ = writeln!(text, "{:<8}{}", contestant.name(), spec.players[contestant.index()]);
    }
    let _ = writeln!(
        text,
        "\n{:<8}{:>6}{:>10}  {:<20}{:>10}{:>10}",
        "player", "wins", "share", "95 % interval", "as Black", "as White"
    );
    for Tally { contestant, wins, wins_as, .. } in &tallies {
        let interval = wins.interval();
        let [lower, upper] = [interval.lower, interval.upper].map(|end| fixed(100.0 * end, 2));
        let interval = format!("{lower}..{upper} %");
        let [black, white] = wins_as.map(|wins| format!("{}/{}", group(wins.count()), group(wins.trials())));
        let (name, count) = (contestant.name(), group(wins.count()));
        let _ = writeln!(text, "{name:<8}{count:>6}{wins:>10}  {interval:<20}{black:>10}{white:>10}");
    }
    let [draws, stopped, disputed] = others(results).map(group);
    let _ = writeln!(
        text,
        "\njigo: {draws}; stopped at the move limit and not counted above: {stopped}; dead stones disputed: {disputed}"
    );
    for Tally { contestant, losses, .. } in &tallies {
        let losses: Vec<String> =
            losses.iter().map(|(ending, count)| format!("{ending} {}", group(count))).collect();
        let losses = if losses.is_empty() { "-".to_owned() } else { losses.join(", ") };
        let _ = writeln!(text, "{} lost by: {losses}", contestant.name());
    }
    let faults: Vec<_> = results.iter().filter(|result| result.ending.is_fault()).collect();
    for fault in faults.iter().take(MAX_FAULTS) {
        let _ = writeln!(text, "game {}: {}: {}", fault.game, fault.ending, fault.detail);
    }
    if faults.len() > MAX_FAULTS {
        let _ = writeln!(text, "and {} more faults: see match.json", faults.len() - MAX_FAULTS);
    }
    text
}

/// Returns the contents of `match.json`, which depend on nothing but the games.
fn json(spec: &MatchSpec, results: &[MatchResult]) -> Value {
    let [draws, stopped, disputed] = others(results);
    json!({
        "size": spec.size.to_string(),
        "rules": spec.rules.to_string(),
        "rules_in_full": spec.rules.canonical(),
        "rules_fingerprint": rules_fingerprint(*spec.rules),
        "komi": spec.komi.to_f64(),
        "handicap": spec.handicap,
        "seed": spec.seed,
        "games": spec.games,
        "finished": results.len(),
        "first": player_json(spec, &Tally::new(Contestant::First, results)),
        "second": player_json(spec, &Tally::new(Contestant::Second, results)),
        "draws": draws,
        "capped": stopped,
        "disputed": disputed,
        "results": results.iter().map(result_json).collect::<Vec<_>>(),
    })
}

fn player_json(spec: &MatchSpec, tally: &Tally) -> Value {
    let losses = tally.losses.iter().map(|(ending, count)| (ending.to_string(), json!(count)));
    json!({
        "player": spec.players[tally.contestant.index()].to_string(),
        "wins": share_json(tally.wins),
        "wins_as_black": share_json(tally.wins_as[0]),
        "wins_as_white": share_json(tally.wins_as[1]),
        "losses": losses.collect::<Map<_, _>>(),
    })
}

fn share_json(wins: Proportion) -> Value {
    let interval = wins.interval();
    json!({
        "count": wins.count(),
        "of": wins.trials(),
        "share": wins.estimate(),
        "lower": interval.lower,
        "upper": interval.upper,
        "confidence": CONFIDENCE,
        "method": "exact Clopper–Pearson interval",
    })
}

fn result_json(result: &MatchResult) -> Value {
    let mut value = serde_json::to_value(result).expect("a struct of text and numbers");
    value["is_fault"] = json!(result.ending.is_fault());
    value["is_capped"] = json!(result.ending == MatchEnding::PlyCap);
    value
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
    fn openings_are_random_or_read() {
        assert_eq!("random:4".parse(), Ok(OpeningsChoice::Random(4)));
        assert_eq!("book.txt".parse(), Ok(OpeningsChoice::File("book.txt".into())));
        assert!("random:few".parse::<OpeningsChoice>().is_err());
    }

    #[test]
    fn every_game_is_counted_once() {
        let endings = [
            MatchEnding::TwoPasses,
            MatchEnding::Crash,
            MatchEnding::PlyCap,
            MatchEnding::TwoPasses,
            MatchEnding::Timeout,
        ];
        let first = Some(Contestant::First);
        let winners = [first, first, first, None, Some(Contestant::Second)];
        let results: Vec<_> = endings
            .into_iter()
            .zip(winners)
            .zip(0..)
            .map(|((ending, winner), game)| MatchResult {
                game,
                black: Contestant::black_in(game),
                winner,
                ending,
                half_points: None,
                dead: DeadStones::NotAsked,
                plies: 1,
                detail: String::new(),
            })
            .collect();
        let [first, second] = Contestant::ALL.map(|contestant| Tally::new(contestant, &results));
        assert_eq!((first.wins.count(), first.wins.trials()), (2, 4));
        assert_eq!(first.wins_as.map(|wins| (wins.count(), wins.trials())), [(1, 2), (1, 2)]);
        assert_eq!((second.wins.count(), second.wins.trials()), (1, 4));
        assert_eq!(second.losses, [(MatchEnding::TwoPasses, 1), (MatchEnding::Crash, 1)]);
        assert_eq!(first.losses, [(MatchEnding::Timeout, 1)]);
        assert_eq!(others(&results), [1, 1, 0]);
    }
}
