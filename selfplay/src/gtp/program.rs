//! Running programs, which end with everything that they started.

use std::{
    collections::BTreeSet,
    io,
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
    sync::{
        Mutex, MutexGuard, PoisonError,
        mpsc::{self, Sender},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use super::client::wait_for;

/// The groups of all running programs; `None` once they were killed and no other may start.
static RUNNING: Mutex<Option<BTreeSet<u32>>> = Mutex::new(Some(BTreeSet::new()));

fn running() -> MutexGuard<'static, Option<BTreeSet<u32>>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills all programs that any [`GtpClient`](super::GtpClient) of this process runs, with everything that they started. None can be started
/// afterwards.
///
/// Call this before [`std::process::exit`], which drops nothing. On Unix only; elsewhere it does nothing.
pub fn kill_programs() {
    running().take().into_iter().flatten().for_each(kill_group);
}

/// A program in a process group of its own, which is killed when this is dropped.
///
/// A thread of its own starts the program and stays until it is killed, because Linux kills a program when the thread ends that has started it: that
/// is how a program ends when its parent is killed.
#[derive(Debug)]
pub(super) struct Program {
    id: u32,
    /// Takes the time that the program has to end by itself; none once it has ended.
    owner: Option<(Sender<Duration>, JoinHandle<Option<ExitStatus>>)>,
}

/// The other ends of a program's standard streams.
pub(super) type Pipes = (ChildStdin, ChildStdout, ChildStderr);

impl Program {
    /// Starts a program.
    pub(super) fn start(mut command: Command) -> io::Result<(Self, Pipes)> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (started, start) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        let owner = thread::spawn(move || {
            let mut child = match spawn(&mut command) {
                Ok(child) => child,
                Err(error) => {
                    _ = started.send(Err(error));
                    return None;
                }
            };
            let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
            _ = started.send(Ok((child.id(), pipes)));
            // Without an answer, whoever had the program is gone.
            finish(child, ended.recv().unwrap_or_default())
        });
        let (id, pipes) = start.recv().unwrap_or_else(|_| unreachable!("the thread sends one message"))?;
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else { unreachable!("all three are piped") };
        Ok((Self { id, owner: Some((end, owner)) }, (stdin, stdout, stderr)))
    }

    /// Returns the number of the process and of its group.
    pub(super) fn id(&self) -> u32 {
        self.id
    }

    /// Kills the group and waits for the program. Returns the program's status if it ends by itself before `patience` is over.
    pub(super) fn end(&mut self, patience: Duration) -> Option<ExitStatus> {
        let (end, owner) = self.owner.take()?;
        _ = end.send(patience);
        owner.join().ok().flatten()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}

/// Starts a program as the head of a group, which Ctrl-C in a terminal does not reach.
fn spawn(command: &mut Command) -> io::Result<Child> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(target_os = "linux")]
    end_with_parent(command);
    let mut running = running();
    let Some(groups) = &mut *running else { return Err(io::ErrorKind::Interrupted.into()) };
    let child = command.spawn()?;
    groups.insert(child.id());
    Ok(child)
}

/// Makes the system kill the program when the thread that starts it ends.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "the signal must be set between fork and exec")]
fn end_with_parent(command: &mut Command) {
    use nix::{
        sys::{prctl::set_pdeathsig, signal::Signal},
        unistd::{getpid, getppid},
    };
    let parent = getpid();
    let set_up = move || {
        set_pdeathsig(Signal::SIGKILL)?;
        // No signal comes for a parent that is gone already.
        if getppid() == parent { Ok(()) } else { Err(io::ErrorKind::Interrupted.into()) }
    };
    // SAFETY: In the forked process, `set_up` only makes two system calls that may be made there. It allocates nothing and takes no lock.
    unsafe { std::os::unix::process::CommandExt::pre_exec(command, set_up) };
}

/// Kills a program's group and waits for the program. Returns its status if it ends by itself before `patience` is over.
fn finish(mut child: Child, patience: Duration) -> Option<ExitStatus> {
    wait_for(patience, || !matches!(child.try_wait(), Ok(None)));
    let status = child.try_wait().ok().flatten();
    if let Some(groups) = &mut *running() {
        kill_group(child.id());
        groups.remove(&child.id());
    }
    // Both fail only when the process is gone and waited for.
    _ = child.kill();
    _ = child.wait();
    status
}

/// Kills a program and all that it started in its group.
fn kill_group(id: u32) {
    #[cfg(unix)]
    {
        use nix::{
            sys::signal::{Signal, killpg},
            unistd::Pid,
        };
        // Fails only when all of them are gone.
        _ = killpg(Pid::from_raw(id.cast_signed()), Signal::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = id;
}
