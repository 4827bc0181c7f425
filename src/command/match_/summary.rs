//! The results of a match as a table and as JSON.

use std::fmt::Write as _;

use jigo_analysis::{Proportion, stats::Confidence};
use jigo_selfplay::{
    fingerprint::rules_fingerprint,
    matches::{Contestant, Ending, MatchResult, MatchSpec},
};
use serde_json::{Value, json};

use super::tally::{Rest, Tally};

pub(super) fn table(spec: &MatchSpec, results: &[MatchResult]) -> String {
    let tallies = Contestant::BOTH.map(|contestant| Tally::of(contestant, results));
    let mut text = String::new();
    let MatchSpec { size, rules, komi, games, .. } = spec;
    let _ = writeln!(text, "{size} {rules}, komi {komi}: {} of {games} games", results.len());
    for contestant in Contestant::BOTH {
        let _ = writeln!(text, "{:<8}{}", contestant.name(), spec.players[contestant.index()]);
    }
    let _ = writeln!(
        text,
        "\n{:<8}{:>6}{:>10}  {:<20}{:>10}{:>10}",
        "player", "wins", "share", "95 % interval", "as Black", "as White"
    );
    for tally in &tallies {
        let interval = tally.wins.interval(Confidence::P95);
        let interval = format!("{:.2} .. {:.2} %", 100.0 * interval.lower, 100.0 * interval.upper);
        let [black, white] = tally.wins_as.map(|wins| format!("{}/{}", wins.count(), wins.of()));
        let (name, wins) = (tally.contestant.name(), tally.wins);
        let _ =
            writeln!(text, "{name:<8}{:>6}{wins:>10}  {interval:<20}{black:>10}{white:>10}", wins.count());
    }
    let Rest { draws, capped, disputed } = Rest::of(results);
    let _ = writeln!(
        text,
        "\njigo: {draws}; cut off by the ply cap, not among these: {capped}; dead stones disputed: {disputed}"
    );
    for tally in &tallies {
        let losses = tally.losses.iter().map(|(ending, count)| format!("{ending} {count}"));
        let losses = losses.collect::<Vec<_>>().join(", ");
        let _ = writeln!(
            text,
            "{} lost by: {}",
            tally.contestant.name(),
            if losses.is_empty() { "-" } else { &losses }
        );
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

/// How many games lost by a fault the table explains.
const MAX_FAULTS: usize = 10;

/// The contents of `match.json`; a function of the games alone.
pub(super) fn json(spec: &MatchSpec, results: &[MatchResult]) -> String {
    let Rest { draws, capped, disputed } = Rest::of(results);
    let value = json!({
        "size": spec.size.to_string(),
        "rules": spec.rules.to_string(),
        "rules_in_full": spec.rules.canonical(),
        "rules_fingerprint": rules_fingerprint(spec.rules),
        "komi": spec.komi.to_f64(),
        "seed": spec.seed,
        "games": spec.games,
        "finished": results.len(),
        "first": player(spec, Contestant::First, results),
        "second": player(spec, Contestant::Second, results),
        "draws": draws,
        "capped": capped,
        "disputed": disputed,
        "results": results.iter().map(result).collect::<Vec<_>>(),
    });
    format!("{value:#}\n")
}

fn player(spec: &MatchSpec, contestant: Contestant, results: &[MatchResult]) -> Value {
    let tally = Tally::of(contestant, results);
    let losses: serde_json::Map<String, Value> =
        tally.losses.iter().map(|(ending, count)| (ending.to_string(), json!(count))).collect();
    json!({
        "player": spec.players[contestant.index()].to_string(),
        "wins": share(tally.wins),
        "wins_as_black": share(tally.wins_as[0]),
        "wins_as_white": share(tally.wins_as[1]),
        "losses": losses,
    })
}

fn share(wins: Proportion) -> Value {
    let interval = wins.interval(Confidence::P95);
    json!({
        "count": wins.count(),
        "of": wins.of(),
        "share": wins.estimate(),
        "lower": interval.lower,
        "upper": interval.upper,
        "confidence": Confidence::P95.level(),
        "method": "exact Clopper–Pearson interval",
    })
}

fn result(result: &MatchResult) -> Value {
    let mut value = serde_json::to_value(result).expect("a struct of text and numbers");
    value["is_fault"] = json!(result.ending.is_fault());
    value["is_capped"] = json!(result.ending == Ending::PlyCap);
    value
}
