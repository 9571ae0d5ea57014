//! The questions of expressions about a lane, and the one pass over its run that answers all of them.
//!
//! Readings at times and counts of decisions are gathered together. However many expressions a lesson has, a lane is
//! run once; and once more if a question depends on an answer, such as the CPU time until the first refusal.

use super::depths::Depths;
pub use super::intervals::Interval;
use super::intervals::Intervals;
use super::watch::Watch;
use sim_run::config::plan::Plan;
use sim_run::engine::{Options, Sim, UpToDate};
use sim_run::ids::{CpuId, TaskId};
use sim_run::report;
use sim_run::sched::cgroup::CgroupCounts;
use sim_run::sched::tally::Tally;
use sim_run::time::SimTime;
use std::sync::Arc;

/// A question about a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Totals at a time in ns, after all events of that time; at the end if the run is over by then.
    Look(u64),
    /// A decision.
    Decision {
        /// The decisions to search.
        of: Decisions,
        /// Which of them, from 1; -1 means the last.
        nth: i32,
        /// Only decisions after this time in ns.
        after: Option<u64>,
    },
    /// Number of decisions in an interval, both ends included.
    Count {
        /// The decisions to count.
        of: Decisions,
        /// Start of the interval in ns.
        from: u64,
        /// End of the interval in ns.
        to: u64,
    },
    /// The time in ns from which every CPU has this many runnable threads, until the end.
    Settled(u64),
    /// The lengths of intervals that end in a window.
    Lengths {
        /// What is measured.
        what: Interval,
        /// Name of a thread or a group, or `all`.
        who: String,
        /// Start of the window in ns.
        from: u64,
        /// End of the window in ns, included.
        to: u64,
    },
    /// The lengths of the queue of a CPU, with its running thread, once a millisecond.
    Depths {
        /// Number of the CPU.
        cpu: u16,
        /// Time of the first in ns.
        from: u64,
        /// End of the window in ns, included.
        to: u64,
    },
}

/// A selection of decisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decisions {
    /// Id of a reason, or a kind of reasons.
    pub reason: String,
    /// Name of a thread or a group.
    pub thread: Option<String>,
    /// Number of a CPU.
    pub cpu: Option<u16>,
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub enum Fact {
    /// Totals.
    Look(Look),
    /// A decision, if there was one.
    Decision(Option<FoundDecision>),
    /// A number.
    Count(u64),
    /// A time in ns, if it came.
    Time(Option<u64>),
    /// Lengths in ns, in the order of their ends; those that are still open come last. Or lengths of a queue, in the order of
    /// their times.
    Lengths(Vec<u64>),
}

/// A decision that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundDecision {
    /// Number, from 0.
    pub id: u64,
    /// Its time in ns.
    pub at_ns: u64,
    /// Name of its thread.
    pub thread: Option<String>,
    /// Number of its CPU.
    pub cpu: Option<u16>,
    /// Code of its reason.
    pub reason: u16,
    /// Its numbers, in the order that the reason names.
    pub operands: [i64; 4],
}

/// Totals at a time.
#[derive(Clone, Debug)]
pub struct Look {
    /// The time in ns.
    pub at_ns: u64,
    /// By number of the thread.
    pub threads: Vec<ThreadLook>,
    /// Runnable threads of each CPU, the running one included.
    pub loads: Vec<u64>,
    /// In the order of the registry; NaN where one is not defined.
    pub metrics: Vec<f64>,
    /// What the scheduler keeps.
    pub kept: Kept,
    /// What was counted of each control group.
    pub cgroups: Vec<CgroupCounts>,
}

/// What a scheduler keeps, in the order of its columns; NaN where a value is not defined.
#[derive(Clone, Debug)]
pub struct Kept {
    /// By number of the thread.
    pub threads: Vec<Vec<f64>>,
    /// By number of the CPU.
    pub cpus: Vec<Vec<f64>>,
    /// Of the lane, by name.
    pub lane: Vec<(String, f64)>,
}

/// Totals of a thread, in ns.
#[derive(Clone, Debug)]
pub struct ThreadLook {
    /// CPU time.
    pub cpu_ns: u64,
    /// Longest wait after the first turn.
    pub longest_wait_ns: u64,
    /// Deadlines, and those that it missed.
    pub deadlines: u64,
    /// See there.
    pub deadlines_missed: u64,
}

/// A thread of a run.
#[derive(Clone, Debug)]
pub struct Thread {
    /// Its name.
    pub name: String,
    /// The name of its group.
    pub group: String,
    /// Whether it is a daemon or the kernel's.
    pub background: bool,
    /// When it ended, in ns.
    pub exited_at_ns: Option<u64>,
}

