//! Results of matches: who won, how games ended, and what that says about strength. As tables for a terminal, and as JSON.

use std::fmt::{self, Write as _};

use jigo_engine::Color;
use jigo_selfplay::{
    fingerprint::rules_fingerprint,
    matches::{Contestant, DeadStones, MatchEnding, MatchResult, MatchSpec},
};
use serde_json::{Map, Value, json};

use super::format::{DASH, fixed, group};
use crate::{
    Proportion,
    stats::{CONFIDENCE, ELO_METHOD, Estimate, Hypothesis, PairCounts, Sprt},
};

/// What follows from the games of a match in their order, game by game.
///
/// Displays as the first player's wins, draws and losses: `+12 =3 -8`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchScore {
    /// Wins of the first and of the second player, and draws.
    games: [u64; 3],
    pairs: PairCounts,
    /// The first player's half points in the first game of a pair; nothing where it was stopped at the move limit.
    half: Option<usize>,
}

impl MatchScore {
    /// Counts the next game. Games that were stopped at the move limit are nobody's, and their pairs are left out.
    pub fn add(&mut self, result: &MatchResult) {
        let half_points = match (result.ending, result.winner) {
            (MatchEnding::PlyCap, _) => None,
            (_, Some(Contestant::First)) => Some(2),
            (_, Some(Contestant::Second)) => Some(0),
            (_, None) => Some(1),
        };
        if let Some(half_points) = half_points {
            self.games[[1, 2, 0][half_points]] += 1;
        }
        let before = std::mem::replace(&mut self.half, half_points);
        if !result.game.is_multiple_of(2)
            && let Some((before, now)) = before.zip(half_points)
        {
            self.pairs.add(before + now);
        }
    }

    /// Returns the score of these games, which begin with the first of a match.
    #[must_use]
    pub fn of(results: &[MatchResult]) -> Self {
        let mut score = Self::default();
        results.iter().for_each(|result| score.add(result));
        score
    }

    /// Returns the complete pairs.
    #[must_use]
    pub const fn pairs(&self) -> &PairCounts {
        &self.pairs
    }

    /// Returns the points of a player, a draw being half of one.
    pub(super) fn points(&self, contestant: Contestant) -> f64 {
        self.games[contestant.index()] as f64 + self.games[2] as f64 / 2.0
    }

    pub(super) fn game_count(&self) -> u64 {
        self.games.iter().sum()
    }
}

impl fmt::Display for MatchScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [won, lost, drawn] = self.games.map(group);
        write!(f, "+{won} ={drawn} -{lost}")
    }
}

/// A match and the results of its games in their order.
#[derive(Clone, Debug)]
pub struct PlayedMatch {
    /// What was played.
    pub spec: MatchSpec,
    /// The games finished so far.
    pub results: Vec<MatchResult>,
    /// The test that may stop the match.
    pub sprt: Option<Sprt>,
}

/// The results of a match from one player's point of view.
pub(super) struct Tally {
    pub(super) contestant: Contestant,
    /// Of all games except those stopped at the move limit.
    pub(super) wins: Proportion,
    /// The same for the games with Black and for those with White.
    pub(super) wins_as: [Proportion; 2],
    /// How often the player lost in each way.
    pub(super) losses: Vec<(MatchEnding, u64)>,
    /// The milliseconds of all games; nothing without a clock.
    pub(super) time_ms: Option<u64>,
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
        let times = results.iter().filter_map(|result| result.time_ms[contestant.index()]);
        Self {
            contestant,
            wins: proportion(finished().filter(has_won).count(), finished().count()),
            wins_as,
            losses: losses.into_iter().filter(|&(_, count)| count > 0).collect(),
            time_ms: times.reduce(|sum, time| sum + time),
        }
    }

    /// Returns how games were lost, in words.
    pub(super) fn losses_text(&self) -> String {
        let losses = self.losses.iter().map(|(ending, count)| format!("{ending} {}", group(count)));
        let text = losses.collect::<Vec<_>>().join(", ");
        if text.is_empty() { DASH.to_owned() } else { text }
    }
}

fn proportion(count: usize, of: usize) -> Proportion {
    Proportion::new(count as u64, of as u64).expect("a part of the games")
}

impl PlayedMatch {
    /// Returns the score of the finished games.
    #[must_use]
    pub fn score(&self) -> MatchScore {
        MatchScore::of(&self.results)
    }

    pub(super) fn tallies(&self) -> [Tally; 2] {
        Contestant::ALL.map(|contestant| Tally::new(contestant, &self.results))
    }

    /// Returns how many games were draws, were stopped at the move limit, and had no agreement on the dead stones.
    pub(super) fn others(&self) -> [usize; 3] {
        let count = |is: fn(&&MatchResult) -> bool| self.results.iter().filter(is).count();
        [
            count(|result| result.winner.is_none() && result.ending != MatchEnding::PlyCap),
            count(|result| result.ending == MatchEnding::PlyCap),
            count(|result| matches!(result.dead, DeadStones::Common | DeadStones::Disputed)),
        ]
    }

