//! Programs that speak GTP, the Go Text Protocol, as child processes.

mod error;
mod output;
mod words;

use std::{
    io::{self, Write as _},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError},
    thread,
    time::{Duration, Instant},
};

pub use error::EngineError;
use output::{LastLines, lines, shortened};

use crate::Progress;

/// How often a wait looks whether it shall stop.
const LOOK: Duration = Duration::from_millis(50);
/// How long a program that closed its output may take to end, and its standard error to arrive.
const PATIENCE: Duration = Duration::from_millis(300);
/// The largest answer, in lines and in bytes.
const MAX_LINES: usize = 10_000;
const MAX_BYTES: usize = 1 << 20;

/// A running program that speaks GTP 2.
///
/// One command at a time: [`ask`](Self::ask) waits for the answer, so commands need no numbers. A program that ends, hangs or says what is no answer
/// is killed, and every later question fails; start it anew then. Dropped, it is killed and waited for. A program that the program
/// itself starts is not killed, but its standard input ends: in scripts, write `exec` before the engine.
///
/// # Source
/// Gunnar Farnebäck, *Specification of the Go Text Protocol, version 2, draft 2*.
///
/// ```no_run
/// use std::time::Duration;
/// use jigo_selfplay::{engine_process::EngineProcess, Progress};
/// let mut engine = EngineProcess::start("gnugo --mode gtp")?;
/// println!("{}", engine.ask("genmove black", Duration::from_secs(60), &Progress::new())?);
/// # Ok::<(), jigo_selfplay::engine_process::EngineError>(())
/// ```
#[derive(Debug)]
pub struct EngineProcess {
    program: String,
    child: Child,
    /// Closed once the program is out of step.
    stdin: Option<ChildStdin>,
    answers: Receiver<String>,
    stderr: LastLines,
}

impl EngineProcess {
    /// Starts the program of a command line, which is split as in a shell; no shell is used. It is no member of the terminal's foreground
    /// group, so that Ctrl-C does not reach it.
    ///
    /// # Errors
    /// [`EngineError::BadCommandLine`], [`EngineError::NotStarted`].
    pub fn start(program: &str) -> Result<Self, EngineError> {
        let words = words::split(program)
            .ok_or_else(|| EngineError::BadCommandLine { program: program.to_owned() })?;
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let fail = |source| EngineError::NotStarted { program: program.to_owned(), source };
        let mut child = command.spawn().map_err(fail)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(fail(io::ErrorKind::BrokenPipe.into()));
        };
        let (answers, stderr) = (lines(stdout), LastLines::of(stderr));
        Ok(Self { program: program.to_owned(), child, stdin: Some(stdin), answers, stderr })
    }

    /// The command line.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.program
    }

    /// The number of the process.
    #[must_use]
    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it can still be asked: nothing but refusals went wrong so far.
    #[must_use]
    pub fn is_in_step(&self) -> bool {
        self.stdin.is_some()
    }

    /// Sends a command and waits for the answer: its text without the leading `=`, blanks at its ends removed.
    ///
    /// # Errors
    /// [`EngineError::Refused`] when the program says that it failed; it can be asked on. All other errors end the program:
    /// [`Ended`](EngineError::Ended), [`TimedOut`](EngineError::TimedOut), [`Garbage`](EngineError::Garbage), and
    /// [`Stopped`](EngineError::Stopped) when `progress` says so.
    pub fn ask(
        &mut self,
        command: &str,
        time_limit: Duration,
        progress: &Progress,
    ) -> Result<String, EngineError> {
        match self.try_ask(command, time_limit, progress) {
            Ok(Answer { success: true, text }) => Ok(text),
            Ok(Answer { success: false, text }) => Err(EngineError::Refused {
                program: self.program.clone(),
                command: command.to_owned(),
                message: text,
            }),
            Err(trouble) => Err(self.give_up(command, time_limit, trouble)),
        }
    }

    fn try_ask(
        &mut self,
        command: &str,
        time_limit: Duration,
        progress: &Progress,
    ) -> Result<Answer, Trouble> {
        let stdin = self.stdin.as_mut().ok_or(Trouble::Ended)?;
        match self.answers.try_recv() {
            Ok(line) if !line.trim().is_empty() => return Err(Trouble::Garbage(line)),
            Err(TryRecvError::Disconnected) => return Err(Trouble::Ended),
            Ok(_) | Err(TryRecvError::Empty) => {}
        }
        writeln!(stdin, "{command}").and_then(|()| stdin.flush()).map_err(|_| Trouble::Ended)?;
        let deadline = Instant::now() + time_limit;
        let mut first = self.next_line(deadline, progress)?;
        while first.trim().is_empty() {
            first = self.next_line(deadline, progress)?;
        }
        let (success, text) = match first.split_at_checked(1) {
            Some(("=", text)) => (true, text),
            Some(("?", text)) => (false, text),
            _ => return Err(Trouble::Garbage(first)),
        };
        let mut text = text.to_owned();
        for _ in 0..MAX_LINES {
            let line = self.next_line(deadline, progress)?;
            if line.trim().is_empty() {
                return Ok(Answer { success, text: text.trim().to_owned() });
            }
            if text.len() > MAX_BYTES {
                break;
            }
            text.extend(["\n", &line]);
        }
        Err(Trouble::Garbage(text))
    }

    fn next_line(&self, deadline: Instant, progress: &Progress) -> Result<String, Trouble> {
        loop {
            if progress.is_stopped() {
                return Err(Trouble::Stopped);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Trouble::TimedOut);
            }
            match self.answers.recv_timeout(left.min(LOOK)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Disconnected) => return Err(Trouble::Ended),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Ends the program and says why.
    fn give_up(&mut self, command: &str, limit: Duration, trouble: Trouble) -> EngineError {
        self.stdin = None;
        let end = if matches!(trouble, Trouble::Ended) { self.wait_a_little() } else { None };
        self.kill();
        let (program, command) = (self.program.clone(), command.to_owned());
        let stderr = || self.stderr.take(PATIENCE);
        match trouble {
            Trouble::Stopped => EngineError::Stopped,
            Trouble::TimedOut => EngineError::TimedOut { program, command, limit, stderr: stderr() },
            Trouble::Garbage(said) => {
                EngineError::Garbage { program, command, said: shortened(&said), stderr: stderr() }
            }
            Trouble::Ended => {
                let end = end.unwrap_or_else(|| "it closed its output".to_owned());
                EngineError::Ended { program, command, end, stderr: stderr() }
            }
        }
    }

    /// How the program ended, if it does so soon.
    fn wait_a_little(&mut self) -> Option<String> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    fn kill(&mut self) {
        // Both fail only when the process is gone and waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.stdin = None;
        self.kill();
    }
}

/// A complete answer.
struct Answer {
    success: bool,
    text: String,
}

/// Why there is none.
enum Trouble {
    Ended,
    TimedOut,
    Garbage(String),
    Stopped,
}
