//! GNU Go, where it is installed.

use std::{env, process::Command};

/// How to call GNU Go; `None`, with a message, where there is none. Where the environment says that there must be one, that fails.
pub(crate) fn gnugo() -> Option<&'static str> {
    // Debian has games outside the usual path.
    let found = ["gnugo", "/usr/games/gnugo"].into_iter().find(|program| {
        Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
    });
    assert!(
        found.is_some() || env::var_os("JIGO_REQUIRE_GNUGO").is_none(),
        "JIGO_REQUIRE_GNUGO is set, but GNU Go is not installed"
    );
    if found.is_none() {
        println!("skipped: GNU Go is not installed (Debian: apt-get install gnugo)");
    }
    found
}
