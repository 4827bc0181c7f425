//! Progress on standard error, and Ctrl-C.

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
use jigo_engine::count::CountError;
use jigo_selfplay::{Progress, gtp::kill_programs, terminal::printable};

use crate::output::{Failure, fixed, group, print_error, quantity, tell};

/// Progress of games that are played.
static PLAYING: Progress = Progress::new();
/// Progress of records that are read.
static READING: ReadProgress = ReadProgress::new();

/// How long work may go on after Ctrl-C before the process ends all the same. Files are whole or absent at any time.
const STOP_TIME: Duration = Duration::from_millis(900);
/// How often a bar is redrawn.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);
/// How often a line is written if there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Returns a progress that Ctrl-C stops, and with it the process within a second. A second Ctrl-C ends the process at once.
pub(crate) fn stoppable() -> &'static Progress {
    handle_interrupts();
    &PLAYING
}

/// Returns the same for reading records.
pub(crate) fn stoppable_reading() -> &'static ReadProgress {
    handle_interrupts();
    &READING
}

fn handle_interrupts() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let handler = || {
            if PLAYING.is_stopped() {
                end_at_once();
            }
            PLAYING.stop();
            READING.stop();
            // Work that cannot stop in the middle of a step must not hold up the user.
            thread::spawn(|| {
                thread::sleep(STOP_TIME);
                print_error(&Failure::interrupted("the last step was not finished"));
                end_at_once();
            });
        };
        if let Err(error) = ctrlc::set_handler(handler) {
            tell(&format!("warning: Ctrl-C will end the program at once ({error})"));
        }
    });
}

/// Ends the process, and with it the programs that play. All else can be left as it is.
fn end_at_once() -> ! {
    kill_programs();
    std::process::exit(crate::INTERRUPTED.into())
}

/// Runs `work` and shows how many of `total` games are done: in a bar on a terminal, otherwise in a line every ten seconds.
pub(crate) fn shown<T: Send>(
    label: &str,
    total: u64,
    progress: &Progress,
    work: impl FnOnce() -> T + Send,
) -> T {
    let before = [progress.games(), progress.skipped_games()];
    let bar = std::io::stderr().is_terminal().then(|| bar(label, total));
    let start = Instant::now();
    let mut next_line = start + LINE_INTERVAL;
    let mut skipped_before = 0;
    let result = watched(work, || {
        let [done, skipped] = [progress.games() - before[0], progress.skipped_games() - before[1]];
        match &bar {
            Some(bar) => {
                bar.set_position(done);
                if skipped > skipped_before {
                    // Skipped games took no time: the estimate must forget the jump.
                    bar.tick();
                    bar.reset_eta();
                }
                skipped_before = skipped;
            }
            None if is_due(&mut next_line) => tell(&line(label, total, done, skipped, start.elapsed())),
            None => {}
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    result
}

/// Runs `work` and shows how many files and games were read: in place on a terminal, otherwise in a line every ten seconds.
pub(crate) fn shown_reading<T: Send>(
    label: &str,
    progress: &ReadProgress,
    work: impl FnOnce() -> T + Send,
) -> T {
    let mut next_line = Instant::now() + LINE_INTERVAL;
    spinning(|spin| {
        watched(work, || {
            let (files, games) = (quantity(progress.files(), "file"), quantity(progress.games(), "game"));
            let line = format!("{files}, {games}, {}", quantity(progress.faults(), "fault"));
            if !spin(&line) && is_due(&mut next_line) {
                tell(&format!("{label}: {line}"));
            }
        })
    })
}

/// Runs a count of the engine that Ctrl-C stops, and shows its steps on a terminal.
pub(crate) fn counted<T>(
    work: impl FnOnce(&mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<T, CountError>,
) -> Result<T, CountError> {
    let progress = stoppable();
    spinning(|spin| {
        work(&mut |steps| {
            spin(&format!("{} steps", group(steps)));
            if progress.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    })
}

/// Returns the error of a count for the user. After Ctrl-C it says what was found until then.
pub(crate) fn count_failure(error: CountError, found: impl Into<String>) -> anyhow::Error {
    match error {
        CountError::Stopped | CountError::StoppedBetween { .. } => Failure::interrupted(found),
        other => other.into(),
    }
}

/// Runs `work` with a function that shows a text beside a spinner; that returns `false` if there is no terminal to show it on.
fn spinning<T>(work: impl FnOnce(&dyn Fn(&str) -> bool) -> T) -> T {
    let spinner = std::io::stderr().is_terminal().then(ProgressBar::new_spinner);
    let result = work(&|text| {
        let Some(spinner) = &spinner else { return false };
        spinner.set_message(printable(text).into_owned());
        spinner.tick();
        true
    });
    if let Some(spinner) = spinner {
        spinner.finish_and_clear();
    }
    result
}

/// Runs `work` on another thread and calls `show` until it is done: every 5 ms at first, for short work, then ten times a second.
fn watched<T: Send>(work: impl FnOnce() -> T + Send, mut show: impl FnMut()) -> T {
    thread::scope(|scope| {
        let worker = scope.spawn(work);
        let start = Instant::now();
        while !worker.is_finished() {
            let is_young = start.elapsed() < Duration::from_millis(200);
            thread::sleep(if is_young { Duration::from_millis(5) } else { REDRAW_INTERVAL });
            show();
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Returns a bar that fits on one line of the terminal, with the numbers of games if there is room for them.
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
    ProgressBar::new(total).with_style(style).with_message(printable(label).into_owned())
}

/// Returns progress as a line for logs. Skipped games took no time; the time left is unknown before the first game.
fn line(label: &str, total: u64, done: u64, skipped: u64, elapsed: Duration) -> String {
    let games = format!("{label}: {}/{} games", group(done), group(total));
    let rate = done.saturating_sub(skipped) as f64 / elapsed.as_secs_f64();
    if rate == 0.0 {
        return games;
    }
    let left = (total.saturating_sub(done) as f64 / rate).round() as u64;
    let rate = if rate < 10.0 { fixed(rate, 2) } else { group(rate.round() as u64) };
    format!("{games}, {rate}/s, {} s left", group(left))
}

/// Returns whether a line for a log is due, and then sets the time of the next one.
fn is_due(next_line: &mut Instant) -> bool {
    let is_due = Instant::now() >= *next_line;
    if is_due {
        *next_line = Instant::now() + LINE_INTERVAL;
    }
    is_due
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped() {
        assert_eq!(bar("a\u{1b}[31m\n", 1).message(), "a\\u{1b}[31m\\n");
    }

    #[test]
    fn skipped_games_do_not_raise_the_rate() {
        let line = |done, skipped| line("match", 100, done, skipped, Duration::from_secs(10));
        assert_eq!(line(60, 0), "match: 60/100 games, 6.00/s, 7 s left");
        assert_eq!(line(60, 50), "match: 60/100 games, 1.00/s, 40 s left");
        assert_eq!(line(50, 50), "match: 50/100 games");
    }
}
