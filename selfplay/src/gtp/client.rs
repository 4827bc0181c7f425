//! Asking other programs that speak GTP.

use std::{
    collections::{BTreeSet, VecDeque},
    io::{self, BufRead as _, BufReader, Read, Write as _},
    process::{ChildStdin, Command},
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, TryRecvError},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use jigo_engine::{Color, Game, Komi, Move, Point};

use super::program::Program;
use crate::{
    Decision, Player, PlayerError, Progress, Stream,
    player::Claims,
    time_control::{Overtime, TimeControl, TimeLeft},
};

/// How often a wait checks whether it must stop.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// How long a program that closed its output may take to end, and its standard error to arrive.
const WAIT_TIMEOUT: Duration = Duration::from_millis(300);
/// The largest answer, in lines and in bytes.
const MAX_LINES: usize = 10_000;
const MAX_BYTES: usize = 1 << 20;

/// The longest line that is kept whole; longer ones come in pieces.
const MAX_LINE_BYTES: u64 = 16 << 10;
/// Lines read before anybody asks for them: a program that never stops writing is not read without bounds.
const MAX_LINES_AHEAD: usize = 1 << 10;
/// How many lines on standard error are remembered, and how much of each.
const LAST_LINES: usize = 5;
const LAST_CHARS: usize = 200;

/// A running program that speaks GTP 2.
///
/// One command at a time: [`ask`](Self::ask) waits for the answer, so commands need no numbers. A program that ends, hangs or says what is no answer
/// is killed, and every later question fails; start it anew then. Dropped, it is killed and waited for, and so are all processes of its group:
/// those that it started, unless they chose another group. Linux kills the program itself also when this process is killed; before
/// [`std::process::exit`], call [`kill_programs`](super::kill_programs).
///
/// # Source
/// Gunnar Farnebäck, *Specification of the Go Text Protocol, version 2, draft 2*.
///
/// ```no_run
/// use std::time::Duration;
/// use jigo_selfplay::{Progress, gtp::GtpClient};
/// let mut client = GtpClient::start("gnugo --mode gtp")?;
/// println!("{}", client.ask("genmove black", Duration::from_secs(60), &Progress::new())?);
/// # Ok::<(), jigo_selfplay::gtp::GtpClientError>(())
/// ```
#[derive(Debug)]
pub struct GtpClient {
    program: String,
    process: Program,
    /// Closed once the program has failed.
    stdin: Option<ChildStdin>,
    answers: Receiver<String>,
    stderr: LastLines,
}

impl GtpClient {
    /// Starts the program of a command line, which is split as in a shell; no shell is used. It is no member of the terminal's foreground
    /// group, so that Ctrl-C does not reach it.
    ///
    /// # Errors
    /// [`GtpFailure::BadCommandLine`], [`GtpFailure::NotStarted`].
    pub fn start(program: &str) -> Result<Self, GtpClientError> {
        let words = words(program)?;
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        let (process, (stdin, stdout, stderr)) =
            Program::start(command).map_err(|error| not_started(program, GtpFailure::NotStarted(error)))?;
        let (answers, stderr) = (lines(stdout), LastLines::from_reader(stderr));
        Ok(Self { program: program.to_owned(), process, stdin: Some(stdin), answers, stderr })
    }

    /// Checks that a command line can be split, without starting the program.
    ///
    /// # Errors
    /// [`GtpFailure::BadCommandLine`].
    pub fn check_command_line(program: &str) -> Result<(), GtpClientError> {
        words(program).map(drop)
    }

