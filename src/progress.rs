//! Progress for people, and Ctrl-C.

use std::{
    io::IsTerminal as _,
    ops::ControlFlow,
    sync::OnceLock,
    thread,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use jigo_engine::count::{self, CountError};
use jigo_selfplay::Progress;

use crate::output::{Failure, group, tell};

/// Where a run reports; the Ctrl-C handler stops it.
static CURRENT: OnceLock<&'static Progress> = OnceLock::new();

/// How often a bar is redrawn.
const REDRAW: Duration = Duration::from_millis(100);
/// How often a plain line is written where there is no terminal.
const PLAIN_LINE: Duration = Duration::from_secs(10);

/// A progress that Ctrl-C stops; a second Ctrl-C ends the process at once. One per process.
pub(crate) fn stoppable() -> &'static Progress {
    CURRENT.get_or_init(|| {
        let progress: &'static Progress = Box::leak(Box::default());
        let handler = move || {
            if progress.is_stopped() {
                std::process::exit(130);
            }
            progress.stop();
        };
        if let Err(error) = ctrlc::set_handler(handler) {
            tell(&format!("warning: Ctrl-C will end the program at once ({error})"));
        }
        progress
    })
}

/// Runs `work` while showing how many of `total` games are done: a bar on a terminal, else a line every ten seconds.
pub(crate) fn shown<T: Send>(
    label: &str,
    total: u64,
    progress: &Progress,
    work: impl FnOnce() -> T + Send,
) -> T {
    let before = progress.games();
    thread::scope(|scope| {
        let worker = scope.spawn(work);
        let bar = std::io::stderr().is_terminal().then(|| bar(label, total));
        let mut plain = Plain::new(label, total);
        while !worker.is_finished() {
            thread::sleep(if plain.is_young() { Duration::from_millis(5) } else { REDRAW });
            let done = progress.games() - before;
            match &bar {
                Some(bar) => bar.set_position(done),
                None => plain.show(done),
            }
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Runs a count of the engine that Ctrl-C stops; on a terminal its steps are shown.
pub(crate) fn counted<T>(
    work: impl FnOnce(&mut dyn FnMut(count::Progress) -> ControlFlow<()>) -> Result<T, CountError>,
) -> anyhow::Result<T> {
    let progress = stoppable();
    let spinner = std::io::stderr().is_terminal().then(ProgressBar::new_spinner);
    let mut report = |seen: count::Progress| {
        if let Some(spinner) = &spinner {
            spinner.set_message(format!("{} steps", group(seen.steps)));
            spinner.tick();
        }
        if progress.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let result = work(&mut report);
    if let Some(spinner) = spinner {
        spinner.finish_and_clear();
    }
    result.map_err(|error| match error {
        CountError::Stopped => Failure::Interrupted("nothing was counted".to_owned()).into(),
        other => other.into(),
    })
}

fn bar(label: &str, total: u64) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{msg} {bar:24} {human_pos}/{human_len} games, {per_sec}, {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total).with_style(style).with_message(label.to_owned())
}

/// Progress as lines, for logs.
struct Plain<'a> {
    label: &'a str,
    total: u64,
    start: Instant,
    last: Instant,
}

impl<'a> Plain<'a> {
    fn new(label: &'a str, total: u64) -> Self {
        let now = Instant::now();
        Self { label, total, start: now, last: now }
    }

    /// Whether the work began so recently that it may end any moment.
    fn is_young(&self) -> bool {
        self.start.elapsed() < Duration::from_millis(200)
    }

    fn show(&mut self, done: u64) {
        if self.last.elapsed() < PLAIN_LINE {
            return;
        }
        self.last = Instant::now();
        let rate = done as f64 / self.start.elapsed().as_secs_f64();
        let left = (self.total.saturating_sub(done)) as f64 / rate.max(1e-9);
        let Self { label, total, .. } = self;
        tell(&format!("{label}: {done}/{total} games, {rate:.0}/s, {left:.0} s left"));
    }
}