/// The end of a run.
#[derive(Clone, Debug)]
pub struct Ended {
    /// Totals at the end.
    pub look: Look,
    /// All threads that ever existed.
    pub threads: Vec<Thread>,
    /// Decisions by reason.
    pub tally: Tally,
    /// Digest of the run, as text.
    pub digest: String,
    /// The sentence with which the scheduler stopped the lane, if it did.
    pub fault: Option<String>,
}

/// The known facts of a lane.
#[derive(Default)]
pub(crate) struct LaneFacts {
    pub(crate) ended: Option<Ended>,
    /// There are few, so a list is as fast as a tree and needs less code.
    known: Vec<(Ask, Fact)>,
    /// Questions that were asked and are not answered yet.
    wanted: Vec<Ask>,
    /// The run in progress, where somebody follows it.
    going: Option<Gathering>,
}

/// Number of decisions of one event that are kept: a balancer moves dozens of threads.
const KEPT: usize = 4_096;

impl LaneFacts {
    /// The answer, if it is known.
    pub(crate) fn find(&self, ask: &Ask) -> Option<&Fact> {
        let (_, fact) = self.known.iter().find(|(known, _)| known == ask)?;
        Some(fact)
    }

    /// Notes a question.
    pub(crate) fn want(&mut self, ask: &Ask) {
        if !self.wanted.contains(ask) {
            self.wanted.push(ask.clone());
        }
    }

    /// Forgets all answers, but not the run in progress: they are about an earlier time.
    pub(crate) fn forget(&mut self) {
        self.ended = None;
        self.known.clear();
        self.wanted.clear();
    }

    /// Runs the lane to its end to answer all noted questions.
    pub(crate) fn gather(&mut self, plan: &Arc<Plan>, lane: usize) {
        let asks = std::mem::take(&mut self.wanted);
        let mut gathering = Gathering::new(plan, lane, asks);
        gathering.run_until(gathering.sim.end());
        self.take(&mut gathering);
    }

    /// Answers all noted questions as of a time. The run in progress goes on where it may; else the lane runs again.
    pub(crate) fn follow(&mut self, plan: &Arc<Plan>, lane: usize, until: u64) {
        let asks = std::mem::take(&mut self.wanted);
        let goes_on =
            |g: &Gathering| g.sim.now().0 <= until && asks.iter().all(|ask| g.asks.contains(ask));
        let mut gathering = self.going.take().filter(goes_on).unwrap_or_else(|| {
            let known = self.known.iter().map(|(ask, _)| ask.clone());
            Gathering::new(plan, lane, known.chain(asks).collect())
        });
        gathering.run_until(SimTime(until).min(gathering.sim.end()));
        self.known.clear();
        self.take(&mut gathering);
        self.going = Some(gathering);
    }

    fn take(&mut self, gathering: &mut Gathering) {
        self.known.extend(gathering.answers());
        self.ended = Some(ended(&mut gathering.sim));
    }
}

/// A run of a lane, with the questions that it answers.
struct Gathering {
    sim: Sim,
    asks: Vec<Ask>,
    /// Times of readings, ascending.
    stops: Vec<u64>,
    /// The readings of the first of these times.
    looks: Vec<Look>,
    watches: Vec<Watch>,
    /// Number of the next decision to read.
    next: u64,
    intervals: Vec<Intervals>,
    depths: Vec<Depths>,
    /// Number of the next record to read.
    next_record: u64,
}

impl Gathering {
    fn new(plan: &Arc<Plan>, lane: usize, asks: Vec<Ask>) -> Self {
        let mut stops: Vec<u64> = Vec::new();
        let mut watches = Vec::new();
        let mut intervals = Vec::new();
        let mut depths = Vec::new();
        for ask in &asks {
            match ask {
                Ask::Look(at) => stops.push(*at),
                Ask::Lengths {
                    what,
                    who,
                    from,
                    to,
                } => intervals.push(Intervals::new(*what, who.clone(), *from, *to)),
                Ask::Depths { cpu, from, to } => depths.push(Depths::new(*cpu, *from, *to)),
                other => watches.push(Watch::new(plan, lane, other.clone())),
            }
        }
        stops.sort_unstable();
        let options = Options {
            check_every: 0,
            decision_limit: if watches.is_empty() { 0 } else { KEPT },
            trace_limit: if intervals.is_empty() { 0 } else { KEPT },
            ..Options::default()
        };
        Self {
            sim: Sim::new(plan, lane, options),
            asks,
            stops,
            looks: Vec::new(),
            watches,
            next: 0,
            intervals,
            depths,
            next_record: 0,
        }
    }