    /// Returns the number of the process.
    #[must_use]
    pub fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// Returns whether it can still be asked: nothing but refused commands went wrong so far.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.stdin.is_some()
    }

    /// Sends a command and waits for the answer: its text without the leading `=`, blanks at its ends removed.
    ///
    /// # Errors
    /// [`GtpFailure::Refused`] when the program says that it failed; it can be asked on. All other failures end the program.
    pub fn ask(
        &mut self,
        command: &str,
        time_limit: Duration,
        progress: &Progress,
    ) -> Result<String, GtpClientError> {
        self.try_ask(command, time_limit, progress).map_err(|failure| {
            // A program may have been killed because of the stop.
            let is_stopped = progress.is_stopped() && !matches!(failure, GtpFailure::Refused(_));
            self.error(command, if is_stopped { GtpFailure::Stopped } else { failure })
        })
    }

    fn try_ask(
        &mut self,
        command: &str,
        time_limit: Duration,
        progress: &Progress,
    ) -> Result<String, GtpFailure> {
        if let Some(line) = self.waiting_line()?.filter(|line| !line.trim().is_empty()) {
            return Err(garbage(&line));
        }
        self.send(format!("{command}\n").as_bytes())?;
        let deadline = (Instant::now() + time_limit, time_limit);
        let mut first = self.next_line(deadline, progress)?;
        while first.trim().is_empty() {
            first = self.next_line(deadline, progress)?;
        }
        let (success, text) = match first.split_at_checked(1) {
            Some(("=", text)) => (true, text),
            Some(("?", text)) => (false, text),
            _ => return Err(garbage(&first)),
        };
        let mut text = text.to_owned();
        for _ in 0..MAX_LINES {
            let line = self.next_line(deadline, progress)?;
            if line.trim().is_empty() {
                let text = text.trim().to_owned();
                return if success { Ok(text) } else { Err(GtpFailure::Refused(text)) };
            }
            if text.len() > MAX_BYTES {
                break;
            }
            text.extend(["\n", &line]);
        }
        Err(garbage(&text))
    }

    /// Sends bytes as they are: the caller reads what the program says to them.
    pub(crate) fn send(&mut self, bytes: &[u8]) -> Result<(), GtpFailure> {
        let stdin = self.stdin.as_mut().ok_or_else(ended)?;
        stdin.write_all(bytes).and_then(|()| stdin.flush()).map_err(|_| ended())
    }

    /// Returns a line that has come already, if there is one.
    pub(crate) fn waiting_line(&self) -> Result<Option<String>, GtpFailure> {
        match self.answers.try_recv() {
            Ok(line) => Ok(Some(line)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(ended()),
        }
    }

    /// Waits for a line until the deadline, which comes with the time that was allowed.
    pub(crate) fn next_line(
        &self,
        (deadline, limit): (Instant, Duration),
        progress: &Progress,
    ) -> Result<String, GtpFailure> {
        loop {
            if progress.is_stopped() {
                return Err(GtpFailure::Stopped);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(GtpFailure::TimedOut(limit));
            }
            match self.answers.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(ended()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Returns the error of a command, and ends the program unless it only refused.
    fn error(&mut self, command: &str, mut failure: GtpFailure) -> GtpClientError {
        let mut stderr = Vec::new();
        if !matches!(failure, GtpFailure::Refused(_)) {
            self.stdin = None;
            let may_end = matches!(failure, GtpFailure::Ended(_));
            let status = self.process.end(if may_end { WAIT_TIMEOUT } else { Duration::ZERO });
            if let (GtpFailure::Ended(end), Some(status)) = (&mut failure, status) {
                *end = status.to_string();
            }
            if !matches!(failure, GtpFailure::Stopped) {
                stderr = self.stderr.take(WAIT_TIMEOUT);
            }
        }
        GtpClientError { program: self.program.clone(), command: command.to_owned(), failure, stderr }
    }
}

/// Waits until something is done, but no longer than `timeout`.
pub(super) fn wait_for(timeout: Duration, mut is_done: impl FnMut() -> bool) {
    let deadline = Instant::now() + timeout;
    while !is_done() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(2));
    }
}

/// Returns the failure of a program of which nothing more is known.
fn ended() -> GtpFailure {
    GtpFailure::Ended("it closed its output".to_owned())
}

fn garbage(said: &str) -> GtpFailure {
    GtpFailure::Garbage(shortened(said))
}

/// Reads lines into a channel that closes at the end.
fn lines(source: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::sync_channel(MAX_LINES_AHEAD);
    thread::spawn(move || read_lines(source, |line| sender.send(line).is_ok()));
    receiver
}

/// Reads lines, without line ends and control characters, to the end or until one of them is not taken.
fn read_lines(source: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut source = BufReader::new(source);
    let mut bytes = Vec::new();
    while source.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut bytes).is_ok_and(|length| length > 0) {
        let text = String::from_utf8_lossy(&bytes).replace('\t', " ");
        if !take(text.chars().filter(|char| !char.is_control()).collect()) {
            break;
        }
        bytes.clear();
    }
}

