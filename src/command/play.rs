//! `jigo play`: writes a dataset.

use std::path::PathBuf;

use clap::Args;
use jigo_engine::{BoardSize, RuleSet};
use jigo_selfplay::{
    Policy,
    dataset::{DatasetSpec, MovesColumn, Part, WriteStatus, WriteSummary, write_dataset},
};

use crate::{
    args::{self, PlayoutArgs, provenance},
    output::{Failure, quantity, tell},
    progress,
};

#[derive(Args, Debug)]
pub(crate) struct PlayArgs {
    /// Folder of the dataset.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Board size: 9 or 9x13.
    #[arg(long, default_value = "9")]
    size: BoardSize,

    /// Rule set: a name, or values joined with +.
    #[arg(long, value_name = "RULES", default_value = "tromp-taylor")]
    rules: RuleSet,

    #[arg(long, help = format!("Playout policy: {}", Policy::SYNTAX), default_value = "eye-safe")]
    policy: Policy,

    /// Handicap stones: 0, or 2 and more. They go where the rule set puts them: on star points, or where the policy plays them.
    #[arg(long, value_name = "N", default_value_t = 0)]
    handicap: u32,

    /// Games in the whole dataset, as in 10k or 1e6.
    #[arg(long, value_name = "N", default_value = "100k", value_parser = args::game_count)]
    games: u64,

    /// Games in a shard (one file).
    #[arg(long, value_name = "N", default_value = "65536", value_parser = args::game_count)]
    shard_games: u64,

    /// How moves are stored: list, binary or none (the seed is enough to replay the games).
    #[arg(long, value_name = "FORM", default_value = "list")]
    moves: MovesColumn,

    /// Write only the shards of part I of N (I from 0, or `auto/N` as in `jigo study`). Any number of parts may share the folder.
    #[arg(long, value_name = "I/N", value_parser = args::part)]
    shard: Option<Part>,

    #[command(flatten)]
    playout: PlayoutArgs,
}

pub(crate) fn run(args: &PlayArgs) -> anyhow::Result<()> {
    args.playout.threads.start()?;
    let config = args.playout.config(args.size, args.rules, args.policy).with_handicap(args.handicap)?;
    let spec = DatasetSpec {
        run: config.seed(args.playout.seed),
        games: args.games,
        shard_games: args.shard_games,
        moves: args.moves,
        provenance: provenance(),
    };
    let part = args.shard.unwrap_or(Part::WHOLE);
    let progress = progress::stoppable();
    let label = format!("{} {} {}", args.size, args.rules, args.policy);
    let shards = (0..spec.shard_count()).filter(|&shard| part.contains(shard));
    let total = shards.map(|shard| spec.shard_range(shard)).map(|games| games.end - games.start).sum();
    let summary =
        progress::shown(&label, total, progress, || write_dataset(&args.out, &spec, part, progress))?;
    conclude(args, &summary)
}

/// Says what was written and what is missing.
fn conclude(args: &PlayArgs, summary: &WriteSummary) -> anyhow::Result<()> {
    let out = args.out.display();
    let kept = match summary.shards_kept {
        0 => String::new(),
        kept => format!("; {} already there", quantity(kept, "shard")),
    };
    tell(&format!(
        "wrote {} in {} ({:.1} MB) to {out}{kept}",
        quantity(summary.games_written, "game"),
        quantity(summary.shards_written, "shard"),
        summary.bytes_written as f64 / 1e6
    ));
    let missing = quantity(summary.shards_missing, "shard");
    match summary.status {
        WriteStatus::Complete => {
            tell(&format!("the dataset is complete; check it with `jigo verify {out}`"));
        }
        WriteStatus::PartDone => tell(&format!("this part is complete; {missing} of other parts missing")),
        WriteStatus::Stopped => {
            let advice = format!("{missing} missing; run the same command again to resume");
            return Err(Failure::interrupted(advice));
        }
    }
    Ok(())
}
