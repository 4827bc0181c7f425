//! The quantities of a report, each declared once.
//!
//! Every output is a loop over [`ALL`]: the table and the lines for a terminal, `summary.csv`, `summary.json`, the page, and the differences between
//! two runs. A new statistic is a counter in [`Measures`] and one entry in [`declared`].

use std::sync::LazyLock;

use jigo_engine::{Ko, Komi, life::Status};
use jigo_selfplay::policy::PlayoutPolicy;

use crate::{
    Histogram, MarginCounts, Proportion, RunConfig,
    stats::{Shares, Spread},
    study::{EventCounts, GameSum, GroupTotals, Measures, ShiftCounts, SideStatus, SuperkoCounts},
};

use Rule::{Mean, Ratio, Share};

/// All quantities in the order of every output.
pub(crate) static ALL: LazyLock<Vec<Quantity>> = LazyLock::new(declared);

/// The names of quantities that some outputs show in a way of their own.
pub(crate) const FAIR_KOMI: &str = "fair_komi";
pub(crate) const FAIR_KOMI_ALL_ALIVE: &str = "fair_komi_all_alive";
pub(crate) const BLACK_WINS: &str = "black_wins";
pub(crate) const WHITE_WINS: &str = "white_wins";
pub(crate) const JIGO: &str = "jigo";
pub(crate) const PLIES: &str = "plies";
pub(crate) const SUPERKO_REJECTED: &str = "superko_rejected";
pub(crate) const SUPERKO_REJECTED_GAMES: &str = "superko_rejected_games";
pub(crate) const SEKI_POSITIONS: &str = "seki_positions";
pub(crate) const REPETITIONS: &str = "repetitions";
pub(crate) const FORBIDDEN: &str = "forbidden_candidates";

/// The unit of shares, which people see in per cent.
pub(crate) const SHARE: &str = "share of games";
const POINTS: &str = "points";
const PER_GAME: &str = "per game";
const STONE_SHARE: &str = "share of stones";

/// One statistic: what it is called, how it follows from the counters, when it applies and where it is shown.
pub(crate) struct Quantity {
    /// The name in JSON, and the start of its column names in CSV files.
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) unit: &'static str,
    pub(crate) rule: Rule,
    /// How its estimate follows from some of the groups of games; nothing where these do not count it, so that runs are compared as if they
    /// were independent.
    pub(crate) in_groups: Option<InGroups>,
    /// Says why it is not counted in games of a run; nothing where it is.
    pub(crate) not_counted: fn(&RunConfig) -> Option<&'static str>,
    /// Says why games of a run at this komi do not have it. Where none has, outputs say that instead of a zero that looks measured.
    pub(crate) impossible: fn(&RunConfig, Komi) -> Option<&'static str>,
    /// Whether it can differ from the quantity that it is a variant of; where it cannot, outputs leave it out.
    pub(crate) differs: fn(&Measures) -> bool,
    /// Whether it is also reported of games that were stopped at the move limit.
    pub(crate) of_stopped: bool,
    /// The part of a run's section on the page that shows it.
    pub(crate) section: Section,
    /// The question on the front of the page that it answers.
    pub(crate) front: Option<Section>,
    pub(crate) terminal: Terminal,
}

/// Takes something from the counters, at the komi of the report.
type Of<T> = Box<dyn Fn(&Measures, Komi) -> T + Send + Sync>;

/// Takes an estimate from some of the groups of games, at the komi of the report; nothing without games.
type InGroups = Box<dyn Fn(&GroupTotals, Komi) -> Option<f64> + Send + Sync>;

