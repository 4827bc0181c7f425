//! Progress on standard error, and Ctrl-C.

use std::{
    io::IsTerminal as _,
    ops::ControlFlow,
    sync::Once,
    thread,
    time::{Duration, Instant},
};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use jigo_analysis::records::ReadProgress;
use jigo_engine::{count::CountError, solve};
use jigo_selfplay::{Progress, gtp::kill_programs, terminal::printable};

use crate::output::{Failure, fixed, group, is_quiet, print_error, quantity, warn};

/// Progress of games that are played.
static PLAYING: Progress = Progress::new();
/// Progress of records that are read.
static READING: ReadProgress = ReadProgress::new();

/// How long work may go on after Ctrl-C before the process ends all the same. Files are whole or absent at any time.
const STOP_TIME: Duration = Duration::from_millis(900);
/// How often a bar is redrawn.
const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

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
            warn(&format!("Ctrl-C will end the program at once ({error})"));
        }
    });
}

/// Ends the process, and with it the programs that play. All else can be left as it is.
fn end_at_once() -> ! {
    kill_programs();
    std::process::exit(crate::INTERRUPTED.into())
}

/// A part of the work that the bar shows.
pub(crate) struct Part {
    pub(crate) label: String,
    pub(crate) games: u64,
    /// The time of a game relative to the games of the other parts.
    pub(crate) cost: f64,
}

/// Runs `work` and shows how many of `total` games are done, in a bar on a terminal.
pub(crate) fn shown<T: Send>(
    label: &str,
    total: u64,
    progress: &Progress,
    work: impl FnOnce() -> T + Send,
) -> T {
    shown_with(label, total, progress, String::new, work)
}

/// As [`shown`], with a text after the label that changes as games are played.
pub(crate) fn shown_with<T: Send>(
    label: &str,
    total: u64,
    progress: &Progress,
    state: impl Fn() -> String,
    work: impl FnOnce() -> T + Send,
) -> T {
    let part = Part { label: label.to_owned(), games: total, cost: 1.0 };
    show(&[part], "games", progress, state, work)
}

/// Runs `work` and shows in one bar on a terminal how much of all parts is done, which are played in this order.
pub(crate) fn shown_in_parts<T: Send>(
    parts: &[Part],
    unit: &str,
    progress: &Progress,
    work: impl FnOnce() -> T + Send,
) -> T {
    show(parts, unit, progress, String::new, work)
}

fn show<T: Send>(
    parts: &[Part],
    unit: &str,
    progress: &Progress,
    state: impl Fn() -> String,
    work: impl FnOnce() -> T + Send,
) -> T {
    if !has_terminal() {
        return work();
    }
    let is_wide = console::Term::stderr().size().1 >= WIDE_COLUMNS;
    let bar = bar(is_wide);
    let before = [progress.games(), progress.skipped_games()];
    let mut meter = Meter::new(parts, unit);
    let start = Instant::now();
    let result = watched(work, || {
        let [done, skipped] = [progress.games() - before[0], progress.skipped_games() - before[1]];
        let (label, share, numbers) = meter.read(done, skipped, start.elapsed());
        let label = format!("{label} {}", state());
        bar.set_message(printable(label.trim_end()).into_owned());
        bar.set_prefix(if is_wide {
            numbers.join(", ")
        } else {
            numbers.last().cloned().unwrap_or_default()
        });
        bar.set_position((share * BAR_STEPS as f64) as u64);
        bar.tick();
    });
    bar.finish_and_clear();
    result
}

/// Runs `work` and shows on a terminal how many files and games were read.
pub(crate) fn shown_reading<T: Send>(progress: &ReadProgress, work: impl FnOnce() -> T + Send) -> T {
    spinning(|spin| {
        watched(work, || {
            let (files, games) = (quantity(progress.files(), "file"), quantity(progress.games(), "game"));
            spin(&format!("{files}, {games}, {}", quantity(progress.faults(), "fault")));
        })
    })
}

/// Runs `work` and shows on a terminal how many positions of games it has played through.
pub(crate) fn shown_positions<T: Send>(
    label: &str,
    progress: &Progress,
    work: impl FnOnce() -> T + Send,
) -> T {
    spinning(|spin| watched(work, || spin(&format!("{label}: {}", quantity(progress.plies(), "position")))))
}

/// Runs a search for proofs that Ctrl-C stops and that ends after a time, and shows on a terminal how far it is.
pub(crate) fn shown_search<T: Send>(
    search: &solve::Progress,
    limit: Option<Duration>,
    work: impl FnOnce() -> T + Send,
) -> T {
    let (interrupts, start) = (stoppable(), Instant::now());
    spinning(|spin| {
        watched(work, || {
            if interrupts.is_stopped() {
                search.stop();
            } else if limit.is_some_and(|limit| start.elapsed() >= limit) {
                search.finish();
            }
            let ((least, most), plies) = (search.bounds(), search.plies());
            let states = quantity(search.states(), "state");
            spin(&format!("Black from {least:+} to {most:+}, {plies} plies ahead, {states}"));
        })
    })
}

/// Runs a count of the engine that Ctrl-C stops, and shows its steps on a terminal. After Ctrl-C no other count begins.
pub(crate) fn counted<T>(
    work: impl FnOnce(&mut dyn FnMut(u64) -> ControlFlow<()>) -> Result<T, CountError>,
) -> Result<T, CountError> {
    let progress = stoppable();
    if progress.is_stopped() {
        return Err(CountError::Stopped);
    }
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
        CountError::Stopped => Failure::interrupted(found),
        other => other.into(),
    }
}

