//! `jigo play`: writes a dataset.

use std::path::{Path, PathBuf};

use clap::Args;
use jigo_engine::{BoardSize, RuleSet};
use jigo_selfplay::{
    Policy, RunConfig,
    dataset::{DatasetSpec, MovesColumn, Part, WriteStatus, WriteSummary, write_dataset},
};

use crate::{
    args::{self, PlayoutArgs, provenance, unique},
    output::{Failure, megabytes, quantity, tell},
    progress,
};

#[derive(Args, Debug)]
pub(crate) struct PlayArgs {
    /// Folder of the dataset; with several handicaps the folder of one dataset for each, `handicap-N`.
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,

    /// Board size: 9 or 9x13.
    #[arg(short, long, default_value = "9", value_parser = args::suggesting::<BoardSize>())]
    size: BoardSize,

    /// Rule set: a name, or values joined with +.
    #[arg(short, long, value_name = "RULES", default_value = args::DEFAULT_RULES, value_parser = args::suggesting::<RuleSet>())]
    rules: RuleSet,

    #[arg(short, long, default_value = "eye-safe", value_parser = args::suggesting::<Policy>())]
    #[arg(help = format!("Playout policy: {}", Policy::SYNTAX))]
    policy: Policy,

    /// Handicap stones: 0, or 2 and more, in a list. They go where the rule set puts them: on star points, or where the policy plays them.
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "0", value_parser = args::handicap())]
    handicap: Vec<u32>,

    /// Games in the whole dataset, as in 10k or 1e6. A dataset of the same run with fewer games is continued.
    #[arg(short = 'n', long, value_name = "N", default_value = "100k", value_parser = args::game_count)]
    games: u64,

    /// Games in a shard (one file).
    #[arg(long, value_name = "N", default_value = "65536", value_parser = args::game_count)]
    shard_games: u64,

    /// How moves are stored: list, binary or none (the seed is enough to replay the games).
    #[arg(long, value_name = "FORM", default_value = "list")]
    moves: MovesColumn,

    /// Also store whose area each point was at the end, in a column `ownership`.
    #[arg(long)]
    ownership: bool,

    /// Write only the shards of part I of N (I from 0, or `auto/N` as in `jigo study`). Any number of parts may share the folder.
    #[arg(long, value_name = "I/N", allow_hyphen_values = true, value_parser = args::part)]
    shard: Option<Part>,

    #[command(flatten)]
    playout: PlayoutArgs,
}

pub(crate) fn run(args: &PlayArgs) -> anyhow::Result<()> {
    args::check_folder(&args.out)?;
    args.playout.threads.start()?;
    let even = args.playout.config(args.size, args.rules, args.policy)?;
    let handicaps = unique(args.handicap.iter().copied());
    let configs =
        handicaps.iter().map(|&stones| even.with_handicap(stones)).collect::<Result<Vec<_>, _>>()?;
    for config in &configs {
        let out = match configs[..] {
            [_] => args.out.clone(),
            _ => args.out.join(format!("handicap-{}", config.handicap)),
        };
        write(&out, config, args)?;
    }
    Ok(())
}

/// Writes the dataset of these games.
fn write(out: &Path, config: &RunConfig, args: &PlayArgs) -> anyhow::Result<()> {
    let spec = DatasetSpec {
        run: config.seed(args.playout.seed),
        games: args.games,
        shard_games: args.shard_games,
        moves: args.moves,
        ownership: args.ownership,
        provenance: provenance(),
    };
    // The progress is counted shard by shard.
    spec.validate()?;
    let part = args.shard.unwrap_or(Part::WHOLE);
    let progress = progress::stoppable();
    let label = format!("{} {} {}", args.size, args.rules, args.policy);
    let label = if config.handicap > 0 { format!("{label} handicap {}", config.handicap) } else { label };
    let shards = (0..spec.shard_count()).filter(|&shard| part.contains(shard));
    let total = shards.map(|shard| spec.shard_range(shard)).map(|games| games.end - games.start).sum();
    let summary = progress::shown(&label, total, progress, || write_dataset(out, &spec, part, progress))?;
    conclude(out, &summary)
}

/// Says what was written and what is missing.
fn conclude(out: &Path, summary: &WriteSummary) -> anyhow::Result<()> {
    let out = out.display();
    let kept = match summary.shards_kept {
        0 => String::new(),
        kept => format!("; {} already there", quantity(kept, "shard")),
    };
    tell(&format!(
        "wrote {} in {} ({}) to {out}{kept}",
        quantity(summary.games_written, "game"),
        quantity(summary.shards_written, "shard"),
        megabytes(summary.bytes_written)
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