/// The last lines of a stream that is read to its end by a thread.
#[derive(Debug)]
struct LastLines {
    lines: Arc<Mutex<VecDeque<String>>>,
    reader: JoinHandle<()>,
}

impl LastLines {
    fn from_reader(source: impl Read + Send + 'static) -> Self {
        let lines = Arc::new(Mutex::new(VecDeque::new()));
        let shared = Arc::clone(&lines);
        let keep = move |line: String| {
            if !line.trim().is_empty() {
                let mut lines = shared.lock().unwrap_or_else(PoisonError::into_inner);
                if lines.len() == LAST_LINES {
                    lines.pop_front();
                }
                lines.push_back(shortened(&line));
            }
            true
        };
        let reader = thread::spawn(move || read_lines(source, keep));
        Self { lines, reader }
    }

    /// Returns the lines once the stream has ended, or those so far when it does not within `timeout`.
    fn take(&self, timeout: Duration) -> Vec<String> {
        wait_for(timeout, || self.reader.is_finished());
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// Returns the beginning of a line, for messages.
fn shortened(line: &str) -> String {
    let mut chars = line.chars();
    let short: String = chars.by_ref().take(LAST_CHARS).collect();
    if chars.next().is_none() { short } else { short + "…" }
}

/// Why a GTP program gave no usable answer. The message names the program, and the command where there was one.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.message())]
pub struct GtpClientError {
    /// The command line.
    pub program: String,
    /// What was asked; empty when the program was started.
    pub command: String,
    /// What went wrong.
    pub failure: GtpFailure,
    /// The program's last lines on standard error.
    pub stderr: Vec<String>,
}

/// What can go wrong with a GTP program.
#[derive(Debug)]
#[non_exhaustive]
pub enum GtpFailure {
    /// A command line without a program, or with a quote that is not closed.
    BadCommandLine,
    /// The operating system did not start it.
    NotStarted(io::Error),
    /// It answered with GTP's failure, which has this text. The program can be asked on.
    Refused(String),
    /// It ended in this way, or closed its input or output, before it had answered.
    Ended(String),
    /// No complete answer came in this time; it was killed.
    TimedOut(Duration),
    /// What it said is no answer of GTP, or was not asked for; it was killed. The text is shortened.
    Garbage(String),
    /// Stopped by [`Progress::stop`](crate::Progress::stop); the program was killed.
    Stopped,
}

impl GtpClientError {
    fn message(&self) -> String {
        let Self { program, command, failure, stderr } = self;
        let what = match failure {
            GtpFailure::BadCommandLine => {
                return format!(
                    "`{program}` is not a command line: write the program and its arguments, quoted as in a shell where they hold blanks"
                );
            }
            GtpFailure::NotStarted(error) => {
                return format!(
                    "cannot start `{program}`: {error}. Check that it is installed and its path is right"
                );
            }
            GtpFailure::Stopped => return "stopped on request".to_owned(),
            GtpFailure::Refused(message) => format!("refused `{command}`: {message}"),
            GtpFailure::Ended(end) => format!("ended before it had answered `{command}` ({end})"),
            GtpFailure::TimedOut(limit) => {
                format!("did not answer `{command}` in {} s and was killed", limit.as_secs_f64())
            }
            GtpFailure::Garbage(said) => {
                format!("answered `{command}` with `{said}`, which is no GTP answer")
            }
        };
        let last = if stderr.is_empty() { "" } else { "; its last words: " };
        format!("`{program}` {what}{last}{}", stderr.join(" / "))
    }
}

fn not_started(program: &str, failure: GtpFailure) -> GtpClientError {
    GtpClientError { program: program.to_owned(), command: String::new(), failure, stderr: Vec::new() }
}

/// Splits a command line into its words, of which there is one at least.
fn words(program: &str) -> Result<Vec<String>, GtpClientError> {
    let words = shlex::split(program).filter(|words| !words.is_empty());
    words.ok_or_else(|| not_started(program, GtpFailure::BadCommandLine))
}

/// A GTP program as a player. It is started for the first game and plays all of them; it is started again if it ended or was killed.
///
/// GTP cannot say which rules hold: the command line must make the program play by the rules of the game.
#[derive(Debug)]
pub struct GtpPlayer<'a> {
    program: String,
    time_limit: Duration,
    progress: &'a Progress,
    client: Option<GtpClient>,
    control: Option<TimeControl>,
    /// How long the next move may take, if a clock says so.
    move_limit: Option<Duration>,
}

impl<'a> GtpPlayer<'a> {
    /// Returns the player of a command line that must answer each command within the time limit, and is killed when `progress` stops.
    #[must_use]
    pub fn new(program: &str, time_limit: Duration, progress: &'a Progress) -> Self {
        let program = program.to_owned();
        Self { program, time_limit, progress, client: None, control: None, move_limit: None }
    }

