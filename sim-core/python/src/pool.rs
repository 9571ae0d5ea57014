//! Work on several threads that a signal can stop.

use crate::errors::released;
use pyo3::prelude::*;
use sim_host::parallel;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// Number of threads: as requested, or one for each core.
pub(crate) fn jobs(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(parallel::cores)
}

/// Results of `run` for some numbers, in their order, by `jobs` threads, without Python's lock. `run` receives a
/// function that says whether to go on. Signals are checked at intervals, and `progress` is called with the number of
/// finished ones.
pub(crate) fn map<T: Send>(
    py: Python<'_>,
    numbers: Range<usize>,
    jobs: usize,
    progress: Option<&Py<PyAny>>,
    run: impl Fn(usize, &dyn Fn() -> bool) -> T + Sync + Send,
) -> PyResult<Vec<T>> {
    let is_stopped = AtomicBool::new(false);
    let goes_on = || !is_stopped.load(Ordering::Relaxed);
    let (mut results, mut error) = (Vec::new(), None);
    let mut since = 0_usize;
    released(py, || {
        parallel::in_order_while(
            numbers,
            jobs,
            |number| run(number, &goes_on),
            |result| {
                let is_beat = result.is_none();
                results.extend(result);
                since += 1;
                if !is_beat && since < SELDOM {
                    return true;
                }
                since = 0;
                let looked = Python::attach(|py| look(py, progress, results.len()));
                if let Err(stop) = looked {
                    error = Some(stop);
                    is_stopped.store(true, Ordering::Relaxed);
                }
                goes_on()
            },
        );
    })?;
    match error {
        Some(error) => Err(error),
        None => {
            py.check_signals()?;
            tell(py, progress, results.len())?;
            Ok(results)
        }
    }
}

/// Signals are checked after at most this many results, even if results arrive without a pause.
const SELDOM: usize = 64;

fn look(py: Python<'_>, progress: Option<&Py<PyAny>>, done: usize) -> PyResult<()> {
    py.check_signals()?;
    tell(py, progress, done)
}

fn tell(py: Python<'_>, progress: Option<&Py<PyAny>>, done: usize) -> PyResult<()> {
    if let Some(progress) = progress {
        progress.call1(py, (done,))?;
    }
    Ok(())
}
