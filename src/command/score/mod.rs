//! `jigo score`: the result of one position or game under any rules.

mod count;
pub(super) mod end;
mod json;
mod steps;
mod text;
mod whole;

use anyhow::bail;

use crate::{
    args::ScoreArgs,
    config::{NamedRules, Prisoners},
    output::{print, tell},
};
use count::Count;
use end::{End, Which};

pub(crate) fn run(args: &ScoreArgs) -> anyhow::Result<()> {
    let mut steps = Vec::new();
    let end = end::read(&args.file, Which { game: args.game, moves: None }, &mut steps);
    if args.events && !args.json {
        // Also of a game that is broken further on.
        print(&steps::as_list(&steps))?;
    }
    let mut end = end?;
    if args.events && end.whole.is_none() {
        bail!(
            "--events lists what happened in a whole game, and this is none: the root of its SGF has no `JC`"
        );
    }
    let counts = if asks_anew(args) {
        end.amend(args)?;
        count_position(&end, args)?
    } else {
        match end.whole.as_ref().and_then(whole::counts) {
            Some(counts) => counts,
            None => count_position(&end, args)?,
        }
    };
    if args.json {
        let steps = args.events.then_some(&steps[..]);
        return print(&json::of(&end, &counts, steps));
    }
    let separator = if args.events { "\n" } else { "" };
    print(&format!("{separator}{:#}", end.position))?;
    match &counts[..] {
        [] => {}
        [count] => print(&text::as_sheet(count))?,
        counts => print(&text::as_table(counts))?,
    }
    if let Some(game) = &end.whole {
        print(&text::ending(game))?;
    }
    tell_dame(&end);
    Ok(())
}

/// Whether the position is to be counted in another way than the game was.
fn asks_anew(args: &ScoreArgs) -> bool {
    let ScoreArgs { rules, all_rules, dead, prisoners, handicap, komi, .. } = args;
    rules.is_some()
        || *all_rules
        || dead.is_some()
        || prisoners.is_some()
        || handicap.is_some()
        || komi.is_some()
}

/// The position counted as the rules count it, whatever the game came to.
fn count_position(end: &End, args: &ScoreArgs) -> anyhow::Result<Vec<Count>> {
    let size = end.position.size();
    if args.all_rules {
        let komi = |named: &NamedRules| args.komi.unwrap_or_else(|| named.default_komi(size));
        return NamedRules::all().map(|named| Count::of_position(end, &named, komi(&named))).collect();
    }
    let named = args.rules.as_ref().unwrap_or(&end.rules);
    let komi = args.komi.or(end.komi).unwrap_or_else(|| named.default_komi(size));
    Ok(vec![Count::of_position(end, named, komi)?])
}

fn tell_dame(end: &End) {
    let size = end.position.size();
    let dame = end.dame();
    if !dame.is_empty() {
        let names: Vec<String> = dame.iter().map(|point| point.to_gtp(size)).collect();
        tell(&format!("nobody's points, to be filled before a count: {}", names.join(" ")));
    }
}

impl End {
    /// Takes what the arguments state in place of what the file says.
    fn amend(&mut self, args: &ScoreArgs) -> anyhow::Result<()> {
        if let Some(dead) = &args.dead {
            let rules = args.rules.as_ref().unwrap_or(&self.rules).rules;
            self.dead = self.dead_stones(dead, rules)?;
        }
        self.prisoners = args.prisoners.map_or(self.prisoners, |Prisoners(prisoners)| prisoners);
        self.handicap_stones = args.handicap.unwrap_or(self.handicap_stones);
        Ok(())
    }
}