/// How a quantity follows from the counters.
pub(crate) enum Rule {
    /// The komi at which Black and White win equally often, by these margins.
    FairKomi(fn(&Measures) -> &MarginCounts),
    /// How many of the games have it, and how many there are, with an exact interval.
    Share(Of<(u64, u64)>),
    /// The mean over games, with its standard error; nothing without games.
    Mean(Of<Option<Spread>>),
    /// The mean over chains, without a standard error because the chains of one game are not independent.
    MeanOfChains(Of<Option<Spread>>),
    /// One sum divided by another, without an interval because the parts of one game are not independent.
    Ratio(Of<(u64, u64)>),
    Count(Of<u64>),
}

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
    fn new(
        section: Section,
        name: impl Into<String>,
        title: impl Into<String>,
        unit: &'static str,
        rule: Rule,
    ) -> Self {
        Self {
            name: name.into(),
            title: title.into(),
            unit,
            rule,
            in_groups: None,
            not_counted: |_| None,
            impossible: |_, _| None,
            differs: |_| true,
            of_stopped: true,
            section,
            front: None,
            terminal: Terminal::Hidden,
        }
    }

    fn in_groups(self, estimate: impl Fn(&GroupTotals, Komi) -> Option<f64> + Send + Sync + 'static) -> Self {
        Self { in_groups: Some(Box::new(estimate)), ..self }
    }

    /// Says that it is the mean of this number of every game.
    fn mean_of(self, sum: GameSum) -> Self {
        self.in_groups(move |games, _| games.mean(sum))
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
        matches!(self.rule, Rule::FairKomi(_) | Rule::Share(_) | Rule::Mean(_))
    }

    pub(crate) fn label(&self) -> String {
        label(&self.title, self.unit)
    }
}

/// A title with its unit, which is per cent for shares.
pub(crate) fn label(title: &str, unit: &str) -> String {
    format!("{title}, {}", if unit.starts_with("share") { "%" } else { unit })
}

fn declared() -> Vec<Quantity> {
    let mut all = results();
    all.extend(lengths());
    all.extend(events(
        SUPERKO_REJECTED,
        ["superko rejected at least one move", "moves rejected by superko"],
        |superko| &superko.rejected,
        [GameSum::RejectedGames, GameSum::Rejected],
        |run| (!run.rules.ko.is_superko()).then_some("only superko rejects moves"),
    ));
    all.extend(events(
        REPETITIONS,
        ["a position repeated", "moves that repeated a position"],
        |superko| &superko.repetitions,
        [GameSum::RepetitionGames, GameSum::Repetitions],
        |run| {
            let is_forbidden = run.rules.ko == Ko::PositionalSuperko;
            is_forbidden.then_some("positional superko lets no position repeat")
        },
    ));
    all.extend(events(
        FORBIDDEN,
        ["superko forbade at least one candidate", "candidates forbidden by superko"],
        |superko| &superko.forbidden_candidates,
        [GameSum::ForbiddenGames, GameSum::Forbidden],
        |run| {
            let is_counted = run.count_forbidden && run.rules.ko.is_superko();
            (!is_counted).then_some("counted under superko with --forbidden-candidates")
        },
    ));
    all.extend(positions());
    all.extend(chains());
    all.extend(shifts("without_dead", "with dead chains removed", |games| &games.status.dead));
    all.extend(shifts("without_seki_points", "with points in seki not counted", |games| &games.status.seki));
    all.extend(results_all_alive());
    all
}

/// Says why all chains are alive at the end of games by a policy, but for rare exceptions.
///
/// # Source
/// Where nothing is left to a player but eye-like points, and ko and superko reject no other, every empty point is surrounded by stones of one
/// colour, and every chain has two of them: Benson's theorem.
fn all_alive(run: &RunConfig, _: Komi) -> Option<&'static str> {
    let fills = matches!(run.policy.playout(), PlayoutPolicy::EyeSafe { .. });
    fills.then_some("eye-safe plays until all chains are alive, unless ko or superko rejects its last moves")
}

