//! Records which commit the command was built from.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=.git/HEAD");
    println!("cargo::rerun-if-changed=.git/logs/HEAD");
    println!("cargo::rustc-env=JIGO_COMMIT={}", commit().unwrap_or_else(|| "unknown".to_owned()));
}

/// The full hash of the checked-out commit; `None` outside a repository.
fn commit() -> Option<String> {
    let output = Command::new("git").args(["rev-parse", "HEAD"]).output().ok()?;
    let hash = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && hash.len() >= 40).then_some(hash)
}
