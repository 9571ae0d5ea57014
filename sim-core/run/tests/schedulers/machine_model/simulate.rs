//! A small event simulation with the formulas: equal threads with equal amounts of work, no direct costs, one queue for
//! all cores or a queue for each, and the data that each core's cache keeps.
//!
//! Only for machines without SMT whose cores each have a last level of their own.

use super::formulas::{Class, Running, path, real, speeds};
use sim_run::ids::CpuId;
use sim_run::machine::Machine;
use std::collections::{BTreeMap, VecDeque};

/// The queues of threads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Queues {
    /// One queue, first come, first served.
    One,
    /// Thread i stays on core i modulo the number of cores.
    Pinned,
}

/// The simulated situation.
pub(super) struct Run<'a> {
    pub(super) machine: &'a Machine,
    pub(super) class: Class,
    /// Bytes of each thread's set.
    pub(super) set: f64,
    /// Iterations of each thread.
    pub(super) iterations: f64,
    pub(super) threads: usize,
    pub(super) queues: Queues,
    /// Length of a slice in ns.
    pub(super) slice: f64,
}

/// The result.
pub(super) struct Outcome {
    /// Mean CPU time of a thread in ns.
    pub(super) cpu: f64,
    /// Time until the last thread has ended.
    pub(super) elapsed: f64,
}

#[derive(Clone, Copy)]
struct OnCpu {
    thread: usize,
    slice_left: f64,
    /// Bytes that its cache still lacks.
    missing: f64,
}

/// The threads on a package: for each whether it is filling its cache, those that are not first.
type Load = Vec<bool>;
/// Time of an iteration of a thread whose cache is full, and of one that is filling, by the load of the package.
type Times = BTreeMap<Load, (f64, f64)>;

struct ModelState<'a> {
    run: &'a Run<'a>,
    left: Vec<f64>,
    cpu_time: Vec<f64>,
    on: Vec<Option<OnCpu>>,
    /// Cores that have not run yet.
    fresh: Vec<bool>,
    waiting: Vec<VecDeque<usize>>,
    /// What each core's cache holds: threads and bytes, the least recent first.
    kept: Vec<Vec<(usize, f64)>>,
    /// Size of the innermost level that can hold a set.
    level: Option<f64>,
    /// Times by the loads of all packages, in any order.
    known: BTreeMap<Vec<Load>, Times>,
}

impl Run<'_> {
    pub(super) fn go(&self) -> Outcome {
        let cores = self.machine.core_count();
        let queues = if self.queues == Queues::One { 1 } else { cores };
        let level = path(self.machine, CpuId(0))
            .iter()
            .map(|l| l.bytes)
            .find(|b| *b >= self.set);
        let mut st = ModelState {
            run: self,
            left: vec![self.iterations; self.threads],
            cpu_time: vec![0.0; self.threads],
            on: vec![None; cores],
            fresh: vec![true; cores],
            waiting: vec![VecDeque::new(); queues],
            kept: vec![Vec::new(); cores],
            level,
            known: BTreeMap::new(),
        };
        for thread in 0..self.threads {
            st.waiting[thread % queues].push_back(thread);
        }
        let mut now = 0.0;
        loop {
            for core in 0..cores {
                st.dispatch(core);
            }
            let times = st.times();
            // The next end of a slice, of a cache fill, or of a thread.
            let Some(step) = (0..cores)
                .filter_map(|c| st.next(c, &times))
                .reduce(f64::min)
            else {
                break;
            };
            now += step;
            for (core, t) in times.iter().enumerate() {
                st.progress(core, step, *t);
            }
        }
        Outcome {
            cpu: st.cpu_time.iter().sum::<f64>() / real(self.threads as u64),
            elapsed: now,
        }
    }
}