    /// Returns whether the games are all that are wanted, or the test has decided.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.results.len() as u64 >= self.spec.games || self.decision().is_some()
    }

    fn decision(&self) -> Option<Hypothesis> {
        self.sprt?.decision(self.score().pairs())
    }

    /// Returns a player as text.
    pub(super) fn player(&self, contestant: Contestant) -> String {
        self.spec.players[contestant.index()].to_string()
    }

    /// Returns board, rules, komi and number of games in one line.
    pub(super) fn heading(&self) -> String {
        let MatchSpec { size, rules, komi, handicap, games, .. } = &self.spec;
        let handicap = if *handicap > 0 { format!(", handicap {handicap}") } else { String::new() };
        let finished = group(self.results.len());
        format!("{size} {rules}, komi {komi}{handicap}: {finished} of {} games", group(games))
    }

    /// Returns the results as a table for a terminal.
    #[must_use]
    pub fn table(&self) -> String {
        /// How many games lost by a fault the table explains.
        const MAX_FAULTS: usize = 10;
        let tallies = self.tallies();
        let mut text = format!("{}\n", self.heading());
        for contestant in Contestant::ALL {
            let _ = writeln!(text, "{:<8}{}", contestant.name(), self.player(contestant));
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
            let [black, white] =
                wins_as.map(|wins| format!("{}/{}", group(wins.count()), group(wins.trials())));
            let (name, count) = (contestant.name(), group(wins.count()));
            let _ = writeln!(text, "{name:<8}{count:>6}{wins:>10}  {interval:<20}{black:>10}{white:>10}");
        }
        let [draws, stopped, disputed] = self.others().map(group);
        let _ = writeln!(
            text,
            "\njigo: {draws}; stopped at the move limit and not counted above: {stopped}; dead stones disputed: {disputed}"
        );
        for (name, value) in self.strength() {
            let _ = writeln!(text, "{name}: {value}");
        }
        for tally in &tallies {
            let _ = writeln!(text, "{} lost by: {}", tally.contestant.name(), tally.losses_text());
        }
        for Tally { contestant, time_ms, .. } in &tallies {
            if let Some(time_ms) = time_ms {
                let _ = writeln!(text, "{} thought for {}", contestant.name(), time_text(*time_ms));
            }
        }
        let faults: Vec<_> = self.results.iter().filter(|result| result.ending.is_fault()).collect();
        for fault in faults.iter().take(MAX_FAULTS) {
            let _ = writeln!(text, "game {}: {}: {}", fault.game, fault.ending, fault.detail);
        }
        if faults.len() > MAX_FAULTS {
            let _ = writeln!(text, "and {} more faults: see match.json", faults.len() - MAX_FAULTS);
        }
        text
    }

    /// Returns what the pairs say about strength: names and values.
    pub(super) fn strength(&self) -> Vec<(&'static str, String)> {
        let score = self.score();
        let pairs = score.pairs();
        let mut lines = Vec::new();
        if let (Some(elo), Some(superiority)) = (pairs.elo(), pairs.superiority()) {
            let counts = pairs.counts().map(group).join(", ");
            let text = format!("{elo} of the first player over the second, 95 % interval");
            lines.push(("Elo", text));
            lines.push(("likelihood of superiority", format!("{} %", fixed(100.0 * superiority, 2))));
            lines.push(("pairs by points of the first player (0, ½, 1, 1½, 2)", counts));
        }
        if let Some(sprt) = self.sprt {
            lines.push(("SPRT", sprt_text(sprt, pairs)));
        }
        lines
    }

    /// Returns the results as JSON, which depends on nothing but the games.
    #[must_use]
    pub fn json(&self) -> Value {
        let [draws, stopped, disputed] = self.others();
        let [first, second] = self.tallies().map(|tally| self.player_json(&tally));
        let score = self.score();
        let pairs = score.pairs();
        let mut value = json!({
            "size": self.spec.size.to_string(),
            "rules": self.spec.rules.to_string(),
            "rules_in_full": self.spec.rules.canonical(),
            "rules_fingerprint": rules_fingerprint(*self.spec.rules),
            "komi": self.spec.komi.to_f64(),
            "handicap": self.spec.handicap,
            "seed": self.spec.seed,
            "games": self.spec.games,
            "finished": self.results.len(),
            "first": first,
            "second": second,
            "draws": draws,
            "capped": stopped,
            "disputed": disputed,
            "pairs": pairs.counts(),
            "elo": pairs.elo().map(|elo| elo_json(elo, ELO_METHOD)),
            "superiority": pairs.superiority(),
            "results": self.results.iter().map(result_json).collect::<Vec<_>>(),
        });
        if let Some(clock) = self.spec.clock {
            value["clock"] = json!(clock.to_string());
        }
        if let Some(sprt) = self.sprt {
            let bounds = sprt.bounds();
            value["sprt"] = json!({
                "test": sprt,
                "log_likelihood_ratio": sprt.log_likelihood_ratio(pairs),
                "lower_bound": bounds.lower,
                "upper_bound": bounds.upper,
                "accepted": sprt.decision(pairs),
            });
        }
        value
    }

    fn player_json(&self, tally: &Tally) -> Value {
        let losses = tally.losses.iter().map(|(ending, count)| (ending.to_string(), json!(count)));
        let mut value = json!({
            "player": self.player(tally.contestant),
            "wins": share_json(tally.wins),
            "wins_as_black": share_json(tally.wins_as[0]),
            "wins_as_white": share_json(tally.wins_as[1]),
            "losses": losses.collect::<Map<_, _>>(),
        });
        if let Some(time_ms) = tally.time_ms {
            value["time_ms"] = json!(time_ms);
        }
        value
    }
}

