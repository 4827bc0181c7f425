//! How the fair komi and other numbers change with the playouts of a search. Every output shows these numbers and computes none itself.

use jigo_engine::{
    BoardSize, Counting, Komi, Rules,
    rules::Tax,
    solve::{Evidence, KnownValue},
};
use jigo_selfplay::{
    Policy,
    search::{Uct, UctReward},
};
use serde::{Serialize, Serializer};

use super::{
    csv::{Row, numbers, or_empty, sheet},
    format::{cells, estimate_cells, fixed, group, or_dash, size_name},
    html::DataTable,
    quantities::{BLACK_WINS, PLIES, SEKI_POSITIONS, SUPERKO_REJECTED_GAMES},
    summary::{Rate, RunSummary, Value},
};
use crate::{
    Interval, RunConfig,
    stats::{ESTIMATE_METHOD, Estimate, KomiResult, LOGISTIC_METHOD, LogisticFit},
};

/// Name of the method of the interval where openings repeat.
const BOOTSTRAP_METHOD: &str = "interpolated median with bootstrap interval over openings";

/// Says where the numbers come from, a sentence a line.
pub(super) const NOTE: &str = "\
    Playouts: for each move of both players; at 0 they play the playouts' moves, without a search.\n\
    Interval: over openings of 4 plies, not games, where these are fewer than half as many.\n\
    Mode: the margin of most games, and their share.\n\
    Balanced komi: those at which neither side wins more than half of the games.\n\
    Different: openings and games that are not images of each other by symmetry.\n\
    Between perfect players: solved up to 5x5; on larger boards what strong programs agree on.\n";

/// The runs of one board, rule set and search, from few playouts to many.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Strength {
    /// What they have in common: the policy is that of the fewest playouts.
    pub(crate) setting: RunConfig,
    /// The fair komi between perfect players, as far as it is known.
    #[serde(serialize_with = "margin")]
    pub(crate) known: Option<KnownValue>,
    pub(crate) points: Vec<StrengthPoint>,
    /// Where games were played to win at several komi.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) by_wins: Vec<WinsPoint>,
}

/// The finished games with so many playouts for each move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct StrengthPoint {
    #[serde(skip)]
    config: RunConfig,
    /// 0 for the playouts themselves.
    pub(crate) playouts: u32,
    pub(crate) games: u64,
    pub(crate) stopped_games: Rate,
    /// Nothing where there are too few games.
    pub(crate) fair_komi: Option<Estimate>,
    method: &'static str,
    /// At these komi neither side wins more than half of the games.
    balanced: Option<Interval<i32>>,
    /// The margin of most games.
    mode: Option<i32>,
    mode_games: Rate,
    /// At the komi of the report.
    pub(crate) black_wins: Option<Rate>,
    pub(crate) superko_rejected_games: Option<Rate>,
    pub(crate) seki_positions: Option<Rate>,
    pub(crate) plies: Option<Estimate>,
    /// Nothing where they were not counted.
    different_openings: Option<usize>,
    different_games: Option<usize>,
}

/// The fair komi by the results of games that were played to win at several komi.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct WinsPoint {
    #[serde(skip)]
    config: RunConfig,
    playouts: u32,
    results: Vec<KomiResult>,
    fit: Option<LogisticFit>,
}

/// Returns the komi between perfect players, as far as it is known. With area counting and no tax it is the margin of best play. With territory counting
/// it is believed to be one point less, except on the smallest boards.
pub(super) fn known_komi(size: BoardSize, rules: Rules) -> Option<KnownValue> {
    let area = KnownValue::new(size, rules.ko)?;
    match (rules.counting, rules.tax) {
        (Counting::Area, Tax::None) => Some(area),
        (Counting::Territory, Tax::None | Tax::Seki) if size.is_square() && size.width() >= 5 => {
            Some(KnownValue { margin: area.margin - 1, evidence: Evidence::Believed })
        }
        _ => None,
    }
}

/// Writes how large a known komi is, without how it is known.
fn margin<S: Serializer>(known: &Option<KnownValue>, serializer: S) -> Result<S::Ok, S::Error> {
    known.map(|known| known.margin).serialize(serializer)
}

/// Returns a known komi with what is known of it, as the end of a sentence.
pub(super) fn known_in_words(known: KnownValue) -> String {
    let evidence = match known.evidence {
        Evidence::Proved => "which is proved",
        Evidence::Believed => "as far as is known",
    };
    format!("{}, {evidence}", known.margin)
}