    /// Returns the player of games with clocks. It tells the program the time control, and what is [left](Player::time_left) before each move; a program
    /// that does not know these commands is not told. The clock replaces the time limit of moves.
    #[must_use]
    pub fn with_clock(self, control: Option<TimeControl>) -> Self {
        Self { control, ..self }
    }

    /// Sends a command to the program, which is started if there is none. A program that ended in the middle of a game is not started again.
    fn ask(&mut self, command: &str) -> Result<String, GtpClientError> {
        self.ask_within(command, self.time_limit)
    }

    fn ask_within(&mut self, command: &str, time_limit: Duration) -> Result<String, GtpClientError> {
        let progress = self.progress;
        let client = match &mut self.client {
            Some(client) => client,
            none => none.insert(GtpClient::start(&self.program)?),
        };
        client.ask(command, time_limit, progress)
    }

    /// Sends a command that the program need not know. Returns whether it does.
    fn tell(&mut self, command: &str) -> Result<bool, GtpClientError> {
        match self.ask(command) {
            Err(GtpClientError { failure: GtpFailure::Refused(_), .. }) => Ok(false),
            answer => answer.map(|_| true),
        }
    }

    /// GTP has no command for increments; KataGo has.
    fn tell_time_control(&mut self, control: TimeControl) -> Result<(), GtpClientError> {
        if let Overtime::Increment(increment) = control.overtime {
            let increment = increment.as_secs_f64();
            if self.tell(&format!("kata-time_settings fischer {} {increment}", control.main))? {
                return Ok(());
            }
        }
        self.tell(&format!("time_settings {}", control.gtp_settings())).map(drop)
    }

    fn play(&mut self, game: &Game, color: Color, mv: Move) -> Result<(), GtpClientError> {
        self.ask(&format!("play {} {}", color.name(), mv.to_gtp(game.board().size()))).map(drop)
    }
}

impl Player for GtpPlayer<'_> {
    /// Sends board size and komi, and the stones of the position: those of a handicap as such if the program knows GTP's command.
    fn begin(&mut self, game: &Game, komi: Komi) -> Result<(), PlayerError> {
        let board = game.board();
        if !board.size().is_square() {
            return Err(PlayerError::new("programs play on square boards only"));
        }
        if !self.client.as_ref().is_some_and(GtpClient::is_usable) {
            // Dropping the client waits for the old process, so that it is gone before the new one starts.
            self.client = None;
        }
        self.ask(&format!("boardsize {}", board.size().width()))?;
        self.ask("clear_board")?;
        self.ask(&format!("komi {komi}"))?;
        if let Some(control) = self.control {
            self.tell_time_control(control)?;
        }
        if is_handicap(game) {
            let points = board.stones(Color::Black).map(|point| point.to_gtp(board.size()));
            if self.tell(&format!("set_free_handicap {}", points.collect::<Vec<_>>().join(" ")))? {
                return Ok(());
            }
        }
        for color in Color::BOTH {
            for point in board.stones(color) {
                self.play(game, color, Move::Play(point))?;
            }
        }
        Ok(())
    }

