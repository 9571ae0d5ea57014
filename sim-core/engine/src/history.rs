//! Reads the past of a run: single slices, stretches of time, and lines over time.
//!
//! If the records of a part are gone or too coarse, that part is run again, if this is quick.

use super::replay::Replay;
use super::{Options, Sim};
use sim_contract::cgroup::CgroupCounts;
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::{SimSpan, SimTime};
use sim_machine::rate::CAUSES;
use sim_trace::occupancy::Occupancy;
use sim_trace::samples::Samples;
use sim_trace::{Trace, TraceKind};

/// Events that one call may handle again.
const AGAIN: u64 = 150_000;
/// Trace records that are kept when a part is run again.
const RECORDS: usize = 200_000;
/// How far back the search for the start of a slice goes, in ns, step by step.
const LOOK_BACK: [u64; 3] = [20_000_000, 1_000_000_000, u64::MAX];
/// Number of threads whose states are sampled during the whole run.
const SAMPLED: usize = 128;

/// Numbers in a row of a slice:
/// - CPU, start, end, task (-1: idle);
/// - why the previous one left (a [`SwitchCode`](sim_trace::SwitchCode));
/// - number of the decision why it runs then;
/// - three times at its start, for locks, for the switch and for caches;
/// - number of the decision that brought it to this CPU.
///
/// A decision is -1 where nothing was decided, and [`UNKNOWN`] where the slice began before the records that were read.
pub const SLICE: usize = 10;

/// The decision of a slice whose start is not known.
pub const UNKNOWN: f64 = -2.0;

/// Numbers of a sampled thread before its scheduler's own columns: CPU time and work in ns, times switched in,
/// migrations, CPU time by cause in ns.
pub const TASK_SAMPLE: usize = 4 + CAUSES;

/// Numbers of a control group in a row of [`Replay::limits`]: its quota (0 without a limit), what is left, on how many CPUs
/// it stands still, when it was filled last.
pub const LIMIT_ROW: usize = 4;

impl Replay {
    /// The slices between `from` and `to`, in rows of [`SLICE`] numbers, CPU by CPU. `None` if there would be more than
    /// `most` rows, or if finding them would take too long.
    pub fn slices(&self, from: SimTime, to: SimTime, most: usize) -> Option<Vec<f64>> {
        let now = self.sim().now();
        if to <= now && covers(self.sim().trace(), from) {
            return slices(self.sim(), from, to, most);
        }
        let to = to.min(self.known_until());
        if to <= now && from >= to {
            return Some(Vec::new());
        }
        let mut sim = self.again(from, to, RECORDS)?;
        sim.run_until(to);
        if !covers(sim.trace(), from) {
            return None;
        }
        slices(&sim, from, to, most)
    }

    /// The slice of a CPU at a time, as a row of [`SLICE`] numbers, however long ago it began. It ends at that time at
    /// the earliest. A time that the run has never reached is its latest. `None` if finding it would take too long, or if
    /// the CPU was idle from the start.
    #[must_use]
    pub fn slice_at(&self, cpu: CpuId, at: SimTime) -> Option<Vec<f64>> {
        let at = at.min(self.known_until());
        let in_trace = |trace: &Trace| {
            let mut before = trace
                .kept()
                .range(..trace.position(SimTime(at.0 + 1)))
                .rev();
            let wanted = i32::from(cpu.0);
            let r = before.find(|r| r.kind == TraceKind::Switch && r.cpu == wanted)?;
            let mut row = vec![f64::from(cpu.0)];
            row.extend(begin(r));
            row[2] = real(at.0);
            Some(row)
        };
        let sim = self.sim();
        if at <= sim.now()
            && let Some(row) = in_trace(sim.trace())
        {
            return Some(row);
        }
        if at <= sim.now() && covers(sim.trace(), SimTime::ZERO) {
            return None;
        }
        // The search goes back in growing steps, because most slices are short.
        LOOK_BACK.iter().find_map(|back| {
            let mut again = self.again(SimTime(at.0.saturating_sub(*back)), at, RECORDS)?;
            again.run_until(at);
            in_trace(again.trace())
        })
    }

