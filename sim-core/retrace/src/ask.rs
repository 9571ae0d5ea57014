//! All passes over a trace: the rules, and the controls.

use crate::before::{self, Had, Range};
use crate::follow::{ALONGSIDE, Follow, Outcome, Slices};
use crate::host::Host;
use crate::record::{Pattern, Record};
use crate::verdict::{Control, Count, Disagreement};
use sim_contract::SchedulerInfo;
use sim_ground::params::{ParamMap, ParamValue, Params};
use sim_schedulers::registry;

/// Ticks and requests by which threads are apart at most.
const FAR: u64 = 2;
/// The tunable behind the control without lag.
const PLACE_LAG: &str = "placeLag";

/// What is asked.
#[derive(Debug)]
pub struct Question {
    /// The scheduler.
    pub info: &'static SchedulerInfo,
    /// Its era.
    pub era: &'static sim_contract::EraInfo,
    /// Tunables that differ from the era's.
    pub tunables: ParamMap,
    /// Slices that threads ask for, by name: no trace tells them.
    pub slices: Vec<(Pattern, u64)>,
}

impl Question {
    /// A scheduler as `eevdf:6.18`; without an era its first one.
    ///
    /// # Errors
    /// What there is, if there is no such scheduler or era.
    pub fn of(scheduler: &str) -> Result<Self, String> {
        let (info, era) = registry::ALL.said(scheduler)?;
        let era = era
            .or_else(|| info.era(None))
            .ok_or_else(|| format!("{} has no eras", info.name))?;
        Ok(Self {
            info,
            era,
            tunables: ParamMap::new(),
            slices: Slices::new(),
        })
    }

    fn params(&self, more: &[(&str, ParamValue)]) -> Result<Params, String> {
        let mut map = self.tunables.clone();
        let own = [
            // The threads of one group in one queue: that of their CPU.
            ("groupPerApplication", ParamValue::Flag(false)),
            // A real-time thread stands in for everybody else. Nothing is kept from it.
            ("rtRuntimeUs", ParamValue::Int(-1)),
            ("fairServerRuntimeUs", ParamValue::Int(0)),
        ];
        for (id, value) in more.iter().chain(&own) {
            if self.era.tunables.iter().any(|t| t.id == *id) {
                map.insert((*id).to_owned(), value.clone());
            }
        }
        Params::from_map(self.era.tunables, &map).map_err(|problems| {
            let errors = problems.into_errors();
            errors
                .first()
                .map_or_else(String::new, |e| format!("{}: {}", e.path, e.message))
        })
    }
}

/// A thread that began before the trace, with the intervals within which the first picks agree best.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Began {
    /// Its name.
    pub thread: String,
    /// Virtual time in ns that it had more than the first such thread of its CPU; `None` if it is the first.
    pub ahead_ns: Option<[i64; 2]>,
    /// What it had used of its request, in ns.
    pub used_ns: [u64; 2],
}

/// What came out.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Names of the threads that were asked about.
    pub threads: Vec<String>,
    /// Picks between at least two.
    pub picks: Count,
    /// Picks where only one thread waited.
    pub alone: u64,
    /// The first picks, if they settled how threads begin. They are not among the others.
    pub settling: Count,
    /// What they settled.
    pub began: Vec<Began>,
    /// Ticks that let the running thread go on while others waited.
    pub goes_on: Count,
    /// Whether a woken thread preempts the running one.
    pub preempts: Count,
    /// Each control, with how many of [`picks`](Self::picks) and of [`goes_on`](Self::goes_on) it has right.
    pub controls: Vec<(Control, [u64; 2])>,
    /// Where the kernel did something else than the rules.
    pub disagreements: Vec<Disagreement>,
    /// Switches, wake-ups and moves that the trace lacks.
    pub mended: u64,
}

/// Asks a scheduler about a trace.
///
/// # Errors
/// Why that is impossible: the trace has no accountings, nobody fits, or the scheduler cannot follow a recorded run.
pub fn ask(record: &Record, question: &Question) -> Result<Asked, String> {
    if record.threads().is_empty() {
        return Err(
            "no thread has a name that is asked about; name them with --threads".to_owned(),
        );
    }
    if !record.has_runtime {
        return Err("the trace has no sched_stat_runtime of these threads, which tells what the kernel charged; record it with `-e sched_stat_runtime`".to_owned());
    }
    let params = question.params(&[])?;
    let range = reach(&params, record.cpus);
    let pass = |params: &Params, had: &Had, settles: u64, picks: Option<u64>| {
        pass(record, question, params.clone(), had, range, settles, picks)
    };
    let settles = before::settles(record);
    let until = pass(&params, &Had::new(), settles, Some(settles)).map_or(0, |o| o.until);
    let wrong = |had: &Had| {
        let out = pass(&params, had, settles, Some(settles));
        out.map_or(u64::MAX, |o| o.off)
    };
    let (had, settled) = before::settle(record, range, until, wrong);
    let out = pass(&params, &had, settles, None)
        .ok_or_else(|| format!("a machine of {} CPUs cannot be built", record.cpus))?;
    if out.picks.all() + out.alone + out.settling.all() == 0 {
        return Err(format!(
            "{} cannot follow a recorded run, or no thread was ever switched to; eevdf can",
            question.info.name
        ));
    }
    let mut controls: Vec<_> = ALONGSIDE.into_iter().zip(out.controls).collect();
    if question.era.tunables.iter().any(|t| t.id == PLACE_LAG) {
        let without = question.params(&[(PLACE_LAG, ParamValue::Flag(false))])?;
        if let Some(out) = pass(&without, &had, settles, None) {
            controls.push((Control::NoLag, [out.picks.right, out.goes_on.right]));
        }
    }
    let signed = |ns: u64| i64::try_from(ns).unwrap_or(0) - i64::try_from(range.lag).unwrap_or(0);
    let began = settled.into_iter().map(|s| Began {
        thread: record.name(s.pid, usize::MAX).to_owned(),
        ahead_ns: s.had.map(|ends| ends.map(signed)),
        used_ns: s.used,
    });
    Ok(Asked {
        threads: record.threads().into_iter().map(str::to_owned).collect(),
        picks: out.picks,
        alone: out.alone,
        settling: out.settling,
        began: began.collect(),
        goes_on: out.goes_on,
        preempts: out.preempts,
        controls,
        disagreements: out.disagreements,
        mended: out.mended,
    })
}

fn pass(
    record: &Record,
    question: &Question,
    params: Params,
    had: &Had,
    range: Range,
    settles: u64,
    picks: Option<u64>,
) -> Option<Outcome> {
    let host = Host::new(question.info, question.era.id, params, record.cpus)?;
    let slices: &Slices = &question.slices;
    let mut follow = Follow::new(record, slices, host, settles);
    before::enter(&mut follow, record, had, range);
    follow.out = Outcome::default();
    follow.run(picks);
    Some(follow.out)
}

/// The request of a thread without a slice of its own, and how far threads can be from each other.
fn reach(params: &Params, cpus: usize) -> Range {
    let known = |id: &str| params.specs().iter().any(|s| s.id == id);
    let number = |id: &str| if known(id) { params.get_u64(id) } else { 0 };
    let few = cpus.clamp(1, 8);
    let request = number("baseSliceNs") * u64::from(1 + few.ilog2());
    Range {
        lag: FAR * (1_000_000_000 / number("hz").max(1) + request),
        request: request.max(1),
    }
}