/// Declares who wins: after the stones that are proved dead are removed, as the outputs show everything that follows from the margin.
fn results() -> Vec<Quantity> {
    use Terminal::{Column, WithInterval};
    let [fair_komi, black_wins, white_wins, jigo, margin] = results_by(["", ""], |games| &games.margins);
    let share = |quantity: Quantity, part: fn(&Shares) -> Proportion| {
        quantity.in_groups(move |games, komi| part(&games.margins.shares(komi)).estimate())
    };
    let median = |games: &GroupTotals, _| Some(games.margins.histogram().interpolated_median()?.estimate);
    vec![
        fair_komi.in_groups(median).on_front(Section::Komi).on_terminal(WithInterval("fair komi\npoints")),
        share(black_wins, Shares::black_wins).on_front(Section::Results).on_terminal(Column("Black\n%")),
        share(white_wins, Shares::white_wins).on_front(Section::Results).on_terminal(Column("White\n%")),
        share(jigo, Shares::draws).on_front(Section::Results).on_terminal(Column("jigo\n%")),
        margin.in_groups(|games, _| Some(games.margins.histogram().spread()?.mean)),
    ]
}

/// Declares who wins if all stones are taken to be alive, where that makes a difference.
fn results_all_alive() -> Vec<Quantity> {
    let all = results_by(["_all_alive", ", all stones counted as alive"], |games| &games.margins_all_alive);
    all.map(|quantity| Quantity { differs: |games| games.status.dead.changes.count() > 0, ..quantity }).into()
}

/// Declares who wins by these margins, whose names and titles end alike.
fn results_by([name_end, title_end]: [&str; 2], of: fn(&Measures) -> &MarginCounts) -> [Quantity; 5] {
    use Section::{Komi, Results};
    let new = |section, name: &str, title: &str, unit, rule| {
        Quantity::new(section, format!("{name}{name_end}"), format!("{title}{title_end}"), unit, rule)
            .of_finished_only()
    };
    let share = |name, title, part: fn(Shares) -> u64| {
        let rule = Share(Box::new(move |games, komi| {
            let shares = of(games).shares(komi);
            (part(shares), shares.games())
        }));
        new(Results, name, title, SHARE, rule)
    };
    let margin = Mean(Box::new(move |games, _| of(games).histogram().spread()));
    [
        new(Komi, FAIR_KOMI, "fair komi", POINTS, Rule::FairKomi(of)),
        share(BLACK_WINS, "Black wins", |shares| shares.black),
        share(WHITE_WINS, "White wins", |shares| shares.white),
        Quantity {
            impossible: |_, komi| (!komi.is_whole()).then_some("no game is tied at a half-integer komi"),
            ..share(JIGO, "jigo", |shares| shares.jigo)
        },
        Quantity { of_stopped: true, ..new(Results, "margin", "margin before komi", POINTS, margin) },
    ]
}

fn lengths() -> Vec<Quantity> {
    use Section::{Komi, Length};
    let mean = |name, title, unit, sum, of: fn(&Measures) -> &Histogram| {
        let rule = Mean(Box::new(move |games, _| of(games).spread()));
        Quantity::new(Length, name, title, unit, rule).mean_of(sum)
    };
    vec![
        mean(PLIES, "length", "plies", GameSum::Plies, |games| &games.plies)
            .on_front(Komi)
            .on_terminal(Terminal::Column("mean\nplies")),
        mean("passes", "passes", PER_GAME, GameSum::Passes, |games| &games.passes),
        mean("neutral_points", "neutral points", PER_GAME, GameSum::Neutral, |games| &games.neutral),
        mean("black_stones_removed", "black stones removed", PER_GAME, GameSum::BlackRemoved, |games| {
            &games.captures.black
        }),
        mean("white_stones_removed", "white stones removed", PER_GAME, GameSum::WhiteRemoved, |games| {
            &games.captures.white
        }),
    ]
}

