//! What a trace tells, in one form for all formats.

/// Number of a thread: the kernel's own, as the trace writes it.
pub type Pid = u32;

/// The idle thread of every CPU.
pub const IDLE: Pid = 0;

/// The name of the process that starts the threads of `timeslice real`. It shares their group, and its name begins as theirs,
/// so whoever finds it in a trace knows which threads to ask about.
pub const CONDUCTOR: &str = "ts-conductor";

/// One line of a trace that is about scheduling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Time of the trace's own clock, in ns.
    pub at: u64,
    /// CPU on which it happened.
    pub cpu: u16,
    /// Who did it.
    pub context: Context,
    /// What happened.
    pub kind: Kind,
}

/// Who was on the CPU when something happened there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// The current thread.
    pub pid: Pid,
    /// Whether an interrupt did it, over the head of the current thread. Unknown where the format does not say.
    pub irq: Option<bool>,
}

impl Context {
    /// The thread that did it; none for an interrupt and for an idle CPU.
    #[must_use]
    pub fn thread(self) -> Option<Pid> {
        (self.pid != IDLE && self.irq != Some(true)).then_some(self.pid)
    }
}

/// What happened. Priorities are numbered as the trace's kernel numbers them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The CPU goes on with another thread.
    Switch {
        /// Who leaves the CPU.
        prev: Pid,
        /// Its priority.
        prev_prio: i32,
        /// What it does then.
        prev_state: State,
        /// Who has the CPU now.
        next: Pid,
        /// Its priority.
        next_prio: i32,
    },
    /// A thread is being woken, in the context of its waker.
    Waking {
        /// Who wakes.
        pid: Pid,
        /// Its priority.
        prio: i32,
        /// CPU where it was, if told.
        target: Option<u16>,
    },
    /// A woken thread is in a queue.
    Wakeup {
        /// Who woke.
        pid: Pid,
        /// Its priority.
        prio: i32,
        /// CPU where it waits, if told.
        target: Option<u16>,
        /// The wake-up was told before, as [`Kind::Waking`].
        twin: bool,
    },
    /// A thread that has just begun is in a queue.
    WakeupNew {
        /// Who begins.
        pid: Pid,
        /// Its priority.
        prio: i32,
        /// CPU where it waits, if told.
        target: Option<u16>,
    },
    /// A thread starts another.
    Fork {
        /// Who starts it.
        parent: Pid,
        /// The new thread.
        child: Pid,
    },
    /// A process becomes another program.
    Exec {
        /// Its thread.
        pid: Pid,
    },
    /// A thread ends. It still has its CPU until the next switch.
    Exit {
        /// Who ends.
        pid: Pid,
    },
    /// A thread has another name now.
    Rename {
        /// Whose.
        pid: Pid,
    },
    /// A thread comes to another CPU's queue.
    Migrate {
        /// Who.
        pid: Pid,
        /// From this CPU.
        from: u16,
        /// To this one.
        to: u16,
    },
    /// The kernel has accounted for time that a thread had.
    Runtime {
        /// Who had it.
        pid: Pid,
        /// How much since the last accounting.
        ns: u64,
    },
    /// A thread calls `sched_yield`, or comes back from it.
    Yield {
        /// Who.
        pid: Pid,
        /// Whether it comes back.
        returns: bool,
    },
    /// Events of this CPU are missing here: the recorder lost them.
    Lost {
        /// How many, if told.
        events: Option<u64>,
    },
}

/// What a thread does that leaves its CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It can run and waits (`R`, 0). The line does not say whether it gave way of itself, and not always that it was
    /// preempted.
    Runnable,
    /// It gave way of itself, and the trace says so: it waits. On Linux the events of `sched_yield` around the switch do.
    Yields,
    /// It was preempted: it waits (`R+`, or a number with the bit for it).
    Preempted,
    /// It sleeps and signals can wake it (`S`, 1).
    Sleeping,
    /// It sleeps and signals cannot wake it: mostly for a device or a lock (`D`, 2).
    Blocked,
    /// It is stopped or traced (`T`, `t`).
    Stopped,
    /// It has ended (`X`, `x`, `Z`).
    Ended,
    /// It is put aside by the kernel (`P`).
    Parked,
    /// A thread of the kernel without work (`I`).
    Idle,
    /// Something else, which is not waiting.
    Other,
}

impl State {
    /// Whether it is still in a queue.
    #[must_use]
    pub fn waits(self) -> bool {
        matches!(self, Self::Runnable | Self::Yields | Self::Preempted)
    }

    /// The letter of Linux, as `ps` prints it.
    #[must_use]
    pub fn letters(self) -> &'static str {
        match self {
            Self::Runnable | Self::Yields => "R",
            Self::Preempted => "R+",
            Self::Sleeping => "S",
            Self::Blocked => "D",
            Self::Stopped => "T",
            Self::Ended => "X",
            Self::Parked => "P",
            Self::Idle => "I",
            Self::Other => "?",
        }
    }
}
