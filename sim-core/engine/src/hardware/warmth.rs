//! Warm caches: which data a thread finds when it is dispatched, and which it leaves behind.

use super::Hardware;
use super::cpu::{Charged, WarmUp};
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::Machine;
use sim_machine::cost::LINE;
use sim_machine::cost::mix::{compute_fs, shape};
use sim_machine::cost::split::product;
use sim_machine::cost::time::together;
use sim_machine::rate::{DataUse, RATE_BITS};

sim_ground::constants! {
    /// Size of the kernel data of a thread that a switch to it touches.
    THREAD_BYTES: u64 = 9 << 10, "bytes", Assumed,
        "Fitted to the `sched_yield()` times of October 2007 on eight CPUs (Roberson, cvs-src): caches of 1 MiB hold those of 100 processes, not of 125. Most lines begin a page (kernel stack, pcb, page tables, user stack), so they compete for few sets.";
    /// Number of cache lines among these data.
    THREAD_LINES: u64 = 30, "lines", Assumed,
        "Fitted to the `sched_yield()` times of October 2007 on eight CPUs (Roberson, cvs-src): a yield among 1000 processes is 3 µs dearer than among 100, of which the latency of the memory explains 1.8.";
}

impl Hardware {
    /// A task has come to a CPU: computes the warm-up that the CPU causes. `fills_nodes` says where memory that a task has
    /// not touched yet will lie.
    pub(crate) fn find_warmth(
        &mut self,
        machine: &Machine,
        charged: Charged,
        task: TaskId,
        fills_nodes: impl FnOnce() -> bool,
    ) {
        let cpu = charged.cpu();
        let bytes = self.working_set_bytes(task);
        if bytes == 0 {
            return;
        }
        if !self.has_memory(task) {
            self.place_memory(machine, cpu, task, bytes, fills_nodes());
        }
        self.find_data(machine, cpu, task);
        self.note_remote(machine, charged, task);
    }

    /// The share of a task's set that lies in the cache that serves it on its last CPU, where it may be running; `None`
    /// without a set, or if no cache can hold it.
    pub(crate) fn warmth(
        &self,
        machine: &Machine,
        cpu: CpuId,
        task: TaskId,
        is_running: bool,
    ) -> Option<f64> {
        let bytes = self.working_set_bytes(task);
        if bytes == 0 {
            return None;
        }
        let (_, missing) = self.missing(machine, cpu, task)?;
        let missing = if is_running {
            self.cold_bytes(machine, cpu, task)
        } else {
            missing
        };
        let part = (u128::from(bytes - missing.min(bytes)) << 20) / u128::from(bytes);
        u32::try_from(part)
            .ok()
            .map(|p| f64::from(p) / f64::from(1_u32 << 20))
    }

    /// Finds which data of a task its CPU's caches hold, and the cost of fetching the rest.
    fn find_data(&mut self, machine: &Machine, cpu: CpuId, task: TaskId) {
        let Some((depth, missing)) = self.missing(machine, cpu, task) else {
            return;
        };
        if missing == 0 {
            return;
        }
        let source = self.source(machine, cpu, task, depth, missing);
        match self.demands.of(task).class.data {
            DataUse::Footprint => {
                let ns = self.refill_ns(machine, cpu, task, depth, source, missing);
                self.cpus[cpu.index()].debt.refill_ns += ns;
            }
            data => {
                let spec = machine.spec();
                let compute = compute_fs(data, &spec.work, spec.clock_mhz);
                // Iterations over the missing part, as work at full speed.
                let left = product(missing, compute << 10, shape(data).0 * 1_000_000);
                self.cpus[cpu.index()].warm_up = WarmUp {
                    left: left.saturating_mul(1 << (RATE_BITS - 10)).max(1),
                    depth,
                    source,
                };
            }
        }
    }

    /// A task leaves its CPU: its data are the most recent in the caches of that CPU.
    pub(crate) fn keep_data(&mut self, machine: &Machine, charged: Charged, task: TaskId) {
        let cpu = charged.cpu();
        let warm_up = self.cpus[cpu.index()].warm_up;
        let bytes = self.demands.of(task).working_set_bytes;
        let cold = self.cold_bytes(machine, cpu, task);
        let caches = machine.caches();
        for (depth, instance) in caches.path(cpu).iter().enumerate() {
            let size = caches.instances()[usize::from(*instance)].bytes;
            // Lines that were not yet fetched are in none of the caches between here and their source.
            let on_its_way = cold > 0
                && (usize::from(warm_up.depth)..usize::from(warm_up.source)).contains(&depth);
            let there = if on_its_way {
                bytes.saturating_sub(cold)
            } else {
                bytes
            };
            self.residency.touch(task, *instance, there, size);
        }
        self.cpus[cpu.index()].warm_up = WarmUp::default();
    }

