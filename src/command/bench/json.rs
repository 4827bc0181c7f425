//! What was measured, for machines; the format is documented in `docs/benchmarks.md`.

use serde_json::{Value, json};

use super::{line::Line, table::first_beside};
use crate::{
    args::BenchArgs,
    config::{
        BENCH_FORMAT_VERSION, COMMIT, GameCount, MeansChoice, RuleSets, ThreadChoice, VERSION,
        processor_count,
    },
};

pub(super) fn document(args: &BenchArgs, lines: &[Line], is_complete: bool) -> String {
    let value = json!({
        "format": BENCH_FORMAT_VERSION,
        "version": VERSION,
        "commit": COMMIT,
        "machine": machine(),
        "arguments": arguments(args),
        "complete": is_complete,
        "lines": lines.iter().map(|line| record(line, first_beside(line, lines))).collect::<Vec<_>>(),
    });
    format!("{value:#}\n")
}

fn machine() -> Value {
    json!({
        "processor": processor_name(),
        "threads": processor_count(),
        "os": std::env::consts::OS,
        "arch": std::env::consts::ARCH,
    })
}

/// The name that Linux gives, where it gives one.
fn processor_name() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let (_, name) =
        text.lines().find_map(|line| line.split_once(':').filter(|(key, _)| key.trim() == "model name"))?;
    Some(name.trim().to_owned())
}

/// The arguments as values, defaults included.
fn arguments(args: &BenchArgs) -> Value {
    fn names<T: ToString>(values: impl IntoIterator<Item = T>) -> Vec<String> {
        values.into_iter().map(|value| value.to_string()).collect()
    }
    let means = args.means.iter().map(|choice| match choice {
        MeansChoice::All => "all".to_owned(),
        MeansChoice::Best => "best".to_owned(),
        MeansChoice::One(means) => means.to_string(),
    });
    json!({
        "size": names(&args.size),
        "rules": names(RuleSets::expand(&args.rules).iter().map(|rules| rules.canonical())),
        "policy": names(&args.policy),
        "means": names(means),
        "needs": names(args.needs.iter().map(|needs| needs.name())),
        "threads": ThreadChoice::expand(&args.threads),
        "games": args.games.map(|GameCount(games)| games),
        "repetitions": args.repetitions,
        "seed": args.seed,
    })
}

fn record(line: &Line, first: &Line) -> Value {
    let speed = line.games_per_s();
    json!({
        "size": line.spec.config.size.to_string(),
        "rules": line.spec.config.rules.canonical(),
        "policy": line.spec.config.policy.to_string(),
        "seed": line.spec.seed,
        "means": line.means.to_string(),
        "needs": line.needs.name(),
        "threads": line.threads,
        "games": line.sums.games,
        "plies": line.sums.plies,
        "signature": line.signature.to_string(),
        "seconds": line.seconds,
        "games_per_s": { "median": speed.median, "min": speed.min, "max": speed.max },
        "plies_per_s": line.plies_per_s(),
        "ns_per_ply_per_thread": line.ns_per_ply_per_thread(),
        "ratio": line.ratio_to(first),
    })
}
