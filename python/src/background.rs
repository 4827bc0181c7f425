//! Work on threads, which Ctrl-C stops.

use std::{
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

use jigo_selfplay::{Progress, Stopped};
use pyo3::{Bound, prelude::*};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::arguments::{Error, number};

/// How often it is looked whether the user has pressed Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Takes how many threads are to work; 0 for one per processor.
pub(crate) fn threads(object: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    object.map_or(Ok(0), |object| Ok(number("threads", object, 1..=1024)? as usize))
}

/// Starts threads. They do not survive a fork.
pub(crate) fn pool(threads: usize) -> PyResult<ThreadPool> {
    let failed = |error| Error::new_err(format!("cannot start threads: {error}"));
    ThreadPoolBuilder::new().num_threads(threads).build().map_err(failed)
}

/// Plays games as [`run`] works: nothing but an exception stops them.
pub(crate) fn play<T: Send>(
    py: Python<'_>,
    threads: usize,
    progress: &Progress,
    work: impl FnOnce() -> Result<T, Stopped> + Send,
) -> PyResult<T> {
    let played = run(py, threads, || progress.stop(), work)?;
    played.map_err(|stopped| Error::new_err(stopped.to_string()))
}

/// Works on so many threads while other Python code runs, and calls
/// `stop` when a signal raises an exception. The exception is returned
/// when the work has ended. A signal that came before is noticed too,
/// so that many short pieces of work can be interrupted as one long
/// piece can.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    threads: usize,
    stop: impl Fn() + Sync,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.check_signals()?;
    let pool = pool(threads)?;
    py.detach(|| {
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            let worker = scope.spawn(move || {
                // Nobody waits for it any more when this panics.
                _ = sender.send(pool.install(work));
            });
            let mut interruption = None;
            loop {
                match receiver.recv_timeout(SIGNAL_INTERVAL) {
                    Ok(result) => return interruption.map_or(Ok(result), Err),
                    Err(RecvTimeoutError::Disconnected) => {
                        _ = worker.join();
                        return Err(Error::new_err("jigo has failed: please report this"));
                    }
                    Err(RecvTimeoutError::Timeout) => {
                        if let Err(error) = Python::attach(|py| py.check_signals()) {
                            stop();
                            interruption = Some(error);
                        }
                    }
                }
            }
        })
    })
}
