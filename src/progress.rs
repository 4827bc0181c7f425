//! Progress for people, and Ctrl-C.

use std::{
    fmt,
    io::IsTerminal as _,
    ops::ControlFlow,
    sync::Once,
    thread,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use jigo_analysis::records::ReadProgress;
use jigo_engine::count::{self, CountError};
use jigo_selfplay::Progress;

use crate::output::{Failure, group, quantity, tell};

/// Where games that are played report.
static PLAYING: Progress = Progress::new();
/// Where records that are read report.
static READING: ReadProgress = ReadProgress::new();
/// Set once the Ctrl-C handler is in place.
static HANDLER: Once = Once::new();

/// How often a bar is redrawn.
const REDRAW: Duration = Duration::from_millis(100);
/// How often a plain line is written where there is no terminal.
const PLAIN_LINE: Duration = Duration::from_secs(10);

/// A progress that Ctrl-C stops; a second Ctrl-C ends the process at once.
pub(crate) fn stoppable() -> &'static Progress {
    handle_interrupts();
    &PLAYING
}

/// The same for reading records.
pub(crate) fn stoppable_reading() -> &'static ReadProgress {
    handle_interrupts();
    &READING
}

fn handle_interrupts() {
    HANDLER.call_once(|| {
        let handler = || {
            if PLAYING.is_stopped() {
                std::process::exit(crate::INTERRUPTED.into());
            }
            PLAYING.stop();
            READING.stop();
        };
        if let Err(error) = ctrlc::set_handler(handler) {
            tell(&format!("warning: Ctrl-C will end the program at once ({error})"));
        }
    });
}

/// Runs `work` while showing how many of `total` games are done: a bar on a terminal, else a line every ten seconds.
pub(crate) fn shown<T: Send>(
    label: &str,
    total: u64,
    progress: &Progress,
    work: impl FnOnce() -> T + Send,
) -> T {
    let before = [progress.games(), progress.skipped_games()];
    let bar = std::io::stderr().is_terminal().then(|| bar(label, total));
    let mut plain = Plain::new(label, total);
    let mut skipped_before = 0;
    let result = watched(work, || {
        let [done, skipped] = [progress.games() - before[0], progress.skipped_games() - before[1]];
        match &bar {
            Some(bar) => {
                bar.set_position(done);
                if skipped > skipped_before {
                    // The bar takes note of the jump, and then forgets how fast it was.
                    bar.tick();
                    bar.reset_eta();
                }
                skipped_before = skipped;
            }
            None => plain.show(done, skipped),
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    result
}

/// Runs `work` while showing how many files and games were read: in place on a terminal, else a line every ten seconds.
pub(crate) fn shown_reading<T: Send>(
    label: &str,
    progress: &ReadProgress,
    work: impl FnOnce() -> T + Send,
) -> T {
    let spinner = std::io::stderr().is_terminal().then(ProgressBar::new_spinner);
    let mut pace = Pace::new();
    let result = watched(work, || {
        let line = || {
            let (files, games) = (quantity(progress.files(), "file"), quantity(progress.games(), "game"));
            format!("{files}, {games}, {}", quantity(progress.faults(), "fault"))
        };
        match &spinner {
            Some(spinner) => {
                spinner.set_message(line());
                spinner.tick();
            }
            None if pace.is_due() => tell(&format!("{label}: {}", line())),
            None => {}
        }
    });
    if let Some(spinner) = spinner {
        spinner.finish_and_clear();
    }
    result
}

/// Runs `work` on another thread and calls `look` until it is done: soon at first, for short work, then ten times a second.
fn watched<T: Send>(work: impl FnOnce() -> T + Send, mut look: impl FnMut()) -> T {
    thread::scope(|scope| {
        let worker = scope.spawn(work);
        let start = Instant::now();
        while !worker.is_finished() {
            let is_young = start.elapsed() < Duration::from_millis(200);
            thread::sleep(if is_young { Duration::from_millis(5) } else { REDRAW });
            look();
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Runs a count of the engine that Ctrl-C stops; on a terminal its steps are shown.
pub(crate) fn counted<T>(
    work: impl FnOnce(&mut dyn FnMut(count::CountProgress) -> ControlFlow<()>) -> Result<T, CountError>,
) -> anyhow::Result<T> {
    let progress = stoppable();
    let spinner = std::io::stderr().is_terminal().then(ProgressBar::new_spinner);
    let mut report = |seen: count::CountProgress| {
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

/// A bar that fits on one line of the terminal: with the numbers of games where there is room for them.
fn bar(label: &str, total: u64) -> ProgressBar {
    let (_, columns) = console::Term::stderr().size();
    let template = if columns >= 90 {
        "{msg} {wide_bar} {human_pos}/{human_len} games, {rate}/s, {eta} left"
    } else {
        "{wide_msg} {percent} %, {rate}/s, {eta} left"
    };
    let style = ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("rate", |state: &ProgressState, text: &mut dyn fmt::Write| {
            let _ = write!(text, "{}", group(state.per_sec() as u64));
        });
    ProgressBar::new(total).with_style(style).with_message(label.to_owned())
}

/// When the next line for a log is due.
struct Pace(Instant);

impl Pace {
    fn new() -> Self {
        Self(Instant::now())
    }

    fn is_due(&mut self) -> bool {
        let is_due = self.0.elapsed() >= PLAIN_LINE;
        if is_due {
            self.0 = Instant::now();
        }
        is_due
    }
}

/// Progress as lines, for logs.
struct Plain<'a> {
    label: &'a str,
    total: u64,
    start: Instant,
    pace: Pace,
}

impl<'a> Plain<'a> {
    fn new(label: &'a str, total: u64) -> Self {
        Self { label, total, start: Instant::now(), pace: Pace::new() }
    }

    fn show(&mut self, done: u64, skipped: u64) {
        if self.pace.is_due() {
            tell(&self.line(done, skipped, self.start.elapsed()));
        }
    }

    /// What there is to say when so many games are done, of which those skipped took no time.
    fn line(&self, done: u64, skipped: u64, elapsed: Duration) -> String {
        let rate = done.saturating_sub(skipped) as f64 / elapsed.as_secs_f64();
        let left = (self.total.saturating_sub(done)) as f64 / rate.max(1e-9);
        let Self { label, total, .. } = self;
        let digits = if rate < 10.0 { 2 } else { 0 };
        format!("{label}: {done}/{total} games, {rate:.digits$}/s, {left:.0} s left")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_an_earlier_run_are_not_fast_ones() {
        let plain = Plain::new("match", 100);
        let line = |done, skipped| plain.line(done, skipped, Duration::from_secs(10));
        assert_eq!(line(60, 0), "match: 60/100 games, 6.00/s, 7 s left");
        assert_eq!(line(60, 50), "match: 60/100 games, 1.00/s, 40 s left");
    }
}
