//! The score under one rule set, as a sheet, a row of a table and JSON.

use std::fmt::Write as _;

use jigo_engine::{
    BoardSize, Counting, Komi, Point,
    protocol::{Conduct, Count, EndRule},
};
use jigo_selfplay::{
    fingerprint::{conduct_fingerprint, rules_fingerprint},
    search::Estimate,
    sgf::GameResult,
};
use serde_json::{Map, Value, json};

use crate::output::quantity;

/// A name and the half points that it gives Black and White.
type Part = (&'static str, [i32; 2]);

/// The score under one rule set.
#[derive(Clone)]
pub(super) struct Sheet {
    pub(super) size: BoardSize,
    pub(super) conduct: Conduct,
    /// Whether the end of the game is part of the rules that are stated.
    pub(super) states_end: bool,
    /// Stones among the prisoners that were handed over during the game (Black, White).
    pub(super) handed_over: [u32; 2],
    pub(super) count: Count,
    pub(super) alternative: Option<Alternative>,
    pub(super) undecided: Option<Undecided>,
    /// The first stones of the chains that playouts decided, with the share of the playouts in which each is lost.
    pub(super) estimated: Vec<(Point, f64)>,
}

/// Chains of which nothing proves whether they are dead. The count has them as alive.
#[derive(Clone)]
pub(super) struct Undecided {
    /// The first stone of each.
    pub(super) chains: Vec<Point>,
    /// The least and the largest result for Black in half points, with the undecided chains of one player or of nobody dead, and with and without
    /// seki.
    pub(super) range: [i32; 2],
}

impl Undecided {
    fn results(&self) -> [GameResult; 2] {
        self.range.map(GameResult::from_half_points)
    }
}

/// The count if other groups were taken to be in seki.
#[derive(Clone)]
pub(super) struct Alternative {
    /// Whether groups in seki are found by dame here, and by agreement or status in the count beside it; else none is in seki here.
    pub(super) by_dame: bool,
    pub(super) count: Count,
}

impl Sheet {
    pub(super) fn name(&self) -> String {
        self.conduct.rules.to_string()
    }

    /// Returns the count with other groups in seki, if there is one, and this one as its alternative.
    pub(super) fn exchanged(self) -> Option<Self> {
        let Alternative { by_dame, count } = self.alternative?;
        let alternative = Some(Alternative { by_dame: !by_dame, count: self.count });
        Some(Self { count, alternative, ..self })
    }

    fn names(&self, points: &[Point]) -> Vec<String> {
        points.iter().map(|point| point.to_gtp(self.size)).collect()
    }

    /// Returns the dame as a list of points.
    pub(super) fn dame(&self) -> String {
        self.names(&self.count.dame).join(" ")
    }

    /// Returns what the score consists of, without what is rare and zero.
    pub(super) fn parts(&self) -> Vec<Part> {
        let (score, Conduct { rules, ending, komi, .. }) = (&self.count.score, &self.conduct);
        let points = |points: [u32; 2]| points.map(|points| 2 * points as i32);
        let is_marking = *ending == EndRule::Marking;
        // Each player pays for the own stones that were lost, or the opponent is paid.
        let lost = |[black, white]: [u32; 2]| match is_marking {
            true => points([black, white]).map(|half_points| -half_points),
            false => points([white, black]),
        };
        let [by_black, by_white] = score.prisoners;
        let [mut own, mut handed_over] = [("living stones", points(score.stones)), ("handed over", [0; 2])];
        if rules.counting == Counting::Territory {
            let captured = [by_white - self.handed_over[0], by_black - self.handed_over[1]];
            own = (if is_marking { "own stones lost" } else { "prisoners" }, lost(captured));
            handed_over.1 = lost(self.handed_over);
        }
        let komi = komi.half_points();
        let parts = [
            ("territory", points(score.surrounded)),
            own,
            ("group tax", score.taxed_groups.map(|groups| -4 * groups as i32)),
            handed_over,
            ("handicap bonus", points([0, score.handicap_bonus])),
            ("komi", if is_marking { [-komi, 0] } else { [0, komi] }),
        ];
        let is_rare = |name| ["group tax", "handicap bonus", "handed over"].contains(&name);
        parts.into_iter().filter(|&(name, points)| !is_rare(name) || points != [0; 2]).collect()
    }

    /// Returns the result in words: a range where chains are undecided.
    fn result(&self) -> String {
        match &self.undecided {
            None => GameResult::from_half_points(self.count.result()).to_string(),
            Some(undecided) => undecided.results().map(|result| result.to_string()).join(" to "),
        }
    }

    /// Says why the result is a range.
    fn undecided_text(&self) -> Option<String> {
        /// The most chains that are named.
        const MAX_NAMED: usize = 12;
        let Undecided { chains, .. } = self.undecided.as_ref()?;
        let named = self.names(&chains[..chains.len().min(MAX_NAMED)]).join(" ");
        let more = match chains.len().saturating_sub(MAX_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let are = quantity(chains.len(), "chain") + if chains.len() == 1 { " is" } else { " are" };
        Some(format!(
            "{are} not proved to be alive or dead, and counted as alive above: {named}{more}. Name the dead ones with --dead, or let playouts \
             decide with --dead estimated"
        ))
    }

    /// Says which chains playouts decided, and how clearly.
    fn estimated_text(&self) -> Option<String> {
        /// Living chains that are lost in fewer of the playouts are not named.
        const DOUBTFUL: f64 = 0.25;
        let (dead, alive): (Vec<_>, Vec<_>) =
            self.estimated.iter().partition(|(_, lost)| *lost > Estimate::DEAD);
        let list = |chains: Vec<(Point, f64)>| {
            let name =
                |(stone, lost): (Point, f64)| format!("{} {:.0} %", stone.to_gtp(self.size), 100.0 * lost);
            let names: Vec<String> = chains.into_iter().map(name).collect();
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        };
        let doubtful = alive.into_iter().filter(|(_, lost)| *lost > DOUBTFUL).collect();
        let chains = match self.estimated.len() {
            0 => return None,
            1 => "1 chain is".to_owned(),
            count => format!("{} are", quantity(count, "chain")),
        };
        Some(format!(
            "{chains} estimated by playouts, not proved. In how many of the playouts they are lost:\n  dead: {}\n  alive, but often lost: {}",
            list(dead),
            list(doubtful)
        ))
    }

    /// Returns the score part by part.
    pub(super) fn text(&self) -> String {
        let mut sheet = format!("{:<16}{:>8}{:>8}\n", self.name(), "Black", "White");
        for (name, points) in self.parts().into_iter().chain([("total", self.count.half_points)]) {
            let [black, white] = points.map(Komi::from_half_points);
            let _ = writeln!(sheet, "{name:<16}{black:>8}{white:>8}");
        }
        let _ = writeln!(sheet, "result: {}", self.result());
        let texts = [self.undecided_text(), self.estimated_text(), self.alternative_text()];
        texts.into_iter().flatten().for_each(|text| sheet += &(text + "\n"));
        sheet
    }

    /// Says what the result would be with other groups in seki, and which points make the difference.
    fn alternative_text(&self) -> Option<String> {
        let Alternative { by_dame, count } = self.alternative.as_ref()?;
        let result = GameResult::from_half_points(count.result());
        let dame = match &self.dame()[..] {
            "" => String::new(),
            dame => format!(" ({dame})"),
        };
        let how = match by_dame {
            true => format!("with groups beside dame{dame} or in atari in seki: {result}"),
            false => format!(
                "groups beside dame{dame} or in atari are taken to be in seki; with no seki: {result}"
            ),
        };
        let [counted, not_counted] = self.differences(count).map(|points| points.join(" "));
        let differences = [(counted, "count then"), (not_counted, "do not count then")];
        let differences = differences.iter().filter(|(points, _)| !points.is_empty());
        let differences: Vec<String> =
            differences.map(|(points, what)| format!("; {points} {what}")).collect();
        Some(how + &differences.concat())
    }

    /// Returns the points that are territory only in this other count, and those that are not there.
    fn differences(&self, other: &Count) -> [Vec<String>; 2] {
        let only_in = |one: &Count, other: &Count| {
            let pairs = one.territory.iter().zip(&other.territory);
            let points = pairs.flat_map(|(one, other)| one.iter().filter(|point| !other.contains(point)));
            self.names(&points.copied().collect::<Vec<_>>())
        };
        [only_in(other, &self.count), only_in(&self.count, other)]
    }

    pub(super) fn to_json(&self) -> Value {
        let Self { conduct, count, .. } = self;
        let numbers = |points: [i32; 2]| json!(points.map(|half_points| f64::from(half_points) / 2.0));
        let parts = self.parts().into_iter().map(|(name, points)| (name.to_owned(), numbers(points)));
        let (rules, fingerprint) = match self.states_end {
            true => (conduct.canonical_rules(), conduct_fingerprint(conduct)),
            false => (conduct.rules.canonical(), rules_fingerprint(*conduct.rules)),
        };
        let alternative = self.alternative.as_ref().map(|Alternative { by_dame, count }| {
            let [counted, not_counted] = self.differences(count);
            json!({
                "seki": if *by_dame { "dame" } else { "none" },
                "total": numbers(count.half_points),
                "result": GameResult::from_half_points(count.result()).to_string(),
                "counted": counted,
                "not_counted": not_counted,
            })
        });
        json!({
            "name": self.name(),
            "rules": rules,
            "rules_fingerprint": fingerprint,
            "komi": conduct.komi.to_f64(),
            "points": parts.collect::<Map<_, _>>(),
            "total": numbers(count.half_points),
            "result": self.undecided.is_none().then(|| self.result()),
            "range": self.undecided.as_ref().map(|undecided| undecided.results().map(|result| result.to_string())),
            "undecided": self.undecided.as_ref().map_or(Vec::new(), |undecided| self.names(&undecided.chains)),
            "estimated": self.estimated.iter().map(|(stone, lost)| json!({ "chain": stone.to_gtp(self.size), "lost": lost })).collect::<Vec<_>>(),
            "dead": self.names(&count.dead),
            "dame": self.names(&count.dame),
            "seki": self.names(&count.seki),
            "alternative": alternative,
        })
    }
}

/// Returns a table with a row for each rule set, and below it the results with other groups in seki.
pub(super) fn table(sheets: &[Sheet]) -> String {
    let mut table =
        format!("{:<17}{:<11}{:>8}{:>8}{:>7}   result\n", "rules", "counting", "Black", "White", "komi");
    for sheet in sheets {
        let [black, white] = sheet.count.half_points.map(Komi::from_half_points);
        let (name, Conduct { rules, komi, .. }) = (sheet.name(), &sheet.conduct);
        let _ = writeln!(
            table,
            "{name:<17}{:<11}{black:>8}{white:>8}{komi:>7}   {}",
            rules.counting,
            sheet.result()
        );
    }
    for sheet in sheets {
        let line = sheet.alternative_text().map(|text| format!("{}: {text}\n", sheet.name()));
        table.extend(line);
    }
    table
}

/// Returns a line for each list of dame, with the rule sets that have it unless all have.
pub(super) fn dame_lines(sheets: &[Sheet]) -> Vec<String> {
    let mut lists: Vec<(String, Vec<String>)> = Vec::new();
    // Where chains are undecided, so is which points are neutral.
    for sheet in sheets.iter().filter(|sheet| sheet.undecided.is_none()) {
        let dame = sheet.dame();
        match lists.iter_mut().find(|(known, _)| *known == dame) {
            Some((_, names)) => names.push(sheet.name()),
            None => lists.push((dame, vec![sheet.name()])),
        }
    }
    let is_single = lists.len() == 1;
    let with_dame = lists.into_iter().filter(|(dame, _)| !dame.is_empty());
    let line = |(dame, names): (String, Vec<String>)| {
        let under = if is_single { String::new() } else { format!(" (under {})", names.join(", ")) };
        format!("neutral points (dame), to be filled before scoring{under}: {dame}")
    };
    with_dame.map(line).collect()
}
