//! The head of the page: what a study found on one board, in a sentence, a few numbers and pictures, each with a link to what it summarizes.

use jigo_engine::life::Status;
use jigo_selfplay::{Policy, policy::PlayoutPolicy};

use super::{
    parts::{DataTable, Fact, Figure, Group, per_cent},
    results::first_moves,
    rules::Compared,
    viewer,
};
use crate::{
    RunConfig,
    report::{
        examples::{Example, Kind, MAX_IN_RUN, chosen},
        format::{DASH, fixed, group, minus_signs, quantity, size_name},
        quantities::{BLACK_WINS, FAIR_KOMI, PLIES, SEKI_POSITIONS, SUPERKO_REJECTED_GAMES},
        rule_changes::RuleChange,
        strength::{known_in_words, known_komi},
        summary::{RunSummary, Summary, Value},
    },
    rules::ContrastScope,
};

/// The board that people ask about first.
const USUAL_SIDE: usize = 9;
/// The most columns of the table of boards.
const MAX_COLUMNS: usize = 6;

/// What a page shows first.
pub(super) struct Overview {
    pub(super) headline: String,
    pub(super) lead: String,
    pub(super) facts: Vec<Fact>,
    pub(super) figures: Vec<Figure>,
    pub(super) table: DataTable,
    /// What each choice of rules changes, a sentence each.
    pub(super) changes: Vec<String>,
    /// The run whose section is open when the page opens.
    pub(super) open_run: usize,
}

impl Overview {
    /// Takes the picture of the fair komi out of the section that has it. Nothing without runs.
    pub(super) fn new(
        summary: &Summary<'_>,
        strengths: &mut [Compared],
        front: &mut [Group],
    ) -> Option<Self> {
        let board = Board::new(summary)?;
        let of_strength = strengths.first_mut().map(|all| &mut all.figures).filter(|all| !all.is_empty());
        let sections = of_strength.or_else(|| front.first_mut().map(|komi| &mut komi.figures));
        let fair_komi = sections.filter(|figures| !figures.is_empty()).map(|figures| figures.remove(0));
        let map =
            (board.plain.1.finished.fair_komi().is_some()).then(|| first_moves("overview", board.plain.1));
        Some(Self {
            headline: board.headline(),
            lead: board.lead(),
            facts: board.facts(summary),
            figures: fair_komi.into_iter().chain(map).chain(board.seki(summary)).collect(),
            table: board.table(summary),
            changes: board.changes(summary),
            open_run: board.sekis.unwrap_or(board.plain).0,
        })
    }
}

/// A run and its place in the study.
type Run<'a> = (usize, &'a RunSummary<'a>);

/// The runs of even games on one board by the rules that are named first.
struct Board<'a> {
    /// Play at random, or else what was played first.
    plain: Run<'a>,
    /// The search with the most playouts.
    search: Option<Run<'a>>,
    /// The run with sekis that has most games, without a search if there is one.
    sekis: Option<Run<'a>>,
}

