//! Work on all cores; the core itself uses no operating-system threads.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// Number of cores that may be used.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Results of `run` for 0 to `n` - 1, in that order, computed by `jobs` threads. `done` is called with the number of
/// finished ones.
pub fn map<T: Send>(
    n: usize,
    jobs: usize,
    run: impl Fn(usize) -> T + Sync,
    done: impl Fn(usize) + Sync,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let finished = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<T>>> = (0..n).map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, n.max(1)) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= n {
                        return;
                    }
                    let result = run(i);
                    // A thread that panics ends the scope with a panic, so its results are not read.
                    if let Ok(mut slot) = results[i].lock() {
                        *slot = Some(result);
                    }
                    done(finished.fetch_add(1, Ordering::Relaxed) + 1);
                }
            });
        }
    });
    results
        .into_iter()
        .filter_map(|slot| slot.into_inner().ok().flatten())
        .collect()
}

/// Computes `run` for some numbers with `jobs` threads. `done` receives each result on this thread, in the order of the
/// numbers, as soon as it and all earlier ones exist.
pub fn in_order<T: Send>(
    numbers: Range<usize>,
    jobs: usize,
    run: impl Fn(usize) -> T + Sync,
    mut done: impl FnMut(T),
) {
    in_order_while(numbers, jobs, run, |result| {
        if let Some(result) = result {
            done(result);
        }
        true
    });
}

/// How long [`in_order_while`] waits for a result before it asks `done` whether to go on.
const BEAT: Duration = Duration::from_millis(20);

/// As [`in_order`], but goes on only while `done` returns true. `done` receives a result, or `None` at intervals when
/// there is none. After that no further number is begun, and the running ones are finished.
pub fn in_order_while<T: Send>(
    numbers: Range<usize>,
    jobs: usize,
    run: impl Fn(usize) -> T + Sync,
    mut done: impl FnMut(Option<T>) -> bool,
) {
    let next = AtomicUsize::new(numbers.start);
    let (end, jobs) = (numbers.end, jobs.clamp(1, numbers.len().max(1)));
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let (send, next, run) = (send.clone(), &next, &run);
            scope.spawn(move || {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= end || send.send((i, run(i))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut early = BTreeMap::new();
        let mut wanted = numbers.start;
        loop {
            let goes_on = match receive.recv_timeout(BEAT) {
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => done(None),
                Ok((i, result)) => {
                    early.insert(i, result);
                    let mut goes_on = true;
                    while let Some(result) = early.remove(&wanted).filter(|_| goes_on) {
                        goes_on = done(Some(result));
                        wanted += 1;
                    }
                    goes_on
                }
            };
            if !goes_on {
                next.store(end, Ordering::Relaxed);
                return;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_however_long_each_takes() {
        let (gate, wait) = mpsc::channel::<()>();
        let wait = Mutex::new(wait);
        let mut seen = Vec::new();
        in_order(
            3..9,
            4,
            |i| {
                // The first one finishes only after the last one has begun.
                if i == 3 {
                    let _ = wait.lock().map(|w| w.recv());
                } else if i == 8 {
                    let _ = gate.send(());
                }
                i
            },
            |i| seen.push(i),
        );
        assert_eq!(seen, [3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn nothing_is_begun_after_a_stop() {
        let begun = AtomicUsize::new(0);
        let mut seen = 0;
        in_order_while(
            0..1_000_000,
            2,
            |_| begun.fetch_add(1, Ordering::Relaxed),
            |result| {
                seen += usize::from(result.is_some());
                seen < 3
            },
        );
        assert_eq!(seen, 3);
        assert!(begun.load(Ordering::Relaxed) < 1_000_000);
    }
}
