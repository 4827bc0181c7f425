//! `jigo play`: write a dataset.

use jigo_selfplay::{
    Progress,
    dataset::{DatasetSpec, Part, Provenance, WriteStatus, WriteSummary, write_dataset},
};

use crate::{
    args::PlayArgs,
    config::{self, COMMIT, VERSION},
    output::{Failure, quantity, tell},
    progress,
};

pub(crate) fn run(args: &PlayArgs) -> anyhow::Result<()> {
    config::use_threads(&args.playout.threads)?;
    let spec = spec(args);
    let part = args.shard.unwrap_or(Part::WHOLE);
    let progress = progress::stoppable();
    let label = format!("{} {} {}", args.size, args.rules, args.policy);
    let total =
        (0..spec.shard_count()).filter(|&shard| part.contains(shard)).map(|shard| spec.shard_range(shard));
    let total = total.map(|games| games.end - games.start).sum();
    let summary =
        progress::shown(&label, total, progress, || write_dataset(&args.out, &spec, part, progress))?;
    conclude(args, &summary, progress)
}

fn spec(args: &PlayArgs) -> DatasetSpec {
    DatasetSpec {
        run: args.playout.config(args.size, args.rules, args.policy).seed(args.playout.seed),
        games: args.games.0,
        shard_games: args.shard_games.0,
        moves: args.moves,
        provenance: Provenance { version: VERSION.to_owned(), commit: COMMIT.to_owned() },
    }
}

/// Says what was written and what is left.
fn conclude(args: &PlayArgs, summary: &WriteSummary, progress: &Progress) -> anyhow::Result<()> {
    let WriteSummary { shards_written, games_written, bytes_written, shards_kept, shards_missing, .. } =
        *summary;
    let out = args.out.display();
    let kept = if shards_kept > 0 {
        format!("; {} there already", quantity(shards_kept, "shard"))
    } else {
        String::new()
    };
    tell(&format!(
        "wrote {} in {} ({:.1} MB) to {out}{kept}",
        quantity(games_written, "game"),
        quantity(shards_written, "shard"),
        bytes_written as f64 / 1e6
    ));
    match summary.status {
        WriteStatus::Complete => {
            tell(&format!("the dataset is complete; check it with `jigo verify {out}`"));
            Ok(())
        }
        WriteStatus::PartDone => {
            tell(&format!(
                "this part is done; missing of other parts: {}",
                quantity(shards_missing, "shard")
            ));
            Ok(())
        }
        WriteStatus::Stopped => {
            debug_assert!(progress.is_stopped());
            let advice = format!(
                "{} missing; run the same command again to continue",
                quantity(shards_missing, "shard")
            );
            Err(Failure::Interrupted(advice).into())
        }
    }
}