impl<'a> Board<'a> {
    fn new(summary: &'a Summary<'a>) -> Option<Self> {
        let is_usual =
            |run: &RunSummary<'_>| run.config.size.is_square() && run.config.size.width() == USUAL_SIDE;
        let first = summary.runs.iter().find(|run| is_usual(run)).or(summary.runs.first())?;
        let RunConfig { size, handicap, .. } = first.config;
        // The rules that others are compared with.
        let base = summary.comparisons.iter().find(|comparison| comparison.base.size == size);
        let rules = base.map_or(first.config.rules, |comparison| comparison.base.rules);
        let all = || {
            let runs = summary.runs.iter().enumerate();
            runs.filter(move |(_, run)| {
                (run.config.size, run.config.rules, run.config.handicap) == (size, rules, handicap)
            })
        };
        let is_plain = |run: &RunSummary<'_>| {
            let policy = run.config.policy;
            matches!(policy, Policy::Playout(PlayoutPolicy::EyeSafe { .. } | PlayoutPolicy::Uniform))
        };
        let has_sekis =
            |run: &RunSummary<'_>| run.finished.rate(SEKI_POSITIONS).is_some_and(|rate| rate.count > 0);
        let with_sekis = || all().filter(|(_, run)| has_sekis(run));
        Some(Self {
            plain: all().find(|(_, run)| is_plain(run)).or_else(|| all().next())?,
            search: all().filter(|(_, run)| playouts(run) > 0).max_by_key(|(_, run)| playouts(run)),
            sekis: with_sekis().max_by_key(|(_, run)| (playouts(run) == 0, run.games)),
        })
    }

    fn config(&self) -> &RunConfig {
        &self.plain.1.config
    }

    /// The search, unless it is all there is or its fair komi is too uncertain to say anything beside the other.
    fn stronger(&self) -> Option<Run<'a>> {
        /// The widest interval, in points, that overlaps the other.
        const MAX_WIDTH: f64 = 3.0;
        let interval = |run: &RunSummary<'_>| run.finished.fair_komi().map(|fair| fair.estimate.interval);
        let says_something = |run: &RunSummary<'_>| {
            interval(run).zip(interval(self.plain.1)).is_some_and(|(own, other)| {
                own.width() <= MAX_WIDTH || own.lower > other.upper || own.upper < other.lower
            })
        };
        self.search.filter(|(index, run)| *index != self.plain.0 && says_something(run))
    }

    fn headline(&self) -> String {
        let fair =
            |run: &RunSummary<'_>| Some(run.finished.fair_komi()?.estimate.texts()[0].replace('-', "−"));
        let board = size_name(self.config());
        let plain = self.plain.1;
        let of_search = self.stronger().and_then(|(_, run)| Some((fair(run)?, player(run))));
        match (fair(plain), of_search) {
            (Some(komi), Some((other, search))) => {
                format!("On {board} the fair komi is {komi} for {} and {other} for {search}.", player(plain))
            }
            (Some(komi), None) | (None, Some((komi, _))) => {
                format!("On {board} the fair komi of {} is {komi}.", player(plain))
            }
            (None, None) => match plain.finished.value_or_reason(FAIR_KOMI) {
                Err(reason) => format!("No fair komi on {board}: {reason}."),
                Ok(_) => format!("{} on {board}.", quantity(plain.games, "game")),
            },
        }
    }

    fn lead(&self) -> String {
        let mut sentences = Vec::new();
        if let Some(known) = known_komi(self.config().size, *self.config().rules) {
            sentences.push(format!("Perfect play needs {}.", known_in_words(known)));
        }
        let superko = |(_, run): Run<'_>| {
            let share = frequency(run.finished.rate(SUPERKO_REJECTED_GAMES)?.share?)?;
            let games = if share.ends_with('%') { "of the games" } else { "games" };
            Some(format!("{share} {games} of {}", player(run)))
        };
        let found: Vec<String> =
            [Some(self.plain), self.stronger()].into_iter().flatten().filter_map(superko).collect();
        if !found.is_empty() {
            sentences.push(format!("Superko rejects a move in {}.", found.join(", and in ")));
        }
        if let Some((share, run)) = self.seki_share() {
            sentences
                .push(format!("A seki is left on the board in {share} % of the games of {}.", player(run)));
        }
        sentences.join(" ")
    }

    fn seki_share(&self) -> Option<(String, &'a RunSummary<'a>)> {
        let (_, run) = self.sekis?;
        Some((per_cent(run.finished.rate(SEKI_POSITIONS)?.share), run))
    }

    fn facts(&self, summary: &Summary<'_>) -> Vec<Fact> {
        let (plain_index, plain) = self.plain;
        let (_, main) = self.stronger().unwrap_or(self.plain);
        let mut facts = Vec::new();
        let mut push =
            |value: String, meaning: String, href: &str| facts.push(Fact::new(&value, &meaning, href));
        if let Some(fair) = main.finished.fair_komi() {
            let [estimate, interval] = fair.estimate.texts();
            push(estimate, format!("points: the fair komi of {}, 95 %: {interval}", player(main)), "#komi");
        }
        if let Some(wins) = main.finished.rate(BLACK_WINS).and_then(|rate| rate.share) {
            let text = format!("of the games are won by Black at {}, {}", summary.komi_text(), player(main));
            push(format!("{} %", fixed(100.0 * wins, 1)), text, "#results");
        }
        let superko =
            plain.finished.rate(SUPERKO_REJECTED_GAMES).and_then(|rate| rate.share).and_then(frequency);
        if let Some(superko) = superko {
            push(superko, format!("games in which superko rejects a move, {}", player(plain)), "#superko");
        }
        if let Some((share, run)) = self.seki_share() {
            push(format!("{share} %"), format!("of the games end with a seki, {}", player(run)), "#life");
        }
        if let Some(Value::Mean(Some(plies))) = plain.finished.value(PLIES) {
            let href = format!("#run{}", plain_index + 1);
            push(fixed(plies.mean, 0), format!("plies in a game, on average, {}", player(plain)), &href);
        }
        facts
    }

    /// Draws the final position with the most stones in seki, on this board or else on any.
    fn seki(&self, summary: &Summary<'_>) -> Option<Figure> {
        let stones = |example: &Example<'_>| {
            let sekis = example.chains.iter().filter(|chain| chain.status == Status::Seki);
            sekis.map(|chain| chain.stones.len()).sum::<usize>()
        };
        let own = self.sekis.into_iter().map(|(_, run)| run);
        let (run, example) = own.chain(&summary.runs).find_map(|run| {
            let sekis = chosen(run.run, MAX_IN_RUN).into_iter();
            let sekis = sekis.filter(|choice| matches!(choice.kind, Kind::Seki(_)));
            let examples = sekis.filter_map(|choice| Example::new(choice, &run.config));
            Some((run, examples.max_by_key(stones)?))
        })?;
        let index = summary.runs.iter().position(|other| other.config == run.config)?;
        let text = format!(
            "{} stones in seki, marked =, at the end of game {} of {}; step through it below in run {}.",
            stones(&example),
            example.choice.game.index,
            summary.naming.short(&run.config),
            index + 1
        );
        let (title, id) = ("A seki of the run", "overview-seki");
        let game = viewer::shown_game(&example, &run.config, run.komi);
        let svg = viewer::picture(id, title, run.config.size, &game);
        Some(Figure { title: title.to_owned(), text, svg, table: DataTable::default() })
    }

    /// Shows the fair komi of every board: under each rule set if there are several, else of each policy.
    fn table(&self, summary: &Summary<'_>) -> DataTable {
        let base = self.config();
        let of_even = || summary.runs.iter().filter(|run| run.config.handicap == base.handicap);
        let several_rules = summary.naming.varying().any(|axis| axis.name == "rules");
        let column = |run: &RunSummary<'_>| match several_rules {
            true => run.config.rules.to_string(),
            false => player(run),
        };
        let is_in = |run: &&RunSummary<'_>| !several_rules || run.config.policy == base.policy;
        let (mut columns, mut boards) = (Vec::new(), Vec::new());
        for run in of_even().filter(is_in) {
            let column = column(run);
            if !columns.contains(&column) {
                columns.push(column);
            }
            if !boards.contains(&run.config.size) {
                boards.push(run.config.size);
            }
        }
        let left_out = columns.len().saturating_sub(MAX_COLUMNS);
        columns.truncate(MAX_COLUMNS);
        let headings = std::iter::once("board").chain(columns.iter().map(String::as_str));
        let mut table = DataTable::new(1, headings.chain(["perfect play"]));
        for size in boards {
            let fair = |name: &String| {
                let run = of_even().filter(is_in).find(|run| run.config.size == size && column(run) == *name);
                let fair = run.and_then(|run| run.finished.value(FAIR_KOMI)?.shown());
                fair.map_or_else(
                    || DASH.to_owned(),
                    |fair| {
                        let half = (fair.interval.upper - fair.interval.lower) / 2.0;
                        let [estimate, _] = fair.texts();
                        let decimals = estimate.split_once('.').map_or(0, |(_, decimals)| decimals.len());
                        format!("{estimate} ± {}", fixed(half, decimals))
                    },
                )
            };
            let known = known_komi(size, *base.rules)
                .map_or_else(|| DASH.to_owned(), |known| known.margin.to_string());
            let board = format!("{}×{}", size.width(), size.height());
            table.push(std::iter::once(board).chain(columns.iter().map(fair)).chain([known]));
        }
        let title =
            if several_rules { "Fair komi by board and rules" } else { "Fair komi by board and player" };
        let played =
            if several_rules { format!(" Played by {}.", player(self.plain.1)) } else { String::new() };
        let more =
            if left_out > 0 { format!(" {left_out} more are in the sections below.") } else { String::new() };
        let note = format!("In points; ± is half of the 95 % interval.{played}{more}");
        table.titled(title, note)
    }

    fn changes(&self, summary: &Summary<'_>) -> Vec<String> {
        let base = self.config();
        let is_own = |other: &RunConfig| (other.size, other.policy) == (base.size, base.policy);
        let Some(comparison) = summary.comparisons.iter().find(|comparison| is_own(&comparison.base)) else {
            return Vec::new();
        };
        let changes = comparison.in_scope(ContrastScope::Base).take(MAX_COLUMNS);
        changes.map(|change| change_text(change, &size_name(base))).collect()
    }
}

