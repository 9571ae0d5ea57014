//! Carries out a run and compares it with the expected results. All differences are reported.

use super::case::{Decision, Expect, OperandRange, Probe, Run, Start, UntilEven, ns};
use super::{observe, setup};
use sim_run::engine::{Sim, UpToDate};
use sim_run::ids::{CpuId, TaskId};
use sim_run::report;
use sim_run::time::SimTime;
use sim_run::trace::{TraceKind, TraceRecord};
use std::collections::BTreeMap;

/// The differences; empty if the fact holds.
pub(super) fn run(id: &str, run: &Run, expect: &Expect) -> Vec<String> {
    let plan = match (setup::plan(id, run), &expect.refused) {
        (Ok(plan), None) => plan,
        (Err(message), None) => return vec![message],
        (Ok(_), Some(text)) => return vec![format!("it was not refused for: {text}")],
        (Err(message), Some(text)) if message.contains(text) => return Vec::new(),
        (Err(message), Some(text)) => {
            return vec![format!("refused, but not for {text}: {message}")];
        }
    };
    let mut sim = setup::start(&plan, true, if run.long { 0 } else { setup::KEPT });
    let mut checked = Checked {
        hz: u64::from(run.hz),
        from: SimTime(ns(&run.from)),
        before: BTreeMap::new(),
        since: BTreeMap::new(),
        even: false,
        wrong: Vec::new(),
    };
    let window = checked.advance(&mut sim, expect);
    checked.window(&mut sim, expect, &window);
    if run.long {
        checked.cgroups(sim.refresh(), expect);
        return checked.wrong;
    }
    checked.records(&sim, expect);
    checked.busy(&sim, expect);
    checked.cgroups(sim.refresh(), expect);
    // Skipping quiet ticks must not change a fact.
    let mut plain = setup::start(&plan, false, 0);
    plain.run_until(plain.end());
    let (fast, slow) = (
        report::digest_text(&mut sim),
        report::digest_text(&mut plain),
    );
    checked.equal("digest without skipping of quiet ticks", &slow, &fast);
    checked.wrong
}

pub(super) struct Checked {
    pub(super) hz: u64,
    from: SimTime,
    /// Columns of the threads at the last probe.
    pub(super) before: BTreeMap<String, f64>,
    /// Counters when the readings for equal CPUs began.
    since: BTreeMap<String, u64>,
    /// Whether all CPUs have been equal.
    even: bool,
    wrong: Vec<String>,
}

/// Values at the start of the window, and samples taken since.
#[derive(Default)]
struct Window {
    cpu_ns: Vec<u64>,
    counters: BTreeMap<String, u64>,
    cores_busy: Vec<usize>,
}

/// Number of samples of busy cores.
const SAMPLES: u64 = 1_000;