impl ModelState<'_> {
    fn queue(&self, core: usize) -> usize {
        core % self.waiting.len()
    }

    fn dispatch(&mut self, core: usize) {
        let queue = self.queue(core);
        if self.on[core].is_some() {
            return;
        }
        let Some(thread) = self.waiting[queue].pop_front() else {
            return;
        };
        let kept = self.kept[core].iter().find(|(t, _)| *t == thread);
        let missing = if self.level.is_some() {
            self.run.set - kept.map_or(0.0, |(_, bytes)| *bytes)
        } else {
            0.0
        };
        // Cores do not start together, so their slices end one after the other.
        let first = std::mem::take(&mut self.fresh[core]);
        let cores = real(self.on.len() as u64);
        let part = if first {
            real(core as u64 + 1) / cores
        } else {
            1.0
        };
        let slice_left = self.run.slice * part;
        self.on[core] = Some(OnCpu {
            thread,
            slice_left,
            missing,
        });
    }

    fn next(&self, core: usize, times: &[f64]) -> Option<f64> {
        let on = self.on[core]?;
        let mut next = on.slice_left.min(self.left[on.thread] * times[core]);
        if on.missing > 0.0 {
            next = next.min(on.missing / self.run.class.bytes * times[core]);
        }
        Some(next)
    }

    fn progress(&mut self, core: usize, step: f64, t: f64) {
        const NOTHING: f64 = 1e-6;
        let Some(mut on) = self.on[core] else {
            return;
        };
        self.cpu_time[on.thread] += step;
        self.left[on.thread] -= step / t;
        on.slice_left -= step;
        on.missing -= step / t * self.run.class.bytes;
        if on.missing < NOTHING {
            on.missing = 0.0;
        }
        let ended = self.left[on.thread] < NOTHING;
        self.on[core] = Some(on);
        if !ended && on.slice_left > NOTHING {
            return;
        }
        let queue = self.queue(core);
        if !ended && self.waiting[queue].is_empty() {
            on.slice_left = self.run.slice;
            self.on[core] = Some(on);
            return;
        }
        self.leave(core, on, ended);
        if !ended {
            self.waiting[queue].push_back(on.thread);
        }
    }

    /// The thread's bytes become the most recent ones, and the least recent ones are evicted.
    fn leave(&mut self, core: usize, on: OnCpu, ended: bool) {
        self.on[core] = None;
        let Some(size) = self.level else {
            return;
        };
        let kept = &mut self.kept[core];
        kept.retain(|(t, _)| *t != on.thread);
        if !ended {
            kept.push((on.thread, self.run.set - on.missing));
        }
        let mut over = kept.iter().map(|(_, b)| b).sum::<f64>() - size;
        while over > 0.0 {
            let gone = kept[0].1.min(over);
            kept[0].1 -= gone;
            over -= gone;
            if kept[0].1 <= 0.0 {
                kept.remove(0);
            }
        }
    }

    /// Time of an iteration on each core (idle cores count as 1).
    fn times(&mut self) -> Vec<f64> {
        let machine = self.run.machine;
        let packages = 1 + machine
            .cpu_ids()
            .map(|c| machine.place(c).package.index())
            .max()
            .expect("a CPU");
        // Equal packages with the same load are equivalent, so the key is a sorted list of packages.
        let mut load: Vec<Load> = vec![Vec::new(); packages];
        for (core, on) in self.on.iter().enumerate() {
            if let Some(on) = on {
                load[machine.place(CpuId::new(core)).package.index()].push(on.missing > 0.0);
            }
        }
        for l in &mut load {
            l.sort_unstable();
        }
        let mut key = load.clone();
        key.sort_unstable();
        if !self.known.contains_key(&key) {
            let solved = self.solve();
            self.known.insert(key.clone(), solved);
        }
        let known = &self.known[&key];
        self.on
            .iter()
            .enumerate()
            .map(|(core, on)| {
                let package = machine.place(CpuId::new(core)).package.index();
                on.map_or(1.0, |on| {
                    let (filled, filling) = known[&load[package]];
                    if on.missing > 0.0 { filling } else { filled }
                })
            })
            .collect()
    }

    fn solve(&self) -> Times {
        let machine = self.run.machine;
        let mut all = Vec::new();
        for (core, on) in self.on.iter().enumerate() {
            if let Some(on) = on {
                let cpu = CpuId::new(core);
                let mut r = Running::local(machine, cpu, self.run.class, self.run.set);
                r.filling_from = (on.missing > 0.0).then(|| path(machine, cpu).len());
                all.push(r);
            }
        }
        let mut of_package: BTreeMap<usize, (Load, f64, f64)> = BTreeMap::new();
        for (r, s) in all.iter().zip(speeds(machine, &all)) {
            let package = machine.place(r.cpu).package.index();
            let entry = of_package.entry(package).or_insert((Vec::new(), 1.0, 1.0));
            entry.0.push(r.filling_from.is_some());
            if r.filling_from.is_some() {
                entry.2 = s.t;
            } else {
                entry.1 = s.t;
            }
        }
        of_package
            .into_values()
            .map(|(mut load, filled, filling)| {
                load.sort_unstable();
                (load, (filled, filling))
            })
            .collect()
    }
}