fn playouts(run: &RunSummary<'_>) -> u32 {
    match run.config.policy {
        Policy::Uct(uct) => uct.playouts,
        Policy::Playout(_) => 0,
    }
}

/// Names who played, in words where the policy has a usual name.
fn player(run: &RunSummary<'_>) -> String {
    match run.config.policy {
        Policy::Playout(PlayoutPolicy::EyeSafe { .. }) => "random play".to_owned(),
        Policy::Playout(policy) => policy.to_string(),
        Policy::Uct(uct) => format!("search with {} playouts a move", group(uct.playouts)),
    }
}

/// Writes how often something happens: a small share as one of so many, others in per cent; nothing for what never happens.
fn frequency(share: f64) -> Option<String> {
    /// From here on, one of so many would be too coarse.
    const OFTEN: f64 = 0.05;
    match share {
        0.0 => None,
        _ if share < OFTEN => Some(format!("1 of {}", group((1.0 / share).round() as u64))),
        _ => Some(format!("{} %", fixed(100.0 * share, 1))),
    }
}

/// Says in a sentence what a change of one rule does.
fn change_text(change: &RuleChange, board: &str) -> String {
    let change_of = |name| {
        let number = change.number(name).filter(|number| number.shown().is_some())?;
        Some(number.text(|[estimate, interval]| format!("{estimate} ({interval})")))
    };
    let (from, to) = (change.values(*change.from), change.values(*change.to));
    let differing = change.differing().text(|[estimate, _]| estimate.to_owned());
    let komi = change_of(FAIR_KOMI).map(|komi| format!("the fair komi changes by {komi} points"));
    let komi = komi.unwrap_or_else(|| "the fair komi is not compared".to_owned());
    let text = &format!("{to} instead of {from}, {board}: {komi}; {differing} % of the games differ.");
    minus_signs(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_are_not_coarse() {
        assert_eq!(frequency(0.0), None);
        let texts = [0.000_5, 0.006_57, 0.056, 0.56, 1.0].map(|share| frequency(share).unwrap());
        assert_eq!(texts, ["1 of 2,000", "1 of 152", "5.6 %", "56.0 %", "100.0 %"]);
    }
}
