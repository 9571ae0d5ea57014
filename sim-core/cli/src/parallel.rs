//! Work on all cores: the core itself knows no threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Number of cores that may be used.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Results of `run` for 0 to `n` - 1, in that order, worked out by `jobs` threads. `done` is told how many are finished.
pub(crate) fn map<T: Send>(
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
                    // A thread that panics ends the scope with a panic; nobody reads after that.
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
