//! The quantities of a report, each declared once.
//!
//! Every output is a loop over [`ALL`]: the table and the lines for a terminal, `summary.csv`, `summary.json`, the page, and the differences between
//! two runs. A new statistic is a counter in [`Measures`] and one entry in [`declared`].

use std::{borrow::Cow, sync::LazyLock};

use jigo_engine::{Ko, Komi, life::Status};

use crate::{
    Histogram, RunConfig,
    study::{EventCounts, Measures, ShiftCounts, StatusTable, SuperkoCounts},
};

/// All quantities in the order of every output.
pub(crate) static ALL: LazyLock<Vec<Quantity>> = LazyLock::new(declared);

/// The names of quantities that some outputs show in a way of their own.
pub(crate) const FAIR_KOMI: &str = "fair_komi";
pub(crate) const BLACK_WINS: &str = "black_wins";
pub(crate) const WHITE_WINS: &str = "white_wins";
pub(crate) const JIGO: &str = "jigo";
pub(crate) const PLIES: &str = "plies";
pub(crate) const SUPERKO_REJECTED: &str = "superko_rejected";
pub(crate) const REPETITIONS: &str = "repetitions";

/// The unit of shares, which people see in per cent.
pub(crate) const SHARE: &str = "share of games";
const POINTS: &str = "points";
const PER_GAME: &str = "per game";

/// One statistic: what it is called, how it follows from the counters, when it applies and where it is shown.
pub(crate) struct Quantity {
    /// The name in JSON, and the start of its column names in CSV files.
    pub(crate) name: String,
    /// The name for people.
    pub(crate) title: String,
    pub(crate) unit: &'static str,
    pub(crate) rule: Rule,
    /// Whether games of a run can have it. Where they cannot, outputs show that instead of a zero that looks measured.
    pub(crate) applies: fn(&RunConfig) -> bool,
    /// Whether it is also reported of games that were stopped at the move limit.
    pub(crate) of_stopped: bool,
    /// The part of a run's section on the page that shows it.
    pub(crate) section: Section,
    /// The question on the front of the page that it answers.
    pub(crate) front: Option<Section>,
    pub(crate) terminal: Terminal,
}

/// Takes a part and the whole from the counters, at the komi of the report.
type PartOf = Box<dyn Fn(&Measures, Komi) -> (u64, u64) + Send + Sync>;

/// Takes the values of all games from the counters.
type HistogramOf = Box<dyn Fn(&Measures) -> Cow<'_, Histogram> + Send + Sync>;

/// How a quantity follows from the counters.
pub(crate) enum Rule {
    /// The komi at which Black and White win equally often.
    FairKomi,
    /// How many of the games have it, with an exact interval.
    Share(PartOf),
    /// The mean over games, with its standard error.
    Mean(HistogramOf),
    /// The mean over chains, without a standard error because the chains of one game are not independent.
    MeanOfChains(fn(&Measures) -> &Histogram),
    /// One sum divided by another, without an interval because the parts of one game are not independent.
    Ratio(PartOf),
    Count(Box<dyn Fn(&Measures) -> u64 + Send + Sync>),
}

/// A subject of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Komi,
    Results,
    Length,
    Superko,
    Life,
}

