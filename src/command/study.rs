//! `jigo study`: plays games in memory, measures them and writes a report.

use std::{
    fmt::Write as _,
    ops::Range,
    time::{Duration, Instant},
};

use anyhow::bail;
use clap::Args;
use jigo_analysis::{
    RunConfig, Study,
    report::{ReportFolder, ReportMeta, add_report, read_study},
    rules::Comparison,
    stats::MIN_GAMES,
};
use jigo_engine::{
    BoardSize, Ko, RuleSet, Rules,
    count::{SekiCensus, SekiForm, seki_census},
    life::SekiKind,
    rules::Handicap,
};
use jigo_selfplay::{Policy, dataset, policy::PlayoutPolicy};
use serde_json::{Value, json};

use super::merge::MAX_REPORT_BYTES;
use crate::{
    args::{self, PlayoutArgs, Policies, ReportArgs, RuleSets, unique},
    output::{Failure, group, print, print_json, print_study, publish, quantity, report_meta, warn},
    progress::{self, Part},
};

#[derive(Args, Debug)]
pub(crate) struct StudyArgs {
    /// Board sizes: 9, 9x13, or a list such as 5,7,9.
    #[arg(short, long, value_name = "SIZES", value_delimiter = ',', default_value = "5,7,9,13,19", value_parser = args::suggesting::<BoardSize>())]
    size: Vec<BoardSize>,

    /// Rule sets: names, or values joined with +, in a list, or `lattice` for every combination of values; of those that
    /// differ only in where handicap stones go, one is played unless --handicap is given. Several rule sets are compared
    /// game by game.
    #[arg(short, long, value_name = "RULES", default_value = args::DEFAULT_RULES, value_parser = args::suggesting::<RuleSets>())]
    rules: Vec<RuleSets>,

    #[arg(short, long, value_name = "POLICIES", value_parser = args::suggesting::<Policies>())]
    #[arg(help = format!("Playout policies in a list: {} [default: eye-safe; without --games also guarded:k=3, and short searches]", Policy::SYNTAX))]
    policy: Vec<Policies>,

    /// Handicap stones: 0, or 2 and more, in a list. They go where the rule set puts them: on star points, or where the policy plays them.
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "0", value_parser = args::handicap())]
    handicap: Vec<u32>,

    /// Games for each combination of size, rules, policy and handicap, as in 10k or 1e6 [default: depends on the size and the policy; the whole
    /// study takes about a minute].
    #[arg(short = 'n', long, value_name = "N", value_parser = args::game_count)]
    games: Option<u64>,

    /// Play only part I of N (I from 0); `jigo merge` joins the reports of the parts. In an array of N jobs, `auto/N` takes I from the
    /// environment variables of Slurm, Kubernetes or AWS Batch.
    #[arg(long, value_name = "I/N", allow_hyphen_values = true, value_parser = args::part)]
    shard: Option<dataset::Part>,

    /// Instead of playing, list all positions of a tiny board that contain a seki: up to 12 points, as in 3 or 3x4. Of the rules, only ko and
    /// suicide matter.
    #[arg(long, value_name = "SIZE", conflicts_with_all = ["size", "policy", "games", "shard"])]
    seki_census: Option<BoardSize>,

    #[command(flatten)]
    report: ReportArgs,

    #[command(flatten)]
    playout: PlayoutArgs,
}

/// Random play, random play that leaves sekis and dead stones, and the same with a short search: where each is played as often as fits into a minute.
const DEFAULT_POLICIES: &str = "eye-safe,guarded:k=3,uct:playouts=10,30,playout=guarded:k=3";

/// How often the report of a study that is not finished is written.
const SAVING: Duration = Duration::from_secs(60);

pub(crate) fn run(args: &StudyArgs) -> anyhow::Result<()> {
    if let Some(size) = args.seki_census {
        return list_sekis(args, size);
    }
    args.playout.threads.start()?;
    let mut folder = args.report.open_folder("study")?;
    let meta = report_meta(args.report.komi);
    let mut before = earlier(&folder, "", &meta, args.report.force)?;
    let progress = progress::stoppable();
    let cells = cells(args)?;
    let total = cells.iter().map(|(configs, games)| (games.end - games.start) * configs.len() as u64).sum();
    let (mut study, mut saved) = (Study::default(), Instant::now());
    let parts: Vec<Part> = cells.iter().map(|(configs, games)| progress_part(configs, games)).collect();
    progress::shown_in_parts(&parts, "games", progress, || {
        for (configs, games) in cells {
            let mut cell = before.take(&configs, args.playout.seed, games.clone()).unwrap_or_default();
            let mut save = |cell: &Study| {
                if saved.elapsed() < SAVING {
                    return;
                }
                let mut all = study.clone();
                all.merge(cell.clone()).expect("runs of other games");
                all.planned_games = Some(total);
                if let Err(error) = add_report(&mut folder, "", &all, &meta).and_then(|()| folder.publish()) {
                    warn(&format!("the games until now could not be saved: {error}"));
                }
                saved = Instant::now();
            };
            // What was measured before an interruption is in the study.
            _ = cell.play_missing(&configs, args.playout.seed, games, progress, &mut save);
            study.merge(cell)?;
        }
        anyhow::Ok(())
    })?;
    let measured = study.games();
    if measured < total {
        study.planned_games = Some(total);
        if measured == 0 {
            return Err(Failure::interrupted("no report was written, because no game was measured"));
        }
    }
    add_report(&mut folder, "", &study, &meta)?;
    publish(folder, || print_study(&study, &meta, args.report.json))?;
    if measured < total {
        return Err(Failure::interrupted(format!(
            "{} of {} are measured; run the same command again for the others",
            group(measured),
            quantity(total, "game")
        )));
    }
    Ok(())
}

