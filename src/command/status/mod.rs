//! `jigo status`: which stones are alive, and how that is known.

mod findings;
mod json;
mod picture;
mod table;

use jigo_engine::Judge;

use super::score::end::{self, Which};
use crate::{args::StatusArgs, output::print};
use findings::Findings;

pub(crate) fn run(args: &StatusArgs) -> anyhow::Result<()> {
    let which = Which { game: args.game, moves: args.after_move };
    let (position, stated) = end::position(&args.file, which)?;
    let rules = args.rules.as_ref().map_or(stated, |named| named.rules);
    let limit = args.limit.0;
    let mut judge = Judge::with_limit(rules.suicide, rules.ko, limit);
    let chains = judge.chains(&position);
    let findings = Findings { position, rules, limit, chains };
    if args.json {
        return print(&json::of(&findings));
    }
    print(&[picture::of(&findings), table::chains(&findings), table::totals(&findings)].concat())
}
