//! `jigo study`: play in memory, measure, report.

use jigo_analysis::{RunConfig, Study};
use jigo_engine::BoardSize;
use jigo_selfplay::{Progress, dataset::Part};

use crate::{
    args::StudyArgs,
    command::{report, seki_census},
    config::{self, GameCount, RuleSets},
    output::Failure,
    progress,
};

pub(crate) fn run(args: &StudyArgs) -> anyhow::Result<()> {
    if let Some(size) = args.seki_census {
        return seki_census::run(args, size);
    }
    config::use_threads(&args.playout.threads)?;
    report::check_folder(&args.report)?;
    let progress = progress::stoppable();
    let mut study = Study::default();
    for settings in settings(args) {
        study.merge(play(&settings, args, progress)?)?;
    }
    report::publish(&study, &args.report.out, &args.report)
}

/// Every size with every policy, each once; for each of them a setting for every rule set.
fn settings(args: &StudyArgs) -> Vec<Vec<RunConfig>> {
    let rule_sets = RuleSets::expand(&args.rules);
    let sizes = config::each_once(args.size.iter().copied());
    let of_size = |size: BoardSize| {
        let setting = |policy, rules| args.playout.config(size, rules, policy);
        let policies = config::each_once(args.policy.iter().copied());
        let rule_sets = &rule_sets;
        let under_all = |policy| rule_sets.iter().map(|&rules| setting(policy, rules)).collect();
        policies.into_iter().map(under_all).collect::<Vec<_>>()
    };
    sizes.into_iter().flat_map(of_size).collect()
}

/// Plays settings that differ in their rules only, with the same random numbers.
fn play(settings: &[RunConfig], args: &StudyArgs, progress: &Progress) -> anyhow::Result<Study> {
    let RunConfig { size, rules, policy, .. } = settings[0];
    let games = args.games.map_or_else(|| config::default_games(size), |GameCount(games)| games);
    let range = args.shard.unwrap_or(Part::WHOLE).games(games);
    let label = match settings.len() {
        1 => format!("{size} {rules} {policy}"),
        sets => format!("{size} {sets} rule sets {policy}"),
    };
    let total = (range.end - range.start) * Study::playing_count(settings);
    let study = progress::shown(&label, total, progress, || {
        Study::play(settings, args.playout.seed, range.start, range.end, progress)
    });
    study.map_err(|_| {
        let advice = "no report was written. For runs that can be continued use `jigo play`, or `jigo study --shard I/N` and `jigo merge`";
        Failure::Interrupted(advice.to_owned()).into()
    })
}