/// Returns whether there is a terminal for progress, and the user wants to see it.
fn has_terminal() -> bool {
    std::io::stderr().is_terminal() && !is_quiet()
}

/// Runs `work` with a function that shows a text beside a spinner, on a terminal.
fn spinning<T>(work: impl FnOnce(&dyn Fn(&str)) -> T) -> T {
    let spinner = has_terminal().then(ProgressBar::new_spinner);
    let result = work(&|text| {
        if let Some(spinner) = &spinner {
            spinner.set_message(printable(text).into_owned());
            spinner.tick();
        }
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

/// The length of a bar.
const BAR_STEPS: u64 = 10_000;

/// From here on a line of the terminal has room for a bar and all numbers.
const WIDE_COLUMNS: u16 = 90;

/// Returns a bar that fits on one line of the terminal.
fn bar(is_wide: bool) -> ProgressBar {
    let template = if is_wide { "{msg} {wide_bar} {prefix}" } else { "{wide_msg} {percent} %, {prefix}" };
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(BAR_STEPS).with_style(style)
}

/// What a bar shows of work in several parts, of which each takes about as long as its games cost.
struct Meter<'a> {
    parts: &'a [Part],
    unit: &'a str,
    /// The games that were done, and how many of them were skipped, when the current part began, and the time then.
    began: (usize, [u64; 2], Duration),
    /// What was skipped until now: games and their cost.
    skipped: (u64, f64),
}

impl<'a> Meter<'a> {
    fn new(parts: &'a [Part], unit: &'a str) -> Self {
        Self { parts, unit, began: (0, [0, 0], Duration::ZERO), skipped: (0, 0.0) }
    }

    /// Returns the index of the part to which the next game belongs, and the cost of those before.
    fn cost_of(&self, games: u64) -> (usize, f64) {
        let (mut left, mut cost) = (games, 0.0);
        for (index, part) in self.parts.iter().enumerate() {
            let own = left.min(part.games);
            cost += own as f64 * part.cost;
            left -= own;
            if own < part.games {
                return (index, cost);
            }
        }
        (self.parts.len().saturating_sub(1), cost)
    }

    /// Returns the label of the current part, the share of the work that is done, and the games, their rate and the time left. Skipped games took no
    /// time, so that they belong to no rate.
    fn read(&mut self, done: u64, skipped: u64, elapsed: Duration) -> (&'a str, f64, Vec<String>) {
        let total: u64 = self.parts.iter().map(|part| part.games).sum();
        let (_, whole) = self.cost_of(total);
        let (part, cost) = self.cost_of(done);
        let new_skipped = skipped - self.skipped.0;
        self.skipped.1 += cost - self.cost_of(done.saturating_sub(new_skipped)).1;
        self.skipped.0 = skipped;
        if part != self.began.0 {
            self.began = (part, [done, skipped], elapsed);
        }
        let (_, [done_before, skipped_before], time_before) = self.began;
        let played = (done - done_before).saturating_sub(skipped - skipped_before);
        let rate = played as f64 / (elapsed - time_before).as_secs_f64();
        let speed = (cost - self.skipped.1) / elapsed.as_secs_f64();
        let mut numbers = vec![format!("{}/{} {}", group(done), group(total), self.unit)];
        if played > 0 && rate.is_finite() {
            let rate = if rate < 10.0 { fixed(rate, 2) } else { group(rate.round() as u64) };
            numbers.push(format!("{rate}/s"));
        }
        if speed > 0.0 && speed.is_finite() {
            let left = Duration::from_secs(((whole - cost) / speed).min(1e9).round() as u64);
            numbers.push(format!("{} left", HumanDuration(left)));
        }
        let label = self.parts.get(part).map_or("", |part| &part.label);
        (label, if whole > 0.0 { cost / whole } else { 0.0 }, numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(label: &str, games: u64, cost: f64) -> Part {
        Part { label: label.to_owned(), games, cost }
    }

    #[test]
    fn skipped_games_do_not_raise_the_rate() {
        let read = |done, skipped| {
            let parts = [part("match", 100, 1.0)];
            Meter::new(&parts, "games").read(done, skipped, Duration::from_secs(10)).2.join(", ")
        };
        assert_eq!(read(60, 0), "60/100 games, 6.00/s, 7 seconds left");
        assert_eq!(read(60, 50), "60/100 games, 1.00/s, 40 seconds left");
        assert_eq!(read(50, 50), "50/100 games");
    }

    #[test]
    fn the_time_left_is_that_of_all_parts() {
        let parts = [part("5x5", 1000, 1.0), part("9x9", 100, 10.0), part("19x19", 10, 800.0)];
        let mut meter = Meter::new(&parts, "games");
        let second = Duration::from_secs(1);
        let (label, share, numbers) = meter.read(500, 0, second);
        assert_eq!((label, &numbers.join(", ")[..]), ("5x5", "500/1,110 games, 500/s, 19 seconds left"));
        assert!((share - 0.05).abs() < 1e-9);
        assert_eq!(meter.read(1000, 0, 2 * second).2, ["1,000/1,110 games", "18 seconds left"]);
        let (label, share, numbers) = meter.read(1100, 50, 3 * second);
        assert_eq!((label, &numbers.join(", ")[..]), ("19x19", "1,100/1,110 games, 16 seconds left"));
        assert!((share - 0.2).abs() < 1e-9);
        let (_, share, numbers) = meter.read(1110, 50, 20 * second);
        assert_eq!((share, &numbers[1..]), (1.0, &["0.59/s".to_owned(), "0 seconds left".to_owned()][..]));
    }
}
