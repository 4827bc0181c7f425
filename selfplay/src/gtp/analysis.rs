//! Analysis: what a search finds out, shown while it goes on, in the words of KataGo and of Leela Zero.
//!
//! # Source
//! David Wu, *KataGo GTP Extensions*, <https://github.com/lightvector/KataGo/blob/master/docs/GTP_Extensions.md>

use std::{
    cmp::Reverse,
    fmt::Write as _,
    num::NonZero,
    thread,
    time::{Duration, Instant},
};

use jigo_engine::{BoardSize, Color, Komi, Move, search::MoveStats};

use super::{
    Gtp, GtpError,
    commands::{Answer, Arguments, color, decision_text},
    serve::Console,
};
use crate::{
    Player as _, Stream,
    search::{Findings, Uct, UctPlayer, Watcher},
};

/// Whose words are used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    KataGo,
    LeelaZero,
}

/// Searches the position until the controller sends another line.
pub(super) fn analyze(
    dialect: Dialect,
    gtp: &mut Gtp,
    arguments: &Arguments<'_>,
    console: &mut dyn Console,
) -> Answer {
    let mut reports = Reports::new(dialect, gtp, arguments, console)?;
    reports.ends_with_the_next_line = true;
    // An analysis has no fixed number of playouts: that of the default search does not matter.
    let uct = gtp.mover.searcher().map_or(Uct::new(1), |search| *search.uct());
    let mut game = gtp.session.game.clone();
    game.set_to_play(reports.color);
    let mut player = UctPlayer::new(uct);
    player.begin(&game, reports.komi)?;
    reports.console.open();
    player.analyze(&game, &mut Stream::new(0, 0), &mut reports);
    while !reports.console.is_interrupted() {
        thread::sleep(POLL_INTERVAL);
    }
    Ok(String::new())
}

/// Plays a move like `genmove`, and shows the search for it.
pub(super) fn genmove_analyze(
    dialect: Dialect,
    gtp: &mut Gtp,
    arguments: &Arguments<'_>,
    console: &mut dyn Console,
) -> Answer {
    let mut reports = Reports::new(dialect, gtp, arguments, console)?;
    let decision = gtp.generate_move(reports.color, &mut reports)?;
    Ok(format!("\nplay {}", decision_text(decision, gtp.session.size())))
}

/// How often an analysis that has come to its end looks for the next line.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The interval between two lines where the controller names none.
const DEFAULT_INTERVAL: Duration = Duration::from_secs(1);

/// Shows what a search has found out, at intervals and at its end.
struct Reports<'a> {
    dialect: Dialect,
    size: BoardSize,
    /// The player to move, from whose view everything is told.
    color: Color,
    komi: Komi,
    interval: Duration,
    max_moves: usize,
    has_ownership: bool,
    ends_with_the_next_line: bool,
    due: Instant,
    console: &'a mut dyn Console,
}

impl<'a> Reports<'a> {
    /// Reads the arguments of a command: a colour and an interval, both of which may be missing, and pairs of keys and values.
    fn new(
        dialect: Dialect,
        gtp: &Gtp,
        arguments: &Arguments<'_>,
        console: &'a mut dyn Console,
    ) -> Result<Self, GtpError> {
        let centiseconds = |word| {
            let count = arguments.number::<NonZero<u32>>(word)?;
            Ok::<_, GtpError>(Duration::from_millis(10) * count.get())
        };
        let mut reports = Self {
            dialect,
            size: gtp.session.size(),
            color: gtp.session.game.to_play(),
            komi: gtp.session.komi(),
            interval: DEFAULT_INTERVAL,
            max_moves: usize::MAX,
            has_ownership: false,
            ends_with_the_next_line: false,
            due: Instant::now(),
            console,
        };
        let mut words = arguments.words;
        if let [first, rest @ ..] = words
            && let Ok(color) = color(first)
        {
            (reports.color, words) = (color, rest);
        }
        if let [first, rest @ ..] = words
            && first.starts_with(|first: char| first.is_ascii_digit())
        {
            (reports.interval, words) = (centiseconds(first)?, rest);
        }
        for pair in words.chunks(2) {
            match *pair {
                ["interval", value] => reports.interval = centiseconds(value)?,
                // All moves that were tried are shown.
                ["minmoves", value] => drop(arguments.number::<usize>(value)?),
                ["maxmoves", value] => reports.max_moves = arguments.number::<NonZero<usize>>(value)?.get(),
                ["ownership", value] if dialect == Dialect::KataGo => {
                    reports.has_ownership = arguments.number(value)?;
                }
                _ => return Err(arguments.usage_error()),
            }
        }
        reports.due += reports.interval;
        Ok(reports)
    }