/// Returns the state of a test in words.
fn sprt_text(sprt: Sprt, pairs: &PairCounts) -> String {
    let (ratio, bounds) = (sprt.log_likelihood_ratio(pairs), sprt.bounds());
    let [ratio, lower, upper] = [ratio, bounds.lower, bounds.upper].map(|value| fixed(value, 2));
    let decision = match sprt.decision(pairs) {
        None => "undecided".to_owned(),
        Some(Hypothesis::H0) => format!("H0 is accepted: {} Elo", sprt.elo0),
        Some(Hypothesis::H1) => format!("H1 is accepted: {} Elo", sprt.elo1),
    };
    format!("LLR {ratio} ({lower}..{upper}), {decision}; {sprt}")
}

pub(super) fn time_text(milliseconds: u64) -> String {
    format!("{} s", fixed(milliseconds as f64 / 1000.0, 1))
}

/// An infinite number is `null`.
pub(super) fn elo_json(elo: Estimate, method: &str) -> Value {
    json!({
        "estimate": elo.estimate,
        "lower": elo.interval.lower,
        "upper": elo.interval.upper,
        "confidence": CONFIDENCE,
        "method": method,
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
pub(super) mod tests {
    use jigo_engine::RuleSet;

    use super::*;

    /// Returns games with these endings and winners.
    fn results(games: &[(MatchEnding, Option<Contestant>)]) -> Vec<MatchResult> {
        let result = |(game, &(ending, winner))| MatchResult {
            game,
            black: Contestant::black_in(game),
            winner,
            ending,
            half_points: None,
            dead: DeadStones::NotAsked,
            plies: 1,
            detail: String::new(),
            time_ms: [None, Some(1500)],
        };
        (0..).zip(games).map(result).collect()
    }

    pub(in crate::report) fn played(games: &[(MatchEnding, Option<Contestant>)]) -> PlayedMatch {
        let players = ["eye-safe", "uniform"].map(|player| player.parse().unwrap());
        let spec = MatchSpec::new(players, "9".parse().unwrap(), "chinese".parse::<RuleSet>().unwrap());
        PlayedMatch { spec, results: results(games), sprt: Some("0,10".parse().unwrap()) }
    }

    pub(in crate::report) const FIRST: Option<Contestant> = Some(Contestant::First);
    pub(in crate::report) const SECOND: Option<Contestant> = Some(Contestant::Second);

    #[test]
    fn every_game_is_counted_once() {
        let played = played(&[
            (MatchEnding::TwoPasses, FIRST),
            (MatchEnding::Crash, FIRST),
            (MatchEnding::PlyCap, FIRST),
            (MatchEnding::TwoPasses, None),
            (MatchEnding::Timeout, SECOND),
        ]);
        let [first, second] = played.tallies();
        assert_eq!((first.wins.count(), first.wins.trials()), (2, 4));
        assert_eq!(first.wins_as.map(|wins| (wins.count(), wins.trials())), [(1, 2), (1, 2)]);
        assert_eq!((second.wins.count(), second.wins.trials()), (1, 4));
        assert_eq!(second.losses, [(MatchEnding::TwoPasses, 1), (MatchEnding::Crash, 1)]);
        assert_eq!(first.losses, [(MatchEnding::Timeout, 1)]);
        assert_eq!([first.time_ms, second.time_ms], [None, Some(7500)]);
        assert_eq!(played.others(), [1, 1, 0]);
        let score = played.score();
        assert_eq!(score.to_string(), "+2 =1 -1");
        // The second pair has a game that was stopped, the third is not complete.
        assert_eq!(score.pairs().counts(), [0, 0, 0, 0, 1]);
    }

    #[test]
    fn pairs_are_games_with_the_same_opening() {
        let game = |winner| (MatchEnding::Resignation, winner);
        let pairs = [[FIRST, SECOND], [None, FIRST], [SECOND, SECOND], [None, SECOND], [SECOND, FIRST]];
        let played = played(&pairs.concat().into_iter().map(game).collect::<Vec<_>>());
        assert_eq!(played.score().pairs().counts(), [1, 1, 2, 1, 0]);
        let text = played.table();
        assert!(text.contains("likelihood of superiority: ") && text.contains("SPRT: LLR "), "{text}");
        assert_eq!(played.json()["sprt"]["accepted"], Value::Null);
    }
}
