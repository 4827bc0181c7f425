//! `jigo study`: play in memory, measure, report.

use jigo_analysis::{Cell, Setting, Study};
use jigo_selfplay::{PlayoutSpec, Progress, dataset::Part};

use crate::{
    args::StudyArgs,
    command::report,
    config::{self, GameCount, RuleSets},
    output::Failure,
    progress,
};

pub(crate) fn run(args: &StudyArgs) -> anyhow::Result<()> {
    config::use_threads(&args.playout.threads)?;
    report::check_folder(&args.report)?;
    let progress = progress::stoppable();
    let mut study = Study::default();
    for setting in settings(args) {
        study.add(play(setting, args, progress)?)?;
    }
    report::publish(&study, &args.report.out, &args.report)
}

/// Every size under every rule set with every policy, each once.
fn settings(args: &StudyArgs) -> Vec<Setting> {
    let rule_sets = RuleSets::expand(&args.rules);
    let mut settings = Vec::new();
    for &size in &args.size {
        for &rules in &rule_sets {
            for &policy in &args.policy {
                let ply_cap = args.playout.ply_cap.unwrap_or(PlayoutSpec::default_ply_cap(size));
                let counts_candidates = args.playout.forbidden_candidates;
                let setting = Setting { size, rules, policy, ply_cap, counts_candidates };
                if !settings.contains(&setting) {
                    settings.push(setting);
                }
            }
        }
    }
    settings
}

fn play(setting: Setting, args: &StudyArgs, progress: &Progress) -> anyhow::Result<Cell> {
    let games = args.games.map_or_else(|| config::default_games(setting.size), |GameCount(games)| games);
    let range = args.shard.unwrap_or(Part::WHOLE).games(games);
    let Setting { size, rules, policy, .. } = setting;
    let label = format!("{size} {rules} {policy}");
    let total = range.end - range.start;
    let cell = progress::shown(&label, total, progress, || {
        Cell::play(setting, args.playout.seed, range.start, range.end, progress)
    });
    cell.map_err(|_| {
        let advice = "no report was written. For runs that can be continued use `jigo play`, or `jigo study --shard I/N` and `jigo merge`";
        Failure::Interrupted(advice.to_owned()).into()
    })
}