#[derive(Clone, Copy)]
enum Stop<'a> {
    Begin,
    Sample,
    Look(&'a UntilEven),
    Probe(&'a Probe),
}

impl Checked {
    pub(super) fn equal<T: PartialEq + std::fmt::Debug>(
        &mut self,
        what: &str,
        expected: &T,
        seen: &T,
    ) {
        if expected != seen {
            self.wrong
                .push(format!("{what}: expected {expected:?}, saw {seen:?}"));
        }
    }

    pub(super) fn near(&mut self, what: &str, expected: f64, tolerance: f64, seen: f64) {
        // Written so that NaN fails.
        let agrees = (seen - expected).abs() <= tolerance;
        if !agrees {
            self.wrong.push(format!(
                "{what}: expected {expected} +- {tolerance}, saw {seen:.5}"
            ));
        }
    }

    /// Runs to the end, stopping at each reading.
    fn advance(&mut self, sim: &mut Sim, expect: &Expect) -> Window {
        let mut stops: Vec<(u64, Stop<'_>)> = vec![(self.from.0, Stop::Begin)];
        stops.extend(expect.at.iter().map(|p| (ns(&p.t), Stop::Probe(p))));
        if expect.cores_busy.is_some() {
            let length = sim.end().0 - self.from.0;
            let step = |i| self.from.0 + length * i / SAMPLES;
            stops.extend((1..=SAMPLES).map(|i| (step(i), Stop::Sample)));
        }
        if let Some(even) = &expect.until_even {
            let (from, every) = (ns(&even.from), ns(&even.every));
            let looks = (sim.end().0 - from) / every;
            stops.extend((0..=looks).map(|i| (from + i * every, Stop::Look(even))));
        }
        stops.sort_by_key(|(t, _)| *t);
        let mut window = Window::default();
        for (t, stop) in stops {
            sim.run_until(SimTime(t));
            match stop {
                Stop::Begin => {
                    window.cpu_ns = cpu_times(sim);
                    window.counters = observe::counters(sim);
                }
                Stop::Sample => window.cores_busy.push(observe::cores_busy(sim)),
                Stop::Probe(probe) => self.probe(sim.refresh(), probe),
                Stop::Look(even) => self.look(sim, even),
            }
        }
        if expect.until_even.is_some() && !self.even {
            self.wrong.push("the CPUs were never alike".to_owned());
        }
        sim.run_until(sim.end());
        window
    }

    /// Checks shares, rates and busy cores.
    #[allow(clippy::cast_precision_loss)] // far below 2^53
    fn window(&mut self, sim: &mut Sim, expect: &Expect, window: &Window) {
        let length = (sim.end().0 - self.from.0) as f64;
        let before = |i: usize| window.cpu_ns.get(i).copied().unwrap_or(0);
        let shares: Vec<f64> = cpu_times(sim)
            .iter()
            .enumerate()
            .map(|(i, ns)| (ns - before(i)) as f64 / length)
            .collect();
        let tolerance = expect.share_tolerance.unwrap_or(0.0002);
        for (thread, expected) in &expect.shares {
            for task in observe::threads(sim, thread) {
                let what = format!("share of {}", sim.task_name(task));
                self.near(&what, *expected, tolerance, shares[task.index()]);
            }
        }
        self.share_counts(&expect.share_counts, tolerance, shares);
        let now = observe::counters(sim);
        let grown = |name: &str| {
            let value = now.get(name).copied();
            value.map_or(f64::NAN, |v| (v - window.counters[name]) as f64)
        };
        for (name, expected) in &expect.per_second {
            let seen = grown(name) / (length / 1e9);
            let tolerance = expected * expect.rate_tolerance.unwrap_or(0.005);
            self.near(&format!("{name} per second"), *expected, tolerance, seen);
        }
        for (name, (expected, tolerance)) in &expect.counts {
            self.near(name, *expected, *tolerance, grown(name));
        }
        for (above, below, expected, tolerance) in &expect.ratios {
            let seen = grown(above) / grown(below);
            self.near(&format!("{above} per {below}"), *expected, *tolerance, seen);
        }
        if let Some((expected, tolerance)) = expect.looked_at_per_pick {
            let seen = grown("entriesLookedAt") / grown("picks");
            self.near("entries looked at per pick", expected, tolerance, seen);
        }
        if let Some((expected, tolerance)) = expect.cores_busy {
            let sum: usize = window.cores_busy.iter().sum();
            let seen = sum as f64 / SAMPLES as f64;
            self.near("busy cores", expected, tolerance, seen);
        }
    }

    fn share_counts(&mut self, counts: &[(f64, usize)], tolerance: f64, mut shares: Vec<f64>) {
        if counts.is_empty() {
            return;
        }
        let mut expected: Vec<f64> = counts
            .iter()
            .flat_map(|(share, n)| std::iter::repeat_n(*share, *n))
            .collect();
        expected.sort_by(f64::total_cmp);
        shares.sort_by(f64::total_cmp);
        self.equal("number of threads", &expected.len(), &shares.len());
        for (i, (e, s)) in expected.iter().zip(shares).enumerate() {
            self.near(&format!("share number {i} from below"), *e, tolerance, s);
        }
    }

    /// Checks everything that is read from the records of the whole run.
    fn records(&mut self, sim: &Sim, expect: &Expect) {
        let kept = setup::KEPT as u64;
        if sim.trace().next_seq() > kept || sim.decisions().next_id() > kept {
            self.wrong
                .push("the run is too long for its records".to_owned());
            return;
        }
        self.waits(sim, expect);
        self.turns(
            sim,
            &expect.turns,
            expect.turns_within.as_deref().map_or(0, ns),
        );
        self.changes(sim, expect);
        for start in &expect.starts {
            self.start(sim, start);
        }
        for decision in &expect.decisions {
            self.decision(sim, decision);
        }
        for range in &expect.operands {
            self.operands(sim, range);
        }
        self.forbidden(sim, expect);
    }

    /// Checks signals and migrations that are not allowed: the first one is reported, with the number of all.
    fn forbidden(&mut self, sim: &Sim, expect: &Expect) {
        let package = |cpu: i64| {
            let cpu = CpuId::new(usize::try_from(cpu).expect("a CPU"));
            sim.plan().machine.place(cpu).package
        };
        let found: Vec<&TraceRecord> = sim
            .trace()
            .from_seq(0)
            .filter(|r| r.at >= self.from)
            .filter(|r| match r.kind {
                TraceKind::Kick => expect.never_signalled.contains(&r.cpu),
                TraceKind::Migrate => {
                    expect.migrations_inside_packages
                        && package(i64::from(r.cpu)) != package(r.other)
                }
                _ => false,
            })
            .collect();
        if let Some(first) = found.first() {
            self.wrong.push(format!(
                "{} forbidden signals or migrations, the first at {} ns to CPU {}",
                found.len(),
                first.at.0,
                first.cpu
            ));
        }
    }

    #[allow(clippy::cast_precision_loss)] // far below 2^53
    fn waits(&mut self, sim: &Sim, expect: &Expect) {
        let waits = observe::waits(sim, self.from, false);
        let of = |task: &TaskId| waits.get(task).cloned().unwrap_or_default();
        for (name, expected) in &expect.longest_wait {
            for task in observe::threads(sim, name) {
                let seen = of(&task).into_iter().max().unwrap_or(0);
                let what = format!("longest wait of {} in ns", sim.task_name(task));
                self.equal(&what, &ns(expected), &seen);
            }
        }
        let waits = observe::waits(sim, self.from, true);
        let of = |task: &TaskId| waits.get(task).cloned().unwrap_or_default();
        for (name, expected) in &expect.wakeup_latency {
            let mut all: Vec<u64> = observe::threads(sim, name).iter().flat_map(of).collect();
            all.sort_unstable();
            if all.is_empty() {
                self.wrong.push(format!("{name} never woke"));
                continue;
            }
            let ms = |ns: u64| ns as f64 / 1e6;
            let mean = ms(all.iter().sum::<u64>()) / all.len() as f64;
            let p95 = ms(all[(all.len() * 95 / 100).min(all.len() - 1)]);
            let max = ms(all[all.len() - 1]);
            for (what, (e, tolerance), seen) in [
                ("mean latency", expected.mean, mean),
                ("95 % of the latencies", expected.p95, p95),
                ("longest latency", expected.max, max),
            ] {
                self.near(&format!("{what} of {name} in ms"), e, tolerance, seen);
            }
        }
    }

    fn turns(&mut self, sim: &Sim, expected: &[(String, String)], within: u64) {
        if expected.is_empty() {
            return;
        }
        let switches = observe::switches_on(sim, 0, self.from);
        let seen: Vec<(String, u64)> = switches
            .iter()
            .zip(switches.iter().skip(1))
            .take(expected.len())
            .map(|(r, next)| {
                let name = observe::task(r.task).map_or("-".to_owned(), |t| sim.task_name(t));
                (name, next.at.since(r.at).0)
            })
            .collect();
        let expected: Vec<(String, u64)> = expected
            .iter()
            .map(|(name, length)| (sim.task_name(observe::thread(sim, name)), ns(length)))
            .collect();
        let alike =
            |(a, b): (&(String, u64), &(String, u64))| a.0 == b.0 && a.1.abs_diff(b.1) <= within;
        let fits = expected.len() == seen.len() && expected.iter().zip(&seen).all(alike);
        if !fits {
            self.equal("turns on CPU 0 in ns", &expected, &seen);
        }
    }

    /// When something runs on a CPU.
    #[allow(clippy::cast_precision_loss)] // far below 2^53
    fn busy(&mut self, sim: &Sim, expect: &Expect) {
        for (cpu, expected) in &expect.busy {
            let number = cpu.parse().expect("the number of a CPU");
            let mut seen: Vec<(f64, f64)> = Vec::new();
            let mut since = None;
            for r in observe::switches_on(sim, number, SimTime(0)) {
                let ms = r.at.0 as f64 / 1e6;
                match (observe::task(r.task), since) {
                    (Some(_), None) => since = Some(ms),
                    (None, Some(from)) => {
                        seen.push((from, ms));
                        since = None;
                    }
                    _ => {}
                }
            }
            seen.retain(|(_, to)| *to > self.from.0 as f64 / 1e6);
            seen.truncate(expected.len());
            let near = |a: f64, b: f64| (a - b).abs() <= expect.busy_within.max(1e-4);
            let alike = |(a, b): (&(f64, f64), &(f64, f64))| near(a.0, b.0) && near(a.1, b.1);
            let fits = seen.len() == expected.len() && expected.iter().zip(&seen).all(alike);
            if !fits {
                self.equal(&format!("busy times of CPU {cpu} in ms"), expected, &seen);
            }
        }
    }

    /// What is counted of control groups.
    #[allow(clippy::cast_precision_loss)] // far below 2^53
    fn cgroups(&mut self, sim: UpToDate<'_>, expect: &Expect) {
        let all = sim.scheduler().cgroups(sim.now());
        for (name, expected) in &expect.cgroups {
            let groups = &sim.plan().cgroups.groups;
            let at = groups.iter().position(|g| g.name == *name);
            let Some(seen) = at.and_then(|at| all.get(at)) else {
                self.wrong.push(format!("nothing is counted of {name}"));
                continue;
            };
            let ms = |ns: u64| ns as f64 / 1e6;
            for (what, expected, seen) in [
                ("periods", expected.periods, seen.periods as f64),
                (
                    "throttled periods",
                    expected.throttled,
                    seen.throttled as f64,
                ),
                ("throttled ms", expected.throttled_ms, ms(seen.throttled_ns)),
                (
                    "all throttled ms",
                    expected.throttled_all_ms,
                    ms(seen.throttled_all_ns),
                ),
                ("bursts", expected.bursts, seen.bursts as f64),
                ("burst ms", expected.burst_ms, ms(seen.burst_ns)),
                ("pool ms", expected.pool_ms, ms(seen.pool_ns)),
            ] {
                if let Some((expected, tolerance)) = expected {
                    self.near(&format!("{what} of {name}"), expected, tolerance, seen);
                }
            }
        }
    }

    #[allow(clippy::cast_precision_loss)] // small numbers
    fn changes(&mut self, sim: &Sim, expect: &Expect) {
        for (name, (expected, tolerance)) in &expect.changes {
            let group = observe::threads(sim, name);
            let mut turns: Vec<TaskId> = observe::switches_on(sim, 0, self.from)
                .iter()
                .filter_map(|r| observe::task(r.task))
                .filter(|t| group.contains(t))
                .collect();
            turns.dedup();
            let seen = turns.len().saturating_sub(1) as f64;
            self.near(&format!("changes of {name}"), *expected, *tolerance, seen);
        }
        if let Some((expected, tolerance)) = expect.first_exit_per_last {
            let exits: Vec<u64> = (0..sim.task_count())
                .filter_map(|i| sim.task_view(TaskId::new(i)).exited_at_ns)
                .collect();
            let (first, last) = (exits.iter().min(), exits.iter().max());
            let seen = match (first, last) {
                (Some(first), Some(last)) if exits.len() == sim.task_count() => {
                    *first as f64 / *last as f64
                }
                _ => f64::NAN,
            };
            self.near("first exit per last", expected, tolerance, seen);
        }
    }

    fn start(&mut self, sim: &Sim, start: &Start) {
        let task = i64::from(observe::thread(sim, &start.thread).0);
        let after = SimTime(ns(&start.after));
        let found = sim
            .trace()
            .from_seq(0)
            .find(|r| r.kind == TraceKind::Switch && r.task == task && r.at >= after);
        let what = format!("start of {} after {}", start.thread, start.after);
        let Some(r) = found else {
            self.wrong.push(format!("{what}: never"));
            return;
        };
        let within = start.within.as_deref().map_or(0, ns);
        let expected = ns(&start.t);
        if r.at.0.abs_diff(expected) > within {
            let seen = r.at.0;
            self.wrong
                .push(format!("{what}: expected at {expected} ns, saw {seen} ns"));
        }
        if let Some(cpu) = start.cpu {
            self.equal(&format!("{what}, CPU"), &cpu, &r.cpu);
        }
    }

    /// Checks whether a column is equal on all CPUs for the first time.
    #[allow(clippy::cast_precision_loss)] // far below 2^53
    fn look(&mut self, sim: &mut Sim, even: &UntilEven) {
        let seen = observe::counters(sim);
        if self.since.is_empty() {
            self.since.clone_from(&seen);
        }
        let cpus = sim.plan().machine.cpu_ids();
        let alike = cpus.into_iter().all(|cpu| {
            observe::cpu_column(sim.refresh(), cpu, &even.column).to_bits() == even.value.to_bits()
        });
        if self.even || !alike {
            return;
        }
        self.even = true;
        for (name, (expected, tolerance)) in &even.counters {
            let value = if name == "seconds" {
                (sim.now().0 - ns(&even.from)) as f64 / 1e9
            } else {
                seen.get(name)
                    .map_or(f64::NAN, |n| (n - self.since[name]) as f64)
            };
            self.near(&format!("{name} until even"), *expected, *tolerance, value);
        }
    }

    /// Checks the operands of all decisions for a reason.
    #[allow(clippy::cast_precision_loss)] // far below 2^53
    fn operands(&mut self, sim: &Sim, range: &OperandRange) {
        let rows: Vec<[i64; 4]> = sim
            .decisions()
            .iter()
            .filter(|d| d.at >= self.from && report::decision_view(sim, d).reason == range.reason)
            .map(|d| d.operands)
            .collect();
        let what = format!("operand {} of {}", range.operand, range.reason);
        if rows.is_empty() {
            self.wrong.push(format!("{what}: no such decision"));
            return;
        }
        let value = |row: &[i64; 4]| row[range.operand];
        let era = sim.plan().lanes[sim.lane()].era.id;
        let first = |bad: &dyn Fn(&[i64; 4]) -> bool| rows.iter().copied().find(|row| bad(row));
        let outside = range
            .range
            .and_then(|(low, high)| first(&|row| !(low..=high).contains(&value(row))));
        let differs = range
            .equals
            .and_then(|other| first(&|row| value(row) != row[other]));
        let elsewhere = range
            .own_slot
            .then(|| first(&|row| value(row) != super::ule::own_slot(era, row[0], row[2], row[3])))
            .flatten();
        for (fault, row) in [
            ("range", outside),
            ("equality", differs),
            ("slot", elsewhere),
        ] {
            if let Some(row) = row {
                self.wrong.push(format!("{what}: wrong {fault} in {row:?}"));
            }
        }
        if let Some((expected, tolerance)) = range.mean {
            let mean = rows.iter().map(value).sum::<i64>() as f64 / rows.len() as f64;
            self.near(&format!("{what}, mean"), expected, tolerance, mean);
        }
    }

    fn decision(&mut self, sim: &Sim, expected: &Decision) {
        let thread = expected.thread.as_ref().map(|t| observe::thread(sim, t));
        let exactly = expected.t.as_deref().map(ns);
        let after = expected.after.as_deref().map_or(0, ns);
        let with_reason: Vec<_> = sim
            .decisions()
            .iter()
            .filter(|d| report::decision_view(sim, d).reason == expected.reason)
            .collect();
        let found = with_reason
            .iter()
            .filter(|d| {
                d.at.0 >= after
                    && exactly.is_none_or(|t| d.at.0 == t)
                    && expected.cpu.is_none_or(|cpu| d.cpu == Some(CpuId(cpu)))
                    && (thread.is_none() || d.task == thread)
                    && d.operands.starts_with(&expected.operands)
            })
            .count();
        if expected.count.map_or(found > 0, |n| n == found) {
            return;
        }
        let near: Vec<String> = with_reason
            .iter()
            .filter(|d| d.at.0 >= after)
            .take(4)
            .map(|d| {
                format!(
                    "at {} cpu {:?} task {:?} {:?}",
                    d.at.0, d.cpu, d.task, d.operands
                )
            })
            .collect();
        self.wrong.push(format!(
            "decision {expected:?}: found {found} times; with this reason there are {}: {near:?}",
            with_reason.len()
        ));
    }
}

fn cpu_times(sim: &mut Sim) -> Vec<u64> {
    (0..sim.task_count())
        .map(|i| observe::cpu_ns(sim, TaskId::new(i)))
        .collect()
}