/// Declares the quantities of superko events of one kind, given what games have at least one of and what the events are.
fn events(
    name: &str,
    [at_least_one, events]: [&str; 2],
    of: fn(&SuperkoCounts) -> &EventCounts,
    [games_sum, events_sum]: [GameSum; 2],
    not_counted: fn(&RunConfig) -> Option<&'static str>,
) -> Vec<Quantity> {
    use Section::Superko;
    let games = |suffix: &str, cycle: &str, part: fn(&EventCounts) -> u64| {
        let title = format!("games in which {at_least_one}{cycle}");
        let rule = Share(Box::new(move |games, _| (part(of(&games.superko)), games.games)));
        Quantity::new(Superko, format!("{name}{suffix}"), title, SHARE, rule)
    };
    let count = |suffix: &str, cycle: &str, part: fn(&EventCounts) -> u64| {
        let rule = Rule::Count(Box::new(move |games, _| part(of(&games.superko))));
        Quantity::new(Superko, format!("{name}{suffix}"), format!("{events}{cycle}"), "all games", rule)
    };
    let per_game =
        Mean(Box::new(move |games, _| of(&games.superko).per_game.with_zeros(games.games).spread()));
    let balanced = ", balanced cycle";
    let mut all = vec![
        games("_games", "", |events| events.games).mean_of(games_sum),
        games("_balanced_games", balanced, |events| events.balanced_games),
        games("_unbalanced_games", ", unbalanced cycle", |events| events.unbalanced_games),
        Quantity::new(Superko, name, events, PER_GAME, per_game).mean_of(events_sum),
        count("_events", "", |events| events.events),
        count("_balanced_events", balanced, EventCounts::balanced),
    ];
    if name != FORBIDDEN {
        all[0].front = Some(Superko);
        all[0].terminal = Terminal::WithInterval("superko\n% games");
    }
    all.into_iter().map(|quantity| Quantity { not_counted, ..quantity }).collect()
}

/// Declares the shares of final positions.
fn positions() -> Vec<Quantity> {
    use Section::Life;
    use Terminal::{Column, Line, Stacked};
    let with = |status: Status, title| {
        let rule =
            Share(Box::new(move |games, _| (games.status.positions_with(status), games.status.positions)));
        let impossible = if status == Status::Alive { |_: &_, _| None } else { all_alive };
        Quantity { impossible, ..Quantity::new(Life, format!("{status}_positions"), title, SHARE, rule) }
    };
    let share = |name, title, of: fn(&Measures) -> (u64, u64)| {
        Quantity::new(Life, name, title, SHARE, Share(Box::new(move |games, _| of(games))))
    };
    vec![
        with(Status::Alive, "final positions with a living chain"),
        with(Status::Seki, "final positions with a chain in seki")
            .mean_of(GameSum::Seki)
            .on_front(Life)
            .on_terminal(Stacked("seki\n%")),
        with(Status::Unsettled, "final positions with an unsettled chain"),
        with(Status::Ko, "final positions with a chain that depends on ko"),
        with(Status::Dead, "final positions with a dead chain")
            .mean_of(GameSum::Dead)
            .on_front(Life)
            .on_terminal(Column("dead\n%")),
        with(Status::Unknown, "final positions with an unsolved chain").mean_of(GameSum::Unknown),
        share("solved_positions", "final positions with every chain solved", |games| {
            (games.status.decided_positions, games.status.positions)
        })
        .in_groups(|games, _| Some(1.0 - games.mean(GameSum::Unknown)?))
        .on_front(Life),
        share("benson_positions", "final positions solved by unconditional life alone", |games| {
            (games.status.benson_positions, games.status.positions)
        }),
        Quantity {
            not_counted: |run| (!run.black_begins()).then_some("White plays first"),
            ..share(
                "first_stone_survives",
                "games at whose end a black stone stands where Black played first",
                |games| (games.first_stone_survives, games.games),
            )
        }
        .mean_of(GameSum::FirstStoneSurvives)
        .of_finished_only()
        .on_front(Life)
        .on_terminal(Line("1st stone lives\n%")),
    ]
}