/// Returns what runs of one curve have in common: the configuration with one playout and without the komi that is played for; and that komi. Nothing for
/// policies that do not search.
fn setting(config: &RunConfig) -> Option<(RunConfig, Uct, Option<Komi>)> {
    let Policy::Uct(uct) = config.policy else { return None };
    let (reward, komi) = match uct.reward {
        UctReward::Win(Some(komi)) => (UctReward::Margin, Some(komi)),
        reward => (reward, None),
    };
    Some((RunConfig { policy: Uct { playouts: 1, reward, ..uct }.into(), ..*config }, uct, komi))
}

/// Returns one for each board, rule set and search of which there are several numbers of playouts, or several komi, in order of appearance.
pub(super) fn strengths(runs: &[RunSummary<'_>]) -> Vec<Strength> {
    let mut found: Vec<Strength> = Vec::new();
    for run in runs {
        let Some((setting, uct, komi)) = setting(&run.config) else { continue };
        let index = found.iter().position(|strength| strength.setting == setting).unwrap_or_else(|| {
            let known = known_komi(setting.size, *setting.rules);
            found.push(Strength { setting, known, points: Vec::new(), by_wins: Vec::new() });
            found.len() - 1
        });
        match komi {
            None => found[index].points.push(StrengthPoint::new(uct.playouts, run)),
            Some(komi) => {
                let shares = run.finished.counts.margins.shares(komi);
                let wins = shares.black as f64 + shares.jigo as f64 / 2.0;
                let result = KomiResult { komi: komi.to_f64(), games: shares.games() as f64, wins };
                found[index].add_result(uct.playouts, run.config, result);
            }
        }
    }
    found.retain(|strength| {
        strength.points.len() > 1 || strength.by_wins.iter().any(|one| one.results.len() > 1)
    });
    for strength in &mut found {
        let playouts = RunConfig { policy: strength.setting.policy.playout().into(), ..strength.setting };
        let bare = runs.iter().find(|run| run.config == playouts);
        strength.points.extend(bare.map(|run| StrengthPoint::new(0, run)));
        strength.points.sort_by_key(|point| point.playouts);
        strength.by_wins.sort_by_key(|point| point.playouts);
        for point in &mut strength.by_wins {
            point.fit = LogisticFit::new(&point.results);
        }
    }
    found
}

impl StrengthPoint {
    fn new(playouts: u32, run: &RunSummary<'_>) -> Self {
        let counts = run.finished.counts;
        let fair = run.finished.fair_komi();
        let openings = (playouts > 0).then_some(&counts.openings);
        let different_openings = openings.and_then(|openings| openings.count());
        let repeats = different_openings.is_some_and(|count| 2 * (count as u64) < counts.games);
        let over_openings = openings.filter(|_| repeats).and_then(|openings| openings.bootstrap_interval());
        let mode = counts.margins.histogram().iter().max_by_key(|&(margin, games)| (games, margin));
        Self {
            config: run.config,
            playouts,
            games: counts.games,
            stopped_games: run.stopped_games,
            fair_komi: fair.map(|fair| Estimate {
                interval: over_openings.unwrap_or(fair.estimate.interval),
                ..fair.estimate
            }),
            method: if over_openings.is_some() { BOOTSTRAP_METHOD } else { ESTIMATE_METHOD },
            balanced: fair.map(|fair| fair.median),
            mode: mode.map(|(margin, _)| margin),
            mode_games: Rate::new(mode.map_or(0, |(_, games)| games), counts.games),
            black_wins: run.finished.rate(BLACK_WINS),
            superko_rejected_games: run.finished.rate(SUPERKO_REJECTED_GAMES),
            seki_positions: run.finished.rate(SEKI_POSITIONS),
            plies: run.finished.value(PLIES).and_then(Value::estimate),
            different_openings,
            different_games: openings.and_then(|openings| openings.different_games()),
        }
    }

    /// The wins, the games with superko and the positions with seki, each as a share.
    fn shares(&self) -> [Option<f64>; 3] {
        [self.black_wins, self.superko_rejected_games, self.seki_positions]
            .map(|rate| rate.and_then(|rate| rate.share))
    }
}

impl Strength {
    fn add_result(&mut self, playouts: u32, config: RunConfig, result: KomiResult) {
        match self.by_wins.iter_mut().find(|point| point.playouts == playouts) {
            Some(point) => point.results.push(result),
            None => self.by_wins.push(WinsPoint { config, playouts, results: vec![result], fit: None }),
        }
    }

    /// Names the board, and the rules and options where other searches on it have others.
    pub(crate) fn name(&self, among: &[Self]) -> String {
        let size = size_name(&self.setting);
        let on_board = || among.iter().filter(|other| other.setting.size == self.setting.size);
        match on_board().count() {
            1 => size,
            _ if on_board().all(|other| other.setting.policy == self.setting.policy) => {
                format!("{size}, {}", self.setting.rules)
            }
            _ => format!("{size}, {}", self.search()),
        }
    }

    /// Names the rules and the search without its playouts.
    pub(crate) fn search(&self) -> String {
        let policy = self.setting.policy.to_string();
        let options = policy.split_once(',').map_or(String::new(), |(_, options)| format!(", {options}"));
        format!("{}, uct{options}", self.setting.rules)
    }

    /// So many columns of the tables are for terminals.
    pub(super) const NARROW: usize = 9;

    pub(super) fn tables(&self) -> Vec<DataTable> {
        let headings = [
            "playouts",
            "games",
            "fair komi",
            "95 % interval",
            "mode",
            "mode, %",
            "superko, %",
            "seki, %",
            "plies",
            "balanced komi",
            "Black wins, %",
            "stopped, %",
            "different openings",
            "different games",
        ];
        let mut table = DataTable::new(0, headings);
        for point in &self.points {
            let [estimate, interval] = estimate_cells(point.fair_komi);
            let balanced = point.balanced.map(|Interval { lower, upper }| {
                if lower == upper { lower.to_string() } else { format!("{lower} to {upper}") }
            });
            let rate = |rate: Option<f64>| or_dash(rate.map(|share| fixed(100.0 * share, 1)));
            let [black, superko, seki] = point.shares().map(rate);
            table.push(cells![
                group(point.playouts),
                group(point.games),
                estimate,
                interval,
                or_dash(point.mode),
                rate(point.mode_games.share),
                superko,
                seki,
                or_dash(point.plies.map(|plies| fixed(plies.estimate, 1))),
                or_dash(balanced),
                black,
                rate(point.stopped_games.share),
                or_dash(point.different_openings.map(group)),
                or_dash(point.different_games.map(group))
            ]);
        }
        let known = self.known.map_or_else(String::new, |known| {
            format!("Between perfect players it is {}.", known_in_words(known))
        });
        let mut tables = vec![table.titled("By playouts for each move", known)];
        if !self.by_wins.is_empty() {
            let headings = [
                "playouts",
                "komi played for",
                "games",
                "fair komi, points",
                "95 % interval",
                "wins pass one half",
            ];
            let mut table = DataTable::new(0, headings);
            for point in &self.by_wins {
                let [estimate, interval] = estimate_cells(point.fit.map(|fit| fit.fair_komi));
                let komi: Vec<String> = point.results.iter().map(|result| result.komi.to_string()).collect();
                let games: f64 = point.results.iter().map(|result| result.games).sum();
                let isotonic = point.fit.and_then(|fit| fit.isotonic);
                table.push(cells![
                    group(point.playouts),
                    komi.join(", "),
                    group(games as u64),
                    estimate,
                    interval,
                    or_dash(isotonic.map(|at| format!("{} to {}", at.lower, at.upper)))
                ]);
            }
            tables.push(table.titled("Games played to win", format!("By {LOGISTIC_METHOD}.")));
        }
        tables
    }
}

const COLUMNS: &str = "playouts,games,fair_komi,lower_95,upper_95,balanced_lower,balanced_upper,mode,mode_games,black_wins,\
                       superko_games,seki_positions,plies,stopped_games,different_openings,different_games,known,method";

/// Writes one row for each number of playouts, and for each estimate from games that were played to win.
pub(super) fn csv(strengths: &[Strength]) -> Vec<u8> {
    sheet(COLUMNS, strengths.iter().flat_map(rows))
}

fn rows(strength: &Strength) -> Vec<(&RunConfig, Row)> {
    let known = || or_empty(strength.known.map(|known| known.margin));
    let mut rows = Vec::new();
    for point in &strength.points {
        let balanced = [point.balanced.map(|at| at.lower), point.balanced.map(|at| at.upper)].map(or_empty);
        let [black, superko, seki] = point.shares().map(or_empty);
        let rest = cells![
            or_empty(point.mode),
            point.mode_games.count,
            black,
            superko,
            seki,
            or_empty(point.plies.map(|plies| plies.estimate)),
            point.stopped_games.count,
            or_empty(point.different_openings),
            or_empty(point.different_games),
            known(),
            point.method
        ];
        let first = cells![point.playouts, point.games];
        rows.push((&point.config, [first, numbers(point.fair_komi), balanced.to_vec(), rest].concat()));
    }
    for point in &strength.by_wins {
        let games: f64 = point.results.iter().map(|result| result.games).sum();
        let empty = vec![String::new(); 11];
        let first = cells![point.playouts, games];
        let fit = numbers(point.fit.map(|fit| fit.fair_komi));
        rows.push((&point.config, [first, fit, empty, cells![known(), LOGISTIC_METHOD]].concat()));
    }
    rows
}

#[cfg(test)]
mod tests {
    use jigo_engine::rules::KomiChoice;
    use jigo_selfplay::Run;

    use super::*;
    use crate::RunStats;

    fn run(size: &str, policy: &str, margins: &[i32]) -> RunStats {
        let mut run = RunStats::new(Run::new(size, "tromp-taylor", policy).unwrap().config);
        run.finished.games = margins.len() as u64;
        run.finished.margins = margins.iter().copied().collect();
        run
    }

    fn of(runs: &[RunStats]) -> Vec<Strength> {
        let runs: Vec<RunSummary<'_>> =
            runs.iter().map(|run| RunSummary::new(run, KomiChoice::Rules)).collect();
        strengths(&runs)
    }

    #[test]
    fn the_komi_of_perfect_play_says_how_it_is_known() {
        let words =
            |rules: &str| known_komi("5".parse().unwrap(), rules.parse().unwrap()).map(known_in_words);
        assert_eq!(words("tromp-taylor").as_deref(), Some("25, which is proved"));
        assert_eq!(words("japanese").as_deref(), Some("24, as far as is known"));
        assert_eq!(words("area+positional-superko+group-tax"), None);
    }

    /// Runs belong together that differ in their playouts alone, and the playouts by themselves come first.
    #[test]
    fn runs_are_in_order_of_their_playouts() {
        let margins = [[5; 60].as_slice(), &[9; 50]].concat();
        let policies =
            ["uct:playouts=1000", "uct:playouts=30", "uct:playouts=30,rave=off", "guarded:k=2", "eye-safe"];
        let mut runs: Vec<RunStats> = policies.iter().map(|policy| run("7", policy, &margins)).collect();
        runs.push(run("6", "uct:playouts=30", &margins));
        let [strength] = &of(&runs)[..] else { panic!("one search has several numbers of playouts") };
        let playouts: Vec<u32> = strength.points.iter().map(|point| point.playouts).collect();
        assert_eq!(
            (playouts, strength.known.map(known_in_words)),
            (vec![0, 30, 1000], Some("9, as far as is known".to_owned()))
        );
        let point = &strength.points[1];
        assert_eq!((point.mode, point.mode_games.count), (Some(5), 60));
        assert_eq!(point.balanced, Some(Interval { lower: 5, upper: 5 }));
        assert_eq!(strength.tables()[0].rows.len(), 3);
    }

    #[test]
    fn games_to_win_are_fitted_together() {
        let runs: Vec<RunStats> = [(5, 70), (6, 55), (7, 40)]
            .iter()
            .map(|&(komi, wins)| {
                let policy = format!("uct:playouts=100,reward=win,komi={komi}.5");
                let margins = [vec![komi + 1; 2 * wins], vec![komi; 200 - 2 * wins]].concat();
                run("9", &policy, &margins)
            })
            .collect();
        let [strength] = &of(&runs)[..] else { panic!("one search") };
        let fit = strength.by_wins[0].fit.unwrap();
        assert!((fit.fair_komi.estimate - 6.85).abs() < 0.1, "{fit:?}");
        assert_eq!(fit.isotonic, Some(Interval { lower: 6.5, upper: 7.5 }));
        assert!(of(&runs[..1]).is_empty());
    }

    /// Where openings repeat, the interval is that over openings.
    #[test]
    fn repeated_openings_widen_the_interval() {
        let run = |playouts: u32| {
            let config = Run::new("5", "tromp-taylor", &format!("uct:playouts={playouts}")).unwrap();
            RunStats::play(&config, 0..120, &jigo_selfplay::Progress::new()).unwrap()
        };
        let [strength] = &of(&[run(1), run(2)])[..] else { panic!("one search") };
        for point in &strength.points {
            let openings = point.different_openings.unwrap() as u64;
            assert_eq!(point.method == BOOTSTRAP_METHOD, 2 * openings < point.games, "{point:?}");
        }
    }
}
