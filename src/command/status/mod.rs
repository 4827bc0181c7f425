//! `jigo status`: which stones are alive, and how that is known.

mod check;
mod findings;
mod json;
mod picture;
mod prove;
mod table;
mod zone;

use jigo_engine::life::StatusSolver;

use super::score::end::{self, Which};
use crate::{args::StatusArgs, output::print};
use findings::Findings;
use prove::Reasons;

pub(crate) fn run(args: &StatusArgs) -> anyhow::Result<()> {
    let which = Which { game: args.game, moves: args.after_move };
    let (position, stated) = end::position(&args.file, which)?;
    // Before the search, which may take long.
    let asked = args.prove.as_ref().map(|name| prove::stone(&position, name)).transpose()?;
    let rules = args.rules.as_ref().map_or(stated, |named| named.rules);
    let limit = args.limit.0;
    let mut judge = StatusSolver::with_limit(rules.suicide, rules.ko, limit);
    let judgement = judge.judge(&position);
    let chains = judgement.chains().cloned().collect();
    let mut findings = Findings { position: &position, rules, limit, chains, checks: None };
    if args.check {
        findings.checks = Some(check::all(&findings, &judgement));
    }
    let reasons = asked.map(|point| Reasons::of(&findings, &judgement, point));
    if args.json {
        print(&json::of(&findings, reasons.as_ref()))?;
    } else {
        let reasons = reasons.map_or(String::new(), |reasons| reasons.as_text());
        print(
            &[picture::of(&findings), table::chains(&findings), table::totals(&findings), reasons].concat(),
        )?;
    }
    Ok(check::result(&findings)?)
}
