//! What expressions ask of a lane, and the one pass over its run that answers all of it.
//!
//! Looks at times and counts of decisions are gathered together: however many expressions a lesson has, a lane is run once
//! (and once more where a question hangs on an answer, such as the CPU time until the first refusal).

use super::watch::Watch;
use crate::config::plan::Plan;
use crate::engine::{Options, Sim};
use crate::experiment::probe::loads;
use crate::ids::TaskId;
use crate::report;
use crate::sched::tally::Tally;
use crate::time::SimTime;
use std::sync::Arc;

/// Something that a run can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    /// Totals at a time in ns, after all that happens then; the end if it is over by then.
    Look(u64),
    /// A decision.
    Decision {
        /// Which.
        of: Decisions,
        /// The how-manieth, from 1; -1 the last.
        nth: i32,
        /// Only after this time in ns.
        after: Option<u64>,
    },
    /// How many decisions there are in a stretch of time, both ends included.
    Count {
        /// Which.
        of: Decisions,
        /// From, in ns.
        from: u64,
        /// To, in ns.
        to: u64,
    },
    /// From when on, in ns, every CPU has so many runnable threads, to the end.
    Settled(u64),
}

/// Which decisions are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decisions {
    /// Id of a reason, or a kind of reasons.
    pub(super) reason: String,
    /// Name of a thread or a group.
    pub(super) thread: Option<String>,
    /// Number of a CPU.
    pub(super) cpu: Option<u16>,
}

/// An answer.
#[derive(Clone, Debug)]
pub(super) enum Fact {
    Look(Look),
    Decision(Option<Found>),
    Count(u64),
    Time(Option<u64>),
}

/// A decision that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) id: u64,
    pub(super) at_ns: u64,
    pub(super) thread: Option<String>,
    pub(super) cpu: Option<u16>,
    pub(super) reason: u16,
    pub(super) operands: [i64; 4],
}

/// Totals at a time.
#[derive(Clone, Debug)]
pub(super) struct Look {
    pub(super) at_ns: u64,
    /// By number of the thread.
    pub(super) threads: Vec<ThreadLook>,
    /// Runnable threads of each CPU, the running one included.
    pub(super) loads: Vec<u64>,
    /// In the order of the registry; NaN where one is not defined.
    pub(super) metrics: Vec<f64>,
}

/// Totals of a thread, in ns.
#[derive(Clone, Debug)]
pub(super) struct ThreadLook {
    pub(super) cpu_ns: u64,
    pub(super) longest_wait_ns: u64,
}

/// A thread of a run.
#[derive(Clone, Debug)]
pub(super) struct Thread {
    pub(super) name: String,
    pub(super) group: String,
    pub(super) background: bool,
    pub(super) exited_at_ns: Option<u64>,
}

/// The end of a run.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub(super) look: Look,
    /// All threads that there ever were.
    pub(super) threads: Vec<Thread>,
    pub(super) tally: Tally,
    /// Digest of the run, as text.
    pub(super) digest: String,
}

/// What is known of a lane.
#[derive(Debug, Default)]
pub(super) struct LaneFacts {
    pub(super) ended: Option<Ended>,
    /// Few: lists are found through as fast as trees, and take less code.
    known: Vec<(Ask, Fact)>,
    /// What was asked and is not known yet.
    wanted: Vec<Ask>,
}

/// Decisions of one event that are kept: a balancer moves threads by the dozen.
const KEPT: usize = 4_096;

impl LaneFacts {
    /// What is known; nothing if that is not known yet.
    pub(super) fn find(&self, ask: &Ask) -> Option<&Fact> {
        let (_, fact) = self.known.iter().find(|(known, _)| known == ask)?;
        Some(fact)
    }

    /// Notes that somebody wants to know something.
    pub(super) fn want(&mut self, ask: &Ask) {
        if !self.wanted.contains(ask) {
            self.wanted.push(ask.clone());
        }
    }

    /// Runs the lane for everything that is wanted.
    pub(super) fn gather(&mut self, plan: &Arc<Plan>, lane: usize) {
        let asks = std::mem::take(&mut self.wanted);
        let mut stops: Vec<u64> = Vec::new();
        let mut watches = Vec::new();
        for ask in asks {
            match ask {
                Ask::Look(at) => stops.push(at),
                other => watches.push(Watch::new(plan, lane, other)),
            }
        }
        stops.sort_unstable();
        let options = Options {
            check: false,
            decision_limit: if watches.is_empty() { 0 } else { KEPT },
            ..Options::default()
        };
        let mut sim = Sim::new(plan, lane, options);
        let end = sim.end();
        let mut watching = Watching { watches, next: 0 };
        for at in stops {
            watching.run_until(&mut sim, SimTime(at).min(end));
            self.known.push((Ask::Look(at), Fact::Look(look(&mut sim))));
        }
        watching.run_until(&mut sim, end);
        for watch in watching.watches {
            self.known.push(watch.result());
        }
        self.ended = Some(ended(&mut sim));
    }
}

struct Watching {
    watches: Vec<Watch>,
    /// Number of the next decision to look at.
    next: u64,
}

impl Watching {
    /// Runs up to and including a time, and shows every decision to those who watch.
    fn run_until(&mut self, sim: &mut Sim, until: SimTime) {
        while self.watches.iter().any(|w| !w.is_done()) {
            // Time goes on by itself only where nothing more is due.
            sim.advance(until, 0);
            let due = sim.next_event_time().filter(|at| *at <= until);
            if due.is_none() || !sim.step_event() {
                break;
            }
            for d in sim.decisions().since(self.next) {
                for watch in &mut self.watches {
                    watch.see(sim, d);
                }
            }
            self.next = sim.decisions().next_id();
            for watch in &mut self.watches {
                watch.look(sim);
            }
        }
        sim.run_until(until);
    }
}

fn look(sim: &mut Sim) -> Look {
    let metrics = report::metrics(sim);
    let of = |i| {
        let account = sim.measured_task(TaskId::new(i));
        let first = account.longest_first_wait_ns;
        let ran = sim.task_view(TaskId::new(i)).ran;
        ThreadLook {
            cpu_ns: account.run_ns,
            // Who never ran has only ever waited for its first turn.
            longest_wait_ns: if ran { account.longest_wait_ns } else { first },
        }
    };
    Look {
        at_ns: sim.now().0,
        threads: (0..sim.task_count()).map(of).collect(),
        loads: loads(sim),
        metrics,
    }
}

fn ended(sim: &mut Sim) -> Ended {
    let look = look(sim);
    let of = |i| {
        let task = TaskId::new(i);
        let view = sim.task_view(task);
        Thread {
            name: sim.task_name(task),
            group: sim.plan().groups[view.info.group.index()].name.clone(),
            background: view.info.background,
            exited_at_ns: view.account.exited_at_ns,
        }
    };
    Ended {
        look,
        threads: (0..sim.task_count()).map(of).collect(),
        tally: sim.decisions().tally().clone(),
        digest: report::digest_text(sim),
    }
}
