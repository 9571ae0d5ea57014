//! Runs of the engine that measure the speed of threads on given CPUs.

use super::formulas::real;
use crate::support::{plan, start};
use serde_json::{Value, json};
use sim_run::engine::{Options, Sim};
use sim_run::ids::{CpuId, TaskId};
use sim_run::machine::Machine;
use sim_run::machine::rate::RATE_BITS;
use sim_run::machine::spec::MachineSpec;
use sim_run::metrics::work_ns;
use sim_run::time::SimTime;

/// A thread that stays on one CPU.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) cpu: CpuId,
    /// Id of its behaviour.
    pub(super) kind: &'static str,
    /// Bytes of its working set; the behaviour's own if left out.
    pub(super) set: Option<u64>,
    /// CPU time alone until it ends; 0 = never.
    pub(super) work_ms: u64,
}

impl Placed {
    /// A sweep that never ends.
    pub(super) fn array_loop(cpu: CpuId, set: u64) -> Self {
        Self {
            cpu,
            kind: "loop",
            set: Some(set),
            work_ms: 0,
        }
    }

    /// A chase that never ends.
    pub(super) fn chase(cpu: CpuId, set: u64) -> Self {
        Self {
            kind: "chase",
            ..Self::array_loop(cpu, set)
        }
    }

    /// Dhrystone that never ends.
    pub(super) fn dhrystone(cpu: CpuId) -> Self {
        Self {
            cpu,
            kind: "dhrystone",
            set: None,
            work_ms: 0,
        }
    }
}

/// A machine on which only the work takes time.
pub(super) fn without_direct_costs(spec: &MachineSpec) -> MachineSpec {
    let mut spec = spec.clone();
    spec.costs.yield_ns = 0;
    spec.costs.switch_ns = 0;
    spec.costs.tick_ns = 0;
    spec.costs.kick_ns = 0;
    spec.costs.idle_exit_ns = 0;
    spec.costs.idle_exit_deep_ns = 0;
    spec.idle = None;
    spec.costs.line_transfer_ns = 0;
    spec.costs.line_transfer_far_ns = None;
    spec
}

/// The placed threads as groups of a scenario, each with a start time.
pub(super) fn groups(all: &[Placed], start_ns: impl Fn(usize) -> u64) -> Vec<Value> {
    let group = |(i, p): (usize, &Placed)| {
        let mut group = json!({
            "name": format!("t{i}"), "count": 1, "behaviour": { "kind": p.kind },
            "allowed": [p.cpu.0], "startNs": start_ns(i),
        });
        if let Some(bytes) = p.set {
            group["workingSetBytes"] = json!(bytes);
        }
        if p.work_ms > 0 {
            group["behaviour"]["params"] = json!({ "workMs": p.work_ms });
        }
        group
    };
    all.iter().enumerate().map(group).collect()
}

/// A run of threads that stay on their CPUs, except for edits, on a machine without direct costs.
pub(super) struct Pinned {
    sim: Sim,
    threads: usize,
}

/// The totals of a thread up to a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done {
    /// Work in ns at full speed.
    pub(super) work: f64,
    /// CPU time in ns.
    pub(super) run: f64,
    /// Number of times that it was dispatched.
    pub(super) switches: u64,
}

impl Pinned {
    pub(super) fn new(
        spec: &MachineSpec,
        groups: &[Value],
        slice_ms: u64,
        edits: &Value,
        end_ns: u64,
    ) -> Self {
        let spec = without_direct_costs(spec);
        let plan = plan(&json!({
            "version": 1,
            "name": "placed threads",
            "machine": spec,
            "schedulers": [{ "id": "manual", "tunables": { "sliceMs": slice_ms } }],
            "groups": groups,
            "edits": edits,
            "end": { "atNs": end_ns, "whenAllExited": true },
        }));
        let numbered = Machine::new(&spec).expect("possible");
        for cpu in numbered.cpu_ids() {
            let place = plan.machine.place(cpu);
            assert_eq!(numbered.place(cpu), place, "numbered alike");
        }
        let quick = Options {
            check_every: 0,
            ..Options::default()
        };
        Self {
            sim: start(&plan, quick),
            threads: groups.len(),
        }
    }

    /// The totals of each thread up to a time. All CPU time has a cause.
    pub(super) fn at(&mut self, ns: u64) -> Vec<Done> {
        self.sim.run_until(SimTime(ns));
        let sim = self.sim.refresh();
        let done = |i| {
            let account = sim.account(TaskId::new(i));
            let causes: u64 = account.by_cause.iter().sum();
            assert_eq!(causes, account.run_ns << RATE_BITS, "all time has a cause");
            Done {
                work: work_ns(account),
                run: real(account.run_ns),
                switches: account.switches,
            }
        };
        (0..self.threads).map(done).collect()
    }

    /// The time at which the run ended.
    pub(super) fn now_ns(&self) -> u64 {
        self.sim.now().0
    }
}

/// Work of each thread per ns of its CPU time, between two times; 1 is computing alone.
pub(super) fn speeds(spec: &MachineSpec, all: &[Placed], from: u64, to: u64) -> Vec<f64> {
    speeds_after(spec, all, &json!([]), from, to)
}

/// The same after some edits.
pub(super) fn speeds_after(
    spec: &MachineSpec,
    all: &[Placed],
    edits: &Value,
    from: u64,
    to: u64,
) -> Vec<f64> {
    let mut run = Pinned::new(spec, &groups(all, |_| 0), 100, edits, to);
    let (before, after) = (run.at(from), run.at(to));
    before
        .iter()
        .zip(&after)
        .map(|(b, a)| (a.work - b.work) / (a.run - b.run))
        .collect()
}
