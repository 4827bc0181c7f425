//! `jigo match`: games between two players.

mod summary;
mod tally;

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::Path,
};

use anyhow::Context as _;
use jigo_engine::{Rules, protocol::Conduct};
use jigo_selfplay::{
    RunConfig,
    matches::{MatchSpec, Openings, play_match},
};

use crate::{
    args::{MatchArgs, OpeningsChoice},
    config::CountedBy,
    output::{Failure, print, tell},
    progress,
};

pub(crate) fn run(args: &MatchArgs) -> anyhow::Result<()> {
    let spec = spec(args)?;
    let progress = progress::stoppable();
    let label = format!("match {} {}", spec.size, spec.rules);
    let results = progress::shown(&label, spec.games, progress, || play_match(&args.out, &spec, progress))?;
    let out = args.out.display();
    let json = summary::json(&spec, &results);
    replace(&args.out.join("match.json"), &json).with_context(|| format!("cannot write to {out}"))?;
    print(&if args.json { json } else { summary::table(&spec, &results) })?;
    let finished = results.len() as u64;
    if finished < spec.games {
        let advice = format!(
            "{finished} of {} games are finished; run the same command again to continue",
            spec.games
        );
        return Err(Failure::Interrupted(advice).into());
    }
    tell(&format!(
        "records: {out}/games.sgf and {out}/games.parquet, to be measured with `jigo analyze {out}`"
    ));
    tell(&format!("columns: {out}/games.parquet"));
    Ok(())
}

fn spec(args: &MatchArgs) -> anyhow::Result<MatchSpec> {
    let size = args.size;
    let rules = match args.rules.counted {
        CountedBy::RuleSet => args.rules.rules,
        // The error says why the values alone are not these rules.
        CountedBy::Makrai => args.rules.name.parse::<Rules>()?,
    };
    let conduct = Conduct::named(&args.rules.name, size).unwrap_or(Conduct::of_rules(rules));
    let openings = match &args.openings {
        None => Openings::Empty,
        Some(OpeningsChoice::Random(plies)) => Openings::Random(*plies),
        Some(OpeningsChoice::File(path)) => Openings::read(path, size, rules)?,
    };
    Ok(MatchSpec {
        players: [args.first.clone(), args.second.clone()],
        size,
        rules,
        komi: args.komi.unwrap_or_else(|| args.rules.default_komi(size)),
        games: args.games.0,
        seed: args.seed,
        ply_cap: args.ply_cap.unwrap_or(RunConfig::default_ply_cap(size)),
        time_limit: args.time_limit.0,
        openings,
        adjudication: args.adjudicate,
        ending: conduct.ending,
    })
}

/// Writes a file that is whole or the old one.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let partial = path.with_extension("json.partial");
    let mut file = File::create(&partial)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(partial, path)
}