    /// The window in at most `columns` stretches of equal length; see [`Occupancy::read`].
    pub fn stretches(
        &mut self,
        from: SimTime,
        to: SimTime,
        columns: usize,
    ) -> (SimTime, u64, Vec<u16>) {
        let known = self.known_until();
        let sim = self.sim_mut();
        sim.refresh();
        let cpus = sim.plan().machine.cpu_count();
        let Some(kept) = sim.ledger.occupancy() else {
            return (from, 1, Vec::new());
        };
        let to = to.min(known.max(kept.known_until()));
        let wanted = to.since(from).0 / (columns as u64).max(1) * 4;
        if kept.length_ns() > wanted
            && let Some(mut sim) = self.again(from, to, 0)
        {
            sim.ledger
                .replace_occupancy(Some(Occupancy::of_window(cpus, from, to, columns)));
            sim.run_until(to);
            sim.refresh();
            if let Some(again) = sim.ledger.occupancy_mut() {
                return again.read(from, to, columns);
            }
        }
        let kept = self.sim_mut().ledger.occupancy_mut();
        kept.map_or((from, 1, Vec::new()), |kept| kept.read(from, to, columns))
    }

    /// States of the run over a window in at most about `most` rows, and the length of a row. A row has: time, the
    /// workload's CPU time by cause, CPU time by group, waiting threads of the global queue and of each CPU; then for
    /// each of `tasks` [`TASK_SAMPLE`] numbers and the scheduler's columns.
    pub fn samples(
        &mut self,
        from: SimTime,
        to: SimTime,
        tasks: &[TaskId],
        most: usize,
    ) -> (usize, Vec<f64>) {
        let to = to.min(self.known_until());
        let head = head_len(self.sim());
        let each = task_len(self.sim());
        let mut found: Vec<(SimTime, Vec<f64>)> =
            self.samples.read(from, to, most).cloned().collect();
        let is_missing = tasks.iter().any(|t| t.index() >= SAMPLED);
        let mut first_of_tasks: Option<&[TaskId]> = None;
        // A request for one time wants exactly that time, not the row before it.
        let is_one = from == to;
        let exact = found.iter().position(|(at, _)| is_one && *at == from);
        if let Some(i) = exact {
            found = vec![found.swap_remove(i)];
        }
        if (found.len() < most / 6 || is_missing || is_one && exact.is_none())
            && let Some(mut sim) = self.again(from, to, 0)
        {
            let step = (to.since(from).0 / (most as u64).max(1)).max(1);
            let mut again = Samples::every(SimSpan(step));
            let mut at = from;
            while at <= to {
                sim.run_until(at);
                again.push(sim.now(), sample(&mut sim, tasks.iter().copied()));
                at = at + SimSpan(step);
            }
            found = again.read(from, to, usize::MAX).cloned().collect();
            first_of_tasks = Some(tasks);
        }
        let mut out = Vec::new();
        for (at, row) in &found {
            out.push(real(at.0));
            out.extend(&row[..head]);
            for (i, task) in tasks.iter().enumerate() {
                let place = if first_of_tasks.is_some() {
                    i
                } else {
                    task.index()
                };
                let start = head + place * each;
                match row.get(start..start + each) {
                    Some(values) => out.extend(values),
                    None => out.extend(std::iter::repeat_n(f64::NAN, each)),
                }
            }
        }
        (1 + head + each * tasks.len(), out)
    }

    /// What control groups had left over a window: a row for each change, with its time and then [`LIMIT_ROW`] numbers for
    /// each control group. Empty where there are none, or where finding it would take too long.
    #[must_use]
    pub fn limits(&self, from: SimTime, to: SimTime) -> Vec<f64> {
        let to = to.min(self.known_until());
        if self.sim().plan().cgroups.groups.is_empty() {
            return Vec::new();
        }
        let Some(mut sim) = self.again(from, to, 0) else {
            return Vec::new();
        };
        let mut out = Vec::new();
        let mut last = Vec::new();
        let mut at = from;
        while at <= to {
            sim.run_until(at);
            let row = limits(&sim);
            if row != last {
                out.push(real(at.0));
                out.extend(&row);
                last = row;
            }
            match sim.next_event_time() {
                Some(next) if next > at => at = next,
                _ => break,
            }
        }
        out
    }