    fn note(&mut self, game: &Game, color: Color, mv: Move) -> Result<(), PlayerError> {
        Ok(self.play(game, color, mv)?)
    }

    fn choose(&mut self, game: &Game, _: &mut Stream) -> Result<Decision, PlayerError> {
        let time_limit = self.move_limit.take().unwrap_or(self.time_limit);
        let answer = self.ask_within(&format!("genmove {}", game.to_play().name()), time_limit)?;
        if answer.eq_ignore_ascii_case("resign") {
            return Ok(Decision::Resign);
        }
        let mv = Move::from_gtp(&answer, game.board().size());
        mv.map(Decision::Move).map_err(|_| PlayerError::NotAMove(answer))
    }

    /// Tells the program in whole seconds, rounded down.
    fn time_left(&mut self, color: Color, left: TimeLeft) -> Result<(), PlayerError> {
        self.tell(&format!("time_left {} {} {}", color.name(), left.time.as_secs(), left.moves))?;
        self.move_limit = Some(left.limit);
        Ok(())
    }

    /// Asks for the dead stones.
    fn claims(&mut self, game: &Game) -> Result<Claims, PlayerError> {
        let answer = self.ask("final_status_list dead")?;
        Ok(Claims { dead: chains(&answer, game).map_err(PlayerError::Failed)?, seki: Vec::new() })
    }
}

/// Returns whether Black alone has stones, two or more, and White is to move.
fn is_handicap(game: &Game) -> bool {
    let [black, white] = Color::BOTH.map(|color| game.board().stone_count(color));
    black > 1 && white == 0 && game.to_play() == Color::White
}

/// Reads a list of stones, as `final_status_list` gives it, into the chains that it names, in the order of their first stones.
fn chains(answer: &str, game: &Game) -> Result<Vec<Vec<Point>>, String> {
    let board = game.board();
    let mut chains = BTreeSet::new();
    for name in answer.split_whitespace() {
        let point = Point::from_gtp(name, board.size()).map_err(|error| error.to_string())?;
        if board.stone(point).is_none() {
            return Err(format!("no stone is on {name}"));
        }
        chains.insert(board.chain_stones(point).collect::<Vec<_>>());
    }
    Ok(chains.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_clean_and_the_last_ones_are_kept() {
        let text: String = (0..9).map(|line| format!("line\t{line}\r\n\n")).collect();
        let read: Vec<_> = lines(io::Cursor::new(text.clone())).iter().collect();
        assert_eq!((read.len(), read[0].as_str(), read[1].as_str()), (18, "line 0", ""));
        let last = LastLines::from_reader(io::Cursor::new(text)).take(Duration::from_secs(9));
        assert_eq!(last, ["line 4", "line 5", "line 6", "line 7", "line 8"]);
    }

    #[test]
    fn endless_lines_come_in_pieces() {
        let first = lines(io::repeat(b'x')).recv().unwrap();
        assert_eq!(first.len() as u64, MAX_LINE_BYTES);
        assert_eq!(shortened(&first).chars().count(), LAST_CHARS + 1);
    }

    #[test]
    fn open_quotes_and_empty_lines_are_refused() {
        for line in ["", "  ", "a 'b", "a \"b", "a\\"] {
            assert!(GtpClient::check_command_line(line).is_err(), "{line}");
        }
    }

    #[test]
    fn lists_of_dead_stones_name_chains() {
        let mut game: Game = Game::new("5".parse().unwrap(), "chinese".parse().unwrap());
        let stones = [(0, 0), (0, 1), (3, 3)].map(|(x, y)| (Point::new(x, y), Color::White));
        game.set_position(stones, Color::Black).unwrap();
        assert_eq!(chains("A5", &game).unwrap(), [[Point::new(0, 0), Point::new(0, 1)]]);
        assert_eq!(chains("A4 D2 A5", &game).unwrap().len(), 2);
        assert!(chains("", &game).unwrap().is_empty());
        for text in ["B5", "Z1", "A5,A4"] {
            assert!(chains(text, &game).is_err(), "{text}");
        }
    }
}