    /// Bytes of a running task that are still missing in the cache that it fills.
    fn cold_bytes(&self, machine: &Machine, cpu: CpuId, task: TaskId) -> u64 {
        let left = self.cpus[cpu.index()].warm_up.left;
        let data = self.demands.of(task).class.data;
        let step = shape(data).0;
        if left == 0 || step == 0 {
            return 0;
        }
        let spec = machine.spec();
        let compute = compute_fs(data, &spec.work, spec.clock_mhz);
        product(
            left.div_ceil(1 << (RATE_BITS - 10)),
            step * 1_000_000,
            compute << 10,
        )
    }

    /// The innermost cache that can hold the whole set of a task, by its place in the CPU's path, and how much of
    /// the set is not there; `None` if the set is larger than all caches.
    fn missing(&self, machine: &Machine, cpu: CpuId, task: TaskId) -> Option<(u8, u64)> {
        let caches = machine.caches();
        let bytes = self.demands.of(task).working_set_bytes;
        let path = caches.path(cpu);
        let depth = caches.room(cpu).iter().position(|room| *room >= bytes)?;
        let there = self.residency.bytes(task, path[depth]);
        Some((
            u8::try_from(depth).unwrap_or(0),
            bytes.saturating_sub(there),
        ))
    }

    /// The cache that still holds the data missing in the inner ones; the length of the path stands for memory.
    fn source(&self, machine: &Machine, cpu: CpuId, task: TaskId, depth: u8, missing: u64) -> u8 {
        let path = machine.caches().path(cpu);
        let outer = path.iter().enumerate().skip(usize::from(depth) + 1);
        let holds = |(_, i): &(usize, &u16)| self.residency.bytes(task, **i) >= missing;
        let found = outer.clone().find(holds).map_or(path.len(), |(at, _)| at);
        u8::try_from(found).unwrap_or(u8::MAX)
    }

    /// Time to fetch a line, in ps, from a place in the CPU's path of caches or from the task's memory.
    pub(super) fn line_ps(&self, machine: &Machine, cpu: CpuId, task: TaskId, depth: usize) -> u64 {
        let caches = machine.caches();
        match caches.path(cpu).get(depth) {
            Some(instance) => u64::from(caches.spec(usize::from(*instance)).line_ps),
            None => {
                let local = u64::from(machine.spec().memory.line_ps);
                local * self.distance_milli(machine, cpu, task) / 1000
            }
        }
    }

    /// Extra time to touch a footprint that is not warm, as for one sweep of `loop` over it.
    fn refill_ns(
        &self,
        machine: &Machine,
        cpu: CpuId,
        task: TaskId,
        depth: u8,
        source: u8,
        missing: u64,
    ) -> u64 {
        let spec = machine.spec();
        let steps = LINE / shape(DataUse::Sweep).0;
        let compute = steps * compute_fs(DataUse::Sweep, &spec.work, spec.clock_mhz);
        let overlap = u64::from(spec.work.overlap_milli);
        let from = |place: u8| {
            let wait = self.line_ps(machine, cpu, task, usize::from(place)) * 1000;
            together(compute, wait, overlap)
        };
        let more = from(source).saturating_sub(from(depth));
        product(missing.div_ceil(LINE), more, 1_000_000)
    }

    /// Time to fetch the kernel's own data of a thread that last ran on `from`. Where many threads take turns, these data have left the caches when the thread returns.
    #[inline]
    pub(crate) fn kernel_refill_ns(&self, cpu: CpuId, from: CpuId, task: TaskId) -> u64 {
        let left_at = self.demands.of(task).left_at;
        let others = self.cpus[from.index()].dispatches.saturating_sub(left_at);
        let places = &self.settings.kernel_refills[cpu.index()];
        let place = places.iter().find(|place| others <= place.others);
        place.map_or(0, |place| place.ns)
    }
}

/// Where a CPU may find the kernel's own data of a thread.
pub(crate) struct KernelRefill {
    /// After how many other threads they are still there.
    others: u64,
    /// How long it takes to fetch them from there.
    ns: u64,
}

/// The places for each CPU, the nearest first; the last one is memory. Found once, because every switch asks.
pub(crate) fn kernel_refills(machine: &Machine) -> Vec<Vec<KernelRefill>> {
    let (caches, spec) = (machine.caches(), machine.spec());
    // The data are reached through pointers, one after the other: each line costs the whole latency.
    let cache = |i: usize| {
        let cycles = u64::from(caches.spec(i).latency_cycles);
        KernelRefill {
            others: caches.instances()[i].bytes / THREAD_BYTES,
            ns: match caches.spec(i).level {
                2 => 0,
                _ => THREAD_LINES * (cycles * 1000 / u64::from(spec.clock_mhz)),
            },
        }
    };
    // The data may lie on any node: the local latency stands for all of them.
    let memory = || KernelRefill {
        others: u64::MAX,
        ns: THREAD_LINES * u64::from(spec.memory.local_latency_ns),
    };
    let of_cpu = |cpu: CpuId| {
        let path = caches.path(cpu).iter().map(|i| usize::from(*i));
        let outer = path.filter(|i| caches.spec(*i).level >= 2);
        outer.map(cache).chain([memory()]).collect()
    };
    machine.cpu_ids().map(of_cpu).collect()
}