    /// Takes a sample if one is due and all events of this instant have happened.
    pub(super) fn keep_sample(&mut self) {
        let now = self.sim().now();
        if now < self.samples.next_at() || self.sim().next_event_time().is_some_and(|at| at <= now)
        {
            return;
        }
        let row = sample(self.sim_mut(), (0..SAMPLED).map(TaskId::new));
        self.samples.push(now, row);
    }

    /// After an edit: drops the samples of a future that is no longer true.
    pub(super) fn forget_future(&mut self) {
        let now = self.sim().now();
        self.samples.forget_after(now);
        let Some(begin) = self
            .sim_mut()
            .ledger
            .occupancy_mut()
            .and_then(|o| o.forget_from(now))
        else {
            return;
        };
        // A stretch of which only a part is known is filled again.
        if let Some(mut sim) = self.copy_before(begin, 0) {
            let kept = self.sim_mut().ledger.replace_occupancy(None);
            sim.ledger.replace_occupancy(kept);
            sim.run_until(now);
            sim.refresh();
            let filled = sim.ledger.replace_occupancy(None);
            self.sim_mut().ledger.replace_occupancy(filled);
        }
    }

    /// Runs again from a keyframe before `from`, if it gets from there to `to` soon.
    fn again(&self, from: SimTime, to: SimTime, records: usize) -> Option<Sim> {
        (self.events_between(from, to) <= AGAIN).then(|| self.copy_before(from, records))?
    }

    fn copy_before(&self, at: SimTime, records: usize) -> Option<Sim> {
        let options = Options {
            trace_limit: records,
            decision_limit: 0,
            check_every: 0,
            ..Options::interactive()
        };
        self.copy(options, |k| k.at <= at)
    }
}

/// Whether a trace has every record from a time on.
fn covers(trace: &Trace, from: SimTime) -> bool {
    trace.kept().front().map_or(trace.next_seq(), |r| r.seq) == 0 || trace.position(from) > 0
}

fn slices(sim: &Sim, from: SimTime, to: SimTime, most: usize) -> Option<Vec<f64>> {
    let trace = sim.trace();
    let cpus = sim.plan().machine.cpu_count();
    let idle = [
        real(from.0),
        f64::NAN,
        -1.0,
        -1.0,
        UNKNOWN,
        0.0,
        0.0,
        0.0,
        UNKNOWN,
    ];
    // What is known of each CPU's current slice: start, end, task, code, decision, costs, second decision.
    let mut open = vec![(false, idle); cpus];
    let mut rows: Vec<Vec<f64>> = vec![Vec::new(); cpus];
    let mut count = 0;
    let first = trace.position(from);
    // Records before the window give the start of a slice that lasts into the window.
    let before = trace.kept().range(..first).rev().take(4 * cpus);
    for r in before.filter(|r| r.kind == TraceKind::Switch) {
        if let Some(o) = open.get_mut(usize::try_from(r.cpu).unwrap_or(usize::MAX))
            && !o.0
        {
            *o = (true, begin(r));
        }
    }
    for r in trace.kept().range(first..) {
        if r.kind != TraceKind::Switch {
            continue;
        }
        let Ok(cpu) = usize::try_from(r.cpu) else {
            continue;
        };
        let (known, slice) = &mut open[cpu];
        if r.at > to {
            if !*known {
                slice[2] = real_task(r.other);
                *known = true;
            }
            continue;
        }
        if !*known {
            slice[2] = real_task(r.other);
        }
        slice[1] = real(r.at.0);
        if r.at > from || *known {
            rows[cpu].push(real(cpu as u64));
            rows[cpu].extend(*slice);
            count += 1;
        }
        (*known, *slice) = (true, begin(r));
        if count > most {
            return None;
        }
    }
    let end = sim.now().min(to);
    for (cpu, (known, mut slice)) in open.into_iter().enumerate() {
        if !known {
            slice[2] = sim.curr(CpuId::new(cpu)).map_or(-1.0, |t| f64::from(t.0));
        }
        slice[1] = real(end.0);
        rows[cpu].push(real(cpu as u64));
        rows[cpu].extend(slice);
    }
    (count + cpus <= most).then(|| rows.concat())
}