/// Declares the quantities of the chains in final positions.
fn chains() -> Vec<Quantity> {
    use Section::Life;
    let ratio = |name, title, unit, of: fn(&SideStatus) -> (u64, u64)| {
        Quantity::new(Life, name, title, unit, Ratio(Box::new(move |games, _| of(&games.status.both()))))
    };
    let mean = |name, title, of: fn(&Measures) -> &Histogram| {
        let rule = Rule::MeanOfChains(Box::new(move |games, _| of(games).spread()));
        Quantity::new(Life, name, title, "per chain", rule)
    };
    let (name, title) = ("territory_points_mean", "points of unconditional territory");
    let territory = Ratio(Box::new(|games, _| (games.status.both().territory, games.status.positions)));
    let mut all = vec![
        ratio("solved_chain_share", "chains solved", "share of chains", |SideStatus { table, .. }| {
            (table.decided().chains, table.total().chains)
        })
        .on_front(Life)
        .on_terminal(Terminal::Column("solved\n%")),
        ratio(
            "solved_stone_share",
            "stones of solved chains",
            STONE_SHARE,
            |SideStatus { table, .. }| (table.decided().stones, table.total().stones),
        ),
        Quantity::new(Life, name, title, PER_GAME, territory),
        mean("dead_chain_stones", "stones of dead chains", |games| &games.status.dead_sizes),
        mean("seki_chain_stones", "stones of chains in seki", |games| &games.status.seki_sizes),
    ];
    all.extend(Status::ALL.map(|status| {
        let rule = Ratio(Box::new(move |games, _| {
            let table = games.status.both().table;
            (table.by_status(status).stones, table.total().stones)
        }));
        let title = format!("stones of chains that are {status}");
        Quantity::new(Life, format!("{status}_stone_share"), title, STONE_SHARE, rule)
    }));
    all
}

/// Declares what another way of counting changes.
fn shifts(name: &str, how: &str, of: fn(&Measures) -> &ShiftCounts) -> [Quantity; 3] {
    let change = Mean(Box::new(move |games, _| of(games).changes.with_zeros(games.games).spread()));
    let margins = Share(Box::new(move |games, _| (of(games).changes.count(), games.games)));
    let results = Share(Box::new(move |games, komi| (of(games).changed_results(komi), games.games)));
    [
        ("margin_change", "change of the margin", POINTS, change),
        ("changed_margins", "games with another margin", SHARE, margins),
        ("changed_results", "games with another result", SHARE, results),
    ]
    .map(|(what, title, unit, rule)| {
        let (name, title) = (format!("{name}_{what}"), format!("{title} {how}"));
        Quantity { impossible: all_alive, ..Quantity::new(Section::Life, name, title, unit, rule) }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use jigo_selfplay::Run;

    use super::*;
    use crate::{report::summary::RunSummary, study::Measure as _};

    /// What the groups say together is the estimate from all games.
    #[test]
    fn groups_give_the_same_estimates() {
        let run = Run::new("5", "situational-superko", "guarded:k=2").unwrap().count_forbidden();
        let stats = run.measure(0..3000).unwrap();
        let komi = Komi::from_points(1);
        let summary = RunSummary::at_komi(&stats, komi);
        let totals = stats.finished.groups.totals(|_| true);
        let mut compared = 0;
        for (quantity, value) in summary.finished.iter() {
            let (Some(in_groups), Some(value)) = (&quantity.in_groups, value) else { continue };
            let [found, expected] =
                [in_groups(&totals, komi), value.estimate().map(|value| value.estimate)].map(Option::unwrap);
            assert!((found - expected).abs() < 1e-9 && expected != 0.0, "{}: {found}", quantity.name);
            compared += 1;
        }
        assert_eq!(compared, ALL.iter().filter(|quantity| quantity.in_groups.is_some()).count());
    }

    #[test]
    fn names_are_unique_and_can_be_columns() {
        let names: BTreeSet<&str> = ALL.iter().map(|quantity| quantity.name.as_str()).collect();
        assert_eq!(names.len(), ALL.len());
        for name in &names {
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{name}");
        }
        for name in [
            FAIR_KOMI,
            FAIR_KOMI_ALL_ALIVE,
            BLACK_WINS,
            WHITE_WINS,
            JIGO,
            PLIES,
            SUPERKO_REJECTED,
            REPETITIONS,
        ] {
            assert!(names.contains(name), "{name}");
        }
        let labels: BTreeSet<String> = ALL.iter().map(Quantity::label).collect();
        assert_eq!(labels.len(), ALL.len());
    }
}