/// How a terminal shows a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Terminal {
    Hidden,
    /// A column with this heading.
    Column(&'static str),
    /// A column with an interval. Quantities with the same heading share it: each run shows the first that applies to it.
    WithInterval(&'static str),
    /// A column that stands above the next one where intervals stand below estimates.
    Stacked(&'static str),
    /// Only among the lines for narrow terminals.
    Line(&'static str),
}

impl Quantity {
    fn new(section: Section, name: &str, title: &str, unit: &'static str, rule: Rule) -> Self {
        Self {
            name: name.to_owned(),
            title: title.to_owned(),
            unit,
            rule,
            applies: |_| true,
            of_stopped: true,
            section,
            front: None,
            terminal: Terminal::Hidden,
        }
    }

    fn share(
        section: Section,
        name: &str,
        title: &str,
        of: impl Fn(&Measures, Komi) -> (u64, u64) + Send + Sync + 'static,
    ) -> Self {
        Self::new(section, name, title, SHARE, Rule::Share(Box::new(of)))
    }

    fn mean(
        section: Section,
        name: &str,
        title: &str,
        unit: &'static str,
        of: impl Fn(&Measures) -> Cow<'_, Histogram> + Send + Sync + 'static,
    ) -> Self {
        Self::new(section, name, title, unit, Rule::Mean(Box::new(of)))
    }

    fn ratio(
        section: Section,
        name: &str,
        title: &str,
        unit: &'static str,
        of: impl Fn(&Measures, Komi) -> (u64, u64) + Send + Sync + 'static,
    ) -> Self {
        Self::new(section, name, title, unit, Rule::Ratio(Box::new(of)))
    }

    fn count(
        section: Section,
        name: &str,
        title: &str,
        unit: &'static str,
        of: impl Fn(&Measures) -> u64 + Send + Sync + 'static,
    ) -> Self {
        Self::new(section, name, title, unit, Rule::Count(Box::new(of)))
    }

    fn when(self, applies: fn(&RunConfig) -> bool) -> Self {
        Self { applies, ..self }
    }

    fn of_finished_only(self) -> Self {
        Self { of_stopped: false, ..self }
    }

    fn on_front(self, question: Section) -> Self {
        Self { front: Some(question), ..self }
    }

    fn on_terminal(self, terminal: Terminal) -> Self {
        Self { terminal, ..self }
    }

    /// Whether it is estimated with an interval, so that two runs can be compared.
    pub(crate) const fn has_interval(&self) -> bool {
        matches!(self.rule, Rule::FairKomi | Rule::Share(_) | Rule::Mean(_))
    }

    /// The title with its unit.
    pub(crate) fn label(&self) -> String {
        label(&self.title, self.unit)
    }
}

/// A title with its unit, which is per cent for shares.
pub(crate) fn label(title: &str, unit: &str) -> String {
    format!("{title}, {}", if unit.starts_with("share") { "%" } else { unit })
}

/// Declares all quantities.
fn declared() -> Vec<Quantity> {
    let mut all = results();
    all.extend(lengths());
    all.extend(events(
        SUPERKO_REJECTED,
        ["superko rejected at least one move", "moves rejected by superko"],
        |superko| &superko.rejected,
        |run| run.rules.ko.is_superko(),
    ));
    all.extend(events(
        REPETITIONS,
        ["a position repeated", "moves that repeated a position"],
        |superko| &superko.repetitions,
        |run| run.rules.ko != Ko::PositionalSuperko,
    ));
    all.extend(events(
        "forbidden_candidates",
        ["superko forbade at least one candidate", "candidates forbidden by superko"],
        |superko| &superko.forbidden_candidates,
        |run| run.count_forbidden && run.rules.ko.is_superko(),
    ));
    all.extend(statuses());
    all.extend(shifts("without_dead", "with dead chains removed", |games| &games.status.dead));
    all.extend(shifts("without_seki_points", "with points in seki not counted", |games| &games.status.seki));
    all
}

fn results() -> Vec<Quantity> {
    use Section::{Komi, Results};
    use Terminal::{Column, WithInterval};
    let share = |name, title, heading, of: fn(crate::stats::Shares) -> u64| {
        Quantity::share(Results, name, title, move |games, komi| {
            (of(games.margins.shares(komi)), games.margins.games())
        })
        .of_finished_only()
        .on_front(Results)
        .on_terminal(Column(heading))
    };
    vec![
        Quantity::new(Komi, FAIR_KOMI, "fair komi", POINTS, Rule::FairKomi)
            .of_finished_only()
            .on_front(Komi)
            .on_terminal(WithInterval("fair komi\npoints")),
        share(BLACK_WINS, "Black wins", "Black\n%", |shares| shares.black),
        share(WHITE_WINS, "White wins", "White\n%", |shares| shares.white),
        share(JIGO, "jigo", "jigo\n%", |shares| shares.jigo),
        Quantity::mean(Results, "margin", "margin before komi", POINTS, |games| {
            Cow::Borrowed(games.margins.histogram())
        }),
    ]
}

fn lengths() -> Vec<Quantity> {
    use Section::{Komi, Length};
    let mean = |name, title, unit, of: fn(&Measures) -> &Histogram| {
        Quantity::mean(Length, name, title, unit, move |games| Cow::Borrowed(of(games)))
    };
    vec![
        mean(PLIES, "length", "plies", |games| &games.plies)
            .on_front(Komi)
            .on_terminal(Terminal::Column("mean\nplies")),
        mean("passes", "passes", PER_GAME, |games| &games.passes),
        mean("neutral_points", "neutral points", PER_GAME, |games| &games.neutral),
        mean("black_stones_removed", "black stones removed", PER_GAME, |games| &games.captures.black),
        mean("white_stones_removed", "white stones removed", PER_GAME, |games| &games.captures.white),
    ]
}

/// Declares the quantities of superko events of one kind, given what games have at least one of and what the events are.
fn events(
    name: &str,
    [at_least_one, events]: [&str; 2],
    of: fn(&SuperkoCounts) -> &EventCounts,
    applies: fn(&RunConfig) -> bool,
) -> Vec<Quantity> {
    use Section::Superko;
    let games = |suffix: &str, cycle: &str, part: fn(&EventCounts) -> u64| {
        let title = format!("games in which {at_least_one}{cycle}");
        Quantity::share(Superko, &format!("{name}{suffix}"), &title, move |games, _| {
            (part(of(&games.superko)), games.games)
        })
    };
    let count = |suffix: &str, cycle: &str, part: fn(&EventCounts) -> u64| {
        let title = format!("{events}{cycle}");
        Quantity::count(Superko, &format!("{name}{suffix}"), &title, "all games", move |games| {
            part(of(&games.superko))
        })
    };
    let balanced = ", balanced cycle";
    let main = games("_games", "", |events| events.games);
    let main = match name {
        SUPERKO_REJECTED | REPETITIONS => {
            main.on_front(Superko).on_terminal(Terminal::WithInterval("superko\n% games"))
        }
        _ => main,
    };
    let all = vec![
        main,
        games("_balanced_games", balanced, |events| events.balanced_games),
        games("_unbalanced_games", ", unbalanced cycle", |events| events.unbalanced_games),
        Quantity::mean(Superko, name, events, PER_GAME, move |games| {
            Cow::Owned(with_zeros(&of(&games.superko).per_game, games.games))
        }),
        count("_events", "", |events| events.events),
        count("_balanced_events", balanced, EventCounts::balanced),
    ];
    all.into_iter().map(|quantity| quantity.when(applies)).collect()
}

/// Declares the quantities of the statuses in final positions.
fn statuses() -> Vec<Quantity> {
    use Section::Life;
    let positions = |name: &str, title: &str, count: fn(&Measures) -> u64| {
        Quantity::share(Life, name, title, move |games, _| (count(games), games.status.positions))
    };
    let solved = |table: StatusTable| (table.decided(), table.total());
    let mut all = Vec::new();
    for (status, title) in Status::ALL.into_iter().zip([
        "final positions with a living chain",
        "final positions with a chain in seki",
        "final positions with an unsettled chain",
        "final positions with a chain that depends on ko",
        "final positions with a dead chain",
        "final positions with an unsolved chain",
    ]) {
        let quantity = Quantity::share(Life, &format!("{status}_positions"), title, move |games, _| {
            (games.status.positions_with(status), games.status.positions)
        });
        all.push(match status {
            Status::Seki => quantity.on_front(Life).on_terminal(Terminal::Stacked("seki\n%")),
            Status::Dead => quantity.on_front(Life).on_terminal(Terminal::Column("dead\n%")),
            _ => quantity,
        });
    }
    all.extend([
        positions("solved_positions", "final positions with every chain solved", |games| {
            games.status.decided_positions
        })
        .on_front(Life),
        positions("benson_positions", "final positions solved by unconditional life alone", |games| {
            games.status.benson_positions
        }),
        Quantity::share(
            Life,
            "first_stone_survives",
            "games at whose end a black stone stands where Black played first",
            |games, _| (games.first_stone_survives, games.games),
        )
        .of_finished_only()
        .on_front(Life)
        .on_terminal(Terminal::Line("1st stone lives\n%")),
        Quantity::ratio(Life, "solved_chain_share", "chains solved", "share of chains", move |games, _| {
            let (solved, all) = solved(games.status.both().table);
            (solved.chains, all.chains)
        })
        .on_front(Life)
        .on_terminal(Terminal::Column("solved\n%")),
        Quantity::ratio(
            Life,
            "solved_stone_share",
            "stones of solved chains",
            "share of stones",
            move |games, _| {
                let (solved, all) = solved(games.status.both().table);
                (solved.stones, all.stones)
            },
        ),
        Quantity::ratio(
            Life,
            "territory_points_mean",
            "points of unconditional territory",
            PER_GAME,
            |games, _| (games.status.both().territory, games.status.positions),
        ),
        Quantity::new(
            Life,
            "dead_chain_stones",
            "stones of dead chains",
            "per chain",
            Rule::MeanOfChains(|games| &games.status.dead_sizes),
        ),
        Quantity::new(
            Life,
            "seki_chain_stones",
            "stones of chains in seki",
            "per chain",
            Rule::MeanOfChains(|games| &games.status.seki_sizes),
        ),
    ]);
    all.extend(Status::ALL.map(|status| {
        let (name, title) = (format!("{status}_stone_share"), format!("stones of chains that are {status}"));
        Quantity::ratio(Life, &name, &title, "share of stones", move |games, _| {
            let table = games.status.both().table;
            (table.of_status(status).stones, table.total().stones)
        })
    }));
    all
}

/// Declares what another way of counting changes.
fn shifts(name: &str, how: &str, of: fn(&Measures) -> &ShiftCounts) -> [Quantity; 3] {
    use Section::Life;
    [
        Quantity::mean(
            Life,
            &format!("{name}_margin_change"),
            &format!("change of the margin {how}"),
            POINTS,
            move |games| Cow::Owned(with_zeros(&of(games).changes, games.games)),
        ),
        Quantity::share(
            Life,
            &format!("{name}_changed_margins"),
            &format!("games with another margin {how}"),
            move |games, _| (of(games).changes.count(), games.games),
        ),
        Quantity::share(
            Life,
            &format!("{name}_changed_results"),
            &format!("games with another result {how}"),
            move |games, komi| (of(games).changed_results(komi), games.games),
        ),
    ]
}

/// The values of all games, of which the histogram leaves out those with 0.
fn with_zeros(histogram: &Histogram, games: u64) -> Histogram {
    let mut all = histogram.clone();
    all.add_many(0, games - all.count());
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_can_be_columns() {
        let names: BTreeSet<&str> = ALL.iter().map(|quantity| quantity.name.as_str()).collect();
        assert_eq!(names.len(), ALL.len());
        for name in &names {
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{name}");
        }
        for name in [FAIR_KOMI, BLACK_WINS, WHITE_WINS, JIGO, PLIES, SUPERKO_REJECTED, REPETITIONS] {
            assert!(names.contains(name), "{name}");
        }
        let labels: BTreeSet<String> = ALL.iter().map(Quantity::label).collect();
        assert_eq!(labels.len(), ALL.len());
    }
}
