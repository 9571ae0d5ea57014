//! The functions that a program may have, and when they are called.

/// A function of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hook {
    /// A thread begins.
    Start,
    /// A thread has ended.
    Exit,
    /// The nice value of a thread has changed.
    Renice,
    /// A thread is about to be woken.
    Wake,
    /// Where a runnable thread waits.
    Place,
    /// A thread joins a list.
    Enqueue,
    /// A thread is not runnable any more.
    Dequeue,
    /// Whether a thread that joined a list goes before the one that runs.
    Preempt,
    /// Who runs next.
    Pick,
    /// How long it may run until somebody is picked again.
    Slice,
    /// Regularly while a thread runs.
    Tick,
    /// A thread has run for a time.
    Ran,
    /// A CPU has nothing to do.
    Idle,
    /// Regularly, for the whole machine.
    Balance,
    /// The running thread gives up its turn.
    Yielded,
}

/// Each function with its name and the names of its parameters, in the order of their numbers.
pub const ALL: [(Hook, &str, &[&str]); 15] = [
    (Hook::Start, "start", &["t"]),
    (Hook::Exit, "exit", &["t"]),
    (Hook::Renice, "renice", &["t", "old"]),
    (Hook::Wake, "wake", &["t"]),
    (Hook::Place, "place", &["t"]),
    (Hook::Enqueue, "enqueue", &["t", "cpu"]),
    (Hook::Dequeue, "dequeue", &["t"]),
    (Hook::Preempt, "preempt", &["t", "cpu"]),
    (Hook::Pick, "pick", &["cpu"]),
    (Hook::Slice, "slice", &["t"]),
    (Hook::Tick, "tick", &["cpu"]),
    (Hook::Ran, "ran", &["t", "time"]),
    (Hook::Idle, "idle", &["cpu"]),
    (Hook::Balance, "balance", &[]),
    (Hook::Yielded, "yielded", &["t"]),
];

impl Hook {
    /// Its name in programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        ALL[self as usize].1
    }

    /// Whether it may move threads that wait.
    pub(crate) fn may_move(self) -> bool {
        matches!(self, Self::Balance | Self::Idle | Self::Tick)
    }
}