    fn is_done(&self) -> bool {
        self.watches.iter().all(Watch::is_done)
            && self.intervals.iter().all(Intervals::is_done)
            && self.depths.iter().all(Depths::is_done)
    }

    /// Runs up to and including a time, with the readings on the way.
    fn run_until(&mut self, until: SimTime) {
        while let Some(at) = self
            .stops
            .get(self.looks.len())
            .filter(|at| **at <= until.0)
        {
            self.watch_until(SimTime(*at));
            self.looks.push(look(&mut self.sim));
        }
        self.watch_until(until);
    }

    /// Runs up to and including a time, and shows every decision and every record to the watchers.
    fn watch_until(&mut self, until: SimTime) {
        while !self.is_done() {
            let sim = &mut self.sim;
            // Time goes on without events only if nothing more is due.
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
            for record in sim.trace().from_seq(self.next_record) {
                for intervals in &mut self.intervals {
                    intervals.see(sim, record);
                }
            }
            self.next_record = sim.trace().next_seq();
            for watch in &mut self.watches {
                watch.look(sim);
            }
            for depths in &mut self.depths {
                depths.look(sim);
            }
        }
        self.sim.run_until(until);
    }

    /// All questions with their answers so far.
    fn answers(&mut self) -> Vec<(Ask, Fact)> {
        let now = self.sim.now().0;
        let mut all: Vec<(Ask, Fact)> = Vec::new();
        for (i, at) in self.stops.iter().enumerate() {
            // What is not reached is read at the end.
            let past = self.looks.get(i).cloned();
            let found = past.unwrap_or_else(|| look(&mut self.sim));
            all.push((Ask::Look(*at), Fact::Look(found)));
        }
        all.extend(self.watches.iter().map(Watch::result));
        all.extend(self.intervals.iter().map(|i| i.result(now)));
        all.extend(self.depths.iter().map(|d| d.result(now)));
        all
    }
}

fn look(sim: &mut Sim) -> Look {
    let sim = sim.refresh();
    let of = |i| {
        let account = sim.measured_task(TaskId::new(i));
        let first = account.longest_first_wait_ns;
        let ran = sim.task_view(TaskId::new(i)).ran;
        ThreadLook {
            cpu_ns: account.run_ns,
            // A thread that never ran has only waited for its first turn.
            longest_wait_ns: if ran { account.longest_wait_ns } else { first },
            deadlines: account.deadlines,
            deadlines_missed: account.deadlines_missed,
        }
    };
    Look {
        at_ns: sim.now().0,
        threads: (0..sim.task_count()).map(of).collect(),
        loads: loads(&sim),
        metrics: report::metrics(sim),
        kept: kept(sim),
        cgroups: sim.scheduler().cgroups(sim.now()),
    }
}

fn kept(sim: UpToDate<'_>) -> Kept {
    let info = sim.plan().lanes[sim.lane()].info;
    let thread = |i| {
        let mut row = vec![f64::NAN; info.task_columns.len()];
        let task = TaskId::new(i);
        if sim.task_view(task).started_at_ns.is_some() {
            sim.scheduler().observe_task(task, &mut row);
        }
        row
    };
    let cpu = |cpu| {
        let mut row = vec![f64::NAN; info.cpu_columns.len()];
        sim.scheduler().observe_cpu(cpu, &mut row);
        row
    };
    Kept {
        threads: (0..sim.task_count()).map(thread).collect(),
        cpus: sim.plan().machine.cpu_ids().map(cpu).collect(),
        lane: sim.scheduler().numbers(),
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
            exited_at_ns: view.exited_at_ns,
        }
    };
    Ended {
        look,
        threads: (0..sim.task_count()).map(of).collect(),
        tally: sim.decisions().tally().clone(),
        digest: report::digest_text(sim),
        fault: sim.fault().map(|f| f.message.clone()),
    }
}

/// Number of runnable threads of each CPU, including the running one.
#[must_use]
pub fn loads(sim: &Sim) -> Vec<u64> {
    let cpus = sim.plan().machine.cpu_count();
    let mut loads: Vec<u64> = (0..cpus)
        .map(|c| u64::from(sim.curr(CpuId::new(c)).is_some()))
        .collect();
    sim.count_waiting(&mut loads);
    loads
}