/// Returns the games to be measured: for each combination of size, policy and handicap, the runs that differ only in their rules.
fn cells(args: &StudyArgs) -> anyhow::Result<Vec<(Vec<RunConfig>, Range<u64>)>> {
    let mut rule_sets = RuleSets::expand(&args.rules);
    if args.handicap.iter().all(|&stones| stones == 0) {
        // Without handicap its placement changes nothing, so that of rule sets that differ only in it one is enough. Those with a name stay.
        let with_free = |rules: RuleSet| Rules { handicap: Handicap::Free, ..*rules };
        let mut seen = Vec::new();
        rule_sets.retain(|&rules| {
            let is_new = !seen.contains(&with_free(rules));
            seen.push(with_free(rules));
            is_new || rules.to_string() != rules.canonical()
        });
    }
    let policies = match args.games {
        _ if !args.policy.is_empty() => Policies::expand(&args.policy),
        Some(_) => vec![Policy::EYE_SAFE],
        None => Policies::expand(&[DEFAULT_POLICIES.parse()?]),
    };
    let mut cells = Vec::new();
    for size in unique(args.size.iter().copied()) {
        for &policy in &policies {
            for handicap in unique(args.handicap.iter().copied()) {
                let config =
                    |&rules| Ok(args.playout.config(size, rules, policy)?.with_handicap(handicap)?);
                let configs = rule_sets.iter().map(config).collect::<anyhow::Result<Vec<RunConfig>>>()?;
                let games = args.games.unwrap_or(default_games(size, policy));
                cells.push((configs, args.shard.unwrap_or(dataset::Part::WHOLE).games(games)));
            }
        }
    }
    Ok(cells)
}

/// Returns the study whose report is in this place of the folder, if this program wrote it: its games need not be played again. An unfinished report of
/// another version is an error unless `is_forced`.
pub(super) fn earlier(
    folder: &ReportFolder,
    place: &str,
    meta: &ReportMeta,
    is_forced: bool,
) -> anyhow::Result<Study> {
    let bytes = folder.read(&format!("{place}report.json"), MAX_REPORT_BYTES)?.unwrap_or_default();
    match read_study(&bytes) {
        Ok(saved) if saved.program == meta.program => Ok(saved.study),
        Ok(saved) if saved.study.planned_games.is_some() && !is_forced => bail!(
            "the folder holds an unfinished report by {}: finish it with that version, choose another folder with --out, or begin again with --force",
            saved.program.in_short()
        ),
        _ => Ok(Study::default()),
    }
}

/// Returns what the progress shows of runs that differ only in their rules.
fn progress_part(configs: &[RunConfig], games: &Range<u64>) -> Part {
    let RunConfig { size, rules, policy, handicap, .. } = configs[0];
    let label = match configs.len() {
        1 => format!("{size} {rules} {policy}"),
        sets => format!("{size} {sets} rule sets {policy}"),
    };
    let label = if handicap > 0 { format!("{label} handicap {handicap}") } else { label };
    let games = (games.end - games.start).saturating_mul(Comparison::new(configs).playing_count());
    Part { label, games, cost: cost(size, policy) }
}

/// Returns about how long a game takes to be played and measured, relative to other games.
fn cost(size: BoardSize, policy: Policy) -> f64 {
    /// The search for the statuses of groups that are not alive by themselves: after a search more of them, because players pass earlier.
    const STATUSES: f64 = 1e5;
    const STATUSES_OF_SEARCH: f64 = 3e6;
    let points = size.point_count() as f64;
    match policy {
        Policy::Playout(PlayoutPolicy::Uniform | PlayoutPolicy::EyeSafe { .. }) => points * points,
        Policy::Playout(PlayoutPolicy::Guarded { .. }) => points * points + STATUSES,
        Policy::Playout(PlayoutPolicy::Settled { .. }) => 20.0 * points * points + STATUSES,
        // Each point is played once, after so many playouts.
        Policy::Uct(uct) => points * points * points * f64::from(uct.playouts) + STATUSES_OF_SEARCH,
    }
}