fn begin(r: &sim_trace::TraceRecord) -> [f64; SLICE - 1] {
    let number = |id: i64| u64::try_from(id).map_or(-1.0, real);
    [
        real(r.at.0),
        f64::NAN,
        real_task(r.task),
        f64::from(r.reason),
        number(r.decision),
        real(r.cost.lock_ns),
        real(r.cost.switch_ns),
        real(r.cost.refill_ns),
        number(r.also),
    ]
}

#[allow(clippy::cast_precision_loss)] // times are below 2^53 ns
fn real(x: u64) -> f64 {
    // Processors convert signed numbers in one instruction.
    x.cast_signed() as f64
}

fn real_task(task: i64) -> f64 {
    u64::try_from(task).map_or(-1.0, real)
}

fn limits(sim: &Sim) -> Vec<f64> {
    let groups = sim.sched.cgroups(sim.now());
    let of_group = |g: &CgroupCounts| -> [f64; LIMIT_ROW] {
        [
            real(g.quota_ns),
            real(g.left_ns),
            real(g.held.len() as u64),
            real(g.filled_at_ns),
        ]
    };
    groups.iter().flat_map(of_group).collect()
}

fn head_len(sim: &Sim) -> usize {
    CAUSES + sim.plan().groups.len() + 1 + sim.plan().machine.cpu_count()
}

fn task_len(sim: &Sim) -> usize {
    TASK_SAMPLE + sim.plan().lanes[sim.lane()].info.task_columns.len()
}

/// A row of a sample, without its time.
fn sample(sim: &mut Sim, tasks: impl Iterator<Item = TaskId>) -> Vec<f64> {
    let sim = sim.refresh();
    let (head, each, count) = (head_len(&sim), task_len(&sim), sim.task_count());
    // The row is allocated once: while it grew, its numbers were copied again and again.
    let mut row = Vec::with_capacity(head + each * tasks.size_hint().1.unwrap_or(0).min(count));
    row.resize(head, 0.0);
    let queues = CAUSES + sim.plan().groups.len();
    let mut by_cause = [0; CAUSES];
    for (task, info) in sim.kernel.tasks().iter().zip(sim.kernel.infos()) {
        row[CAUSES + info.group.index()] += real(task.account.run_ns);
        if !info.background {
            for (sum, q20) in by_cause.iter_mut().zip(&task.account.by_cause) {
                *sum += q20 >> 10;
            }
        }
    }
    for (sum, q10) in row.iter_mut().zip(by_cause) {
        *sum = real(q10) / 1024.0;
    }
    let mut waiting = vec![0; sim.plan().machine.cpu_count()];
    sim.count_waiting(&mut waiting);
    // Who waits for no particular CPU is in the global queue.
    let of_all = u64::from(sim.ledger.waiting_and_idle().0) - waiting.iter().sum::<u64>();
    for (out, n) in row[queues..]
        .iter_mut()
        .zip([of_all].into_iter().chain(waiting))
    {
        *out = real(n);
    }
    for task in tasks.filter(|t| t.index() < count) {
        let account = sim.account(task);
        let start = row.len();
        row.resize(start + each, f64::NAN);
        let (own, columns) = row[start..].split_at_mut(TASK_SAMPLE);
        own[0] = real(account.run_ns);
        own[1] = full_ns(account.work);
        own[2..2 + CAUSES].copy_from_slice(&account.by_cause.map(full_ns));
        own[TASK_SAMPLE - 2] = real(account.switches);
        own[TASK_SAMPLE - 1] = real(account.migrations);
        if account.started_at_ns.is_some() {
            sim.scheduler().observe_task(task, columns);
        }
    }
    row
}

/// Units of 2^-20 ns in ns.
fn full_ns(q20: u64) -> f64 {
    real(q20 >> 10) / 1024.0
}