    /// Shows a line, unless no move has been tried.
    fn show(&mut self, search: &mut dyn Findings) {
        let mut moves = search.moves();
        let prior = 1.0 / moves.len() as f64;
        let playouts: u32 = moves.iter().map(|stats| stats.visits).sum();
        moves.retain(|stats| stats.visits > 0);
        // The first is the choice of the search.
        moves.sort_by_key(|stats| Reverse((stats.visits, self.color.sign() * stats.sum)));
        let infos = moves.iter().take(self.max_moves).enumerate();
        let infos: Vec<String> =
            infos.map(|(order, stats)| self.info(order, stats, prior, &search.line(stats.mv))).collect();
        let mut line = infos.join(" ");
        if self.has_ownership && !line.is_empty() {
            line += " ownership";
            let [own, other] = [self.color, self.color.opponent()].map(Color::index);
            let owners = search.owners();
            for (&own, &other) in owners[own].iter().zip(&owners[other]) {
                let ownership = (own as f64 - other as f64) / f64::from(playouts);
                write!(line, " {ownership:.3}").expect("a string takes all text");
            }
        }
        if !line.is_empty() {
            self.console.show(&line);
        }
    }

    fn info(&self, order: usize, stats: &MoveStats, prior: f64, line: &[Move]) -> String {
        let winrate = win_share(stats, self.color);
        let lcb = lower_bound(winrate, stats.visits);
        let margin = stats.margins as f64 / f64::from(stats.visits) - self.komi.to_f64();
        let score = f64::from(self.color.sign()) * margin;
        let rate = |share: f64| match self.dialect {
            Dialect::KataGo => format!("{share:.6}"),
            Dialect::LeelaZero => format!("{:.0}", 10_000.0 * share),
        };
        let score = match self.dialect {
            Dialect::KataGo => format!(" scoreMean {score:.3} scoreLead {score:.3}"),
            Dialect::LeelaZero => String::new(),
        };
        let line: Vec<String> = line.iter().map(|mv| mv.to_gtp(self.size)).collect();
        format!(
            "info move {} visits {} winrate {}{score} prior {} lcb {} order {order} pv {}",
            line[0],
            stats.visits,
            rate(winrate),
            rate(prior),
            rate(lcb),
            line.join(" ")
        )
    }
}

impl Watcher for Reports<'_> {
    fn goes_on(&mut self, search: &mut dyn Findings) -> bool {
        if self.ends_with_the_next_line && self.console.is_interrupted() {
            return false;
        }
        let now = Instant::now();
        if now >= self.due {
            self.due = now + self.interval;
            self.show(search);
        }
        true
    }

    fn end(&mut self, search: &mut dyn Findings) {
        // After the next line, the controller could take this one for news of another position.
        if !(self.ends_with_the_next_line && self.console.is_interrupted()) {
            self.show(search);
        }
    }
}

/// Returns the share of a move's playouts that `color` won at the komi of the search; a draw is half a win. Not a number without playouts.
pub(super) fn win_share(stats: &MoveStats, color: Color) -> f64 {
    let [own, other] = [color, color.opponent()].map(|color| f64::from(stats.wins[color.index()]));
    let visits = f64::from(stats.visits);
    (own + (visits - own - other) / 2.0) / visits
}

/// Returns the lower end of the 95 % Wilson interval of a share of independent playouts.
fn lower_bound(share: f64, visits: u32) -> f64 {
    const Z2: f64 = 1.96 * 1.96;
    let n = f64::from(visits);
    let half_width = (Z2 * (share * (1.0 - share) / n + Z2 / (4.0 * n * n))).sqrt();
    ((share + Z2 / (2.0 * n) - half_width) / (1.0 + Z2 / n)).max(0.0)
}