/// Returns the number of games without `--games`: fewer on larger boards and with more playouts for each move, so that each takes about as long.
fn default_games(size: BoardSize, policy: Policy) -> u64 {
    /// The [`cost`] of games that take a few seconds.
    const COST: f64 = 5e9;
    let games = COST / cost(size, policy);
    match policy {
        Policy::Playout(_) => games.clamp(20_000.0, 600_000.0) as u64 / 1000 * 1000,
        Policy::Uct(_) => (games as u64).clamp(MIN_GAMES, 10_000) / 100 * 100,
    }
}

/// Lists all sekis of a tiny board under each combination of suicide and ko among the rules; other rules make no difference.
fn list_sekis(args: &StudyArgs, size: BoardSize) -> anyhow::Result<()> {
    let choices = RuleSets::expand(&args.rules).into_iter().map(|rules| {
        // Without history, positional and situational superko are the same.
        (rules.suicide, if rules.ko.is_superko() { Ko::PositionalSuperko } else { Ko::Simple })
    });
    let mut values = Vec::new();
    for (suicide, ko) in unique(choices) {
        let rules = format!("{}+{suicide}", if ko.is_superko() { "superko" } else { ko.name() });
        let census = progress::counted(|report| seki_census(size, suicide, ko, report));
        match census {
            Ok(census) if args.report.json => values.push(census_json(size, &rules, &census)),
            Ok(census) => print(&census_text(size, &rules, &census))?,
            Err(error) => {
                if !values.is_empty() {
                    print_json(&values.into())?;
                }
                return Err(progress::count_failure(
                    error,
                    format!("the census of {size} {rules} is not finished"),
                ));
            }
        }
    }
    if args.report.json { print_json(&values.into()) } else { Ok(()) }
}

fn census_text(size: BoardSize, rules: &str, census: &SekiCensus) -> String {
    let SekiCensus { positions, with_seki, unknown, forms } = census;
    let mut text = format!(
        "{size} {rules}: {} of {} legal positions contain a seki, {} up to symmetry and colour\n",
        group(*with_seki),
        group(*positions),
        group(forms.len() as u64)
    );
    if *unknown > 0 {
        let _ = writeln!(text, "{} positions have a chain of unknown status", group(*unknown));
    }
    let _ = writeln!(text, "\n{:<18}{:>10}{:>12}", "kind of seki", "forms", "positions");
    let by_kind = SekiKind::ALL.map(|kind| {
        let of_kind: Vec<&SekiForm> = forms.iter().filter(|form| form.kind == kind).collect();
        (kind, of_kind)
    });
    for (kind, of_kind) in &by_kind {
        let positions: u64 = of_kind.iter().map(|form| form.positions).sum();
        let (forms, positions) = (group(of_kind.len() as u64), group(positions));
        let _ = writeln!(text, "{:<18}{forms:>10}{positions:>12}", kind.name());
    }
    for (kind, of_kind) in by_kind {
        if !of_kind.is_empty() {
            let _ = writeln!(text, "\n{kind}");
            push_diagrams(&mut text, &of_kind);
        }
    }
    text.push('\n');
    text
}

/// Returns the rows of the board without its border.
fn rows(form: &SekiForm) -> Vec<String> {
    let inner = |row: &str| row[1..row.len() - 1].chars().map(String::from).collect::<Vec<_>>().join(" ");
    let height = form.shape.height();
    form.shape.rows().skip(1).take(height - 2).map(inner).collect()
}

/// Appends diagrams side by side, with the number of positions under each.
fn push_diagrams(text: &mut String, forms: &[&SekiForm]) {
    const TEXT_WIDTH: usize = 78;
    let Some(first) = forms.first() else { return };
    let width = (2 * first.shape.width() - 2).max(8);
    for forms in forms.chunks((TEXT_WIDTH / width).max(1)) {
        let diagram = |form: &&SekiForm| -> Vec<String> {
            rows(form).into_iter().chain([format!("({})", form.positions)]).collect()
        };
        let diagrams: Vec<_> = forms.iter().map(diagram).collect();
        text.push('\n');
        for line in 0..diagrams[0].len() {
            let cells = diagrams.iter().map(|diagram| format!("{:width$}", diagram[line]));
            text.push_str(cells.collect::<String>().trim_end());
            text.push('\n');
        }
    }
}

fn census_json(size: BoardSize, rules: &str, census: &SekiCensus) -> Value {
    let form = |form: &SekiForm| json!({ "kind": form.kind.name(), "positions": form.positions, "rows": rows(form) });
    json!({
        "size": size.to_string(),
        "rules": rules,
        "positions": census.positions,
        "with_seki": census.with_seki,
        "unknown": census.unknown,
        "forms": census.forms.iter().map(form).collect::<Vec<_>>(),
    })
}
