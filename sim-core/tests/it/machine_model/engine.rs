//! Runs of the engine that say how fast threads are on given CPUs.

use crate::support::{plan, start};
use serde_json::json;
use sim_core::engine::Options;
use sim_core::ids::{CpuId, TaskId};
use sim_core::machine::Machine;
use sim_core::machine::spec::MachineSpec;
use sim_core::metrics::work_ns;
use sim_core::time::SimTime;

/// A thread that stays on a CPU.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) cpu: CpuId,
    /// Id of its behaviour.
    pub(super) kind: &'static str,
    /// Bytes of its working set; the behaviour's own if left out.
    pub(super) set: Option<u64>,
}

/// A machine on which nothing but the work takes time.
pub(super) fn without_direct_costs(spec: &MachineSpec) -> MachineSpec {
    let mut spec = spec.clone();
    spec.costs.yield_ns = 0;
    spec.costs.switch_ns = 0;
    spec.costs.tick_ns = 0;
    spec.costs.kick_ns = 0;
    spec.costs.idle_exit_ns = 0;
    spec.costs.idle_exit_deep_ns = 0;
    spec.costs.line_transfer_ns = 0;
    spec.costs.line_transfer_far_ns = None;
    spec
}

/// Work of each thread for each ns of its CPU time, from one time to another; 1 is computing alone.
pub(super) fn speeds(spec: &MachineSpec, all: &[Placed], from: u64, to: u64) -> Vec<f64> {
    let spec = without_direct_costs(spec);
    let groups: Vec<_> = all
        .iter()
        .enumerate()
        .map(|(i, p)| {
            let mut group = json!({
                "name": format!("t{i}"), "count": 1, "behaviour": { "kind": p.kind },
                "allowed": [p.cpu.0],
            });
            if let Some(bytes) = p.set {
                group["workingSetBytes"] = json!(bytes);
            }
            group
        })
        .collect();
    let plan = plan(&json!({
        "version": 1,
        "name": "speeds",
        "machine": spec,
        "schedulers": [{ "id": "manual" }],
        "groups": groups,
        "end": { "atNs": to },
    }));
    let numbered = Machine::new(&spec).expect("possible");
    for cpu in numbered.cpu_ids() {
        assert_eq!(
            numbered.place(cpu),
            plan.machine.place(cpu),
            "numbered alike"
        );
    }
    let mut sim = start(&plan, Options::default());
    let mut read = |at: u64| -> Vec<(f64, f64)> {
        sim.run_until(SimTime(at));
        sim.refresh();
        (0..all.len())
            .map(|i| {
                let account = sim.task_view(TaskId::new(i)).account;
                (work_ns(account), super::formulas::real(account.run_ns))
            })
            .collect()
    };
    let (before, after) = (read(from), read(to));
    before
        .iter()
        .zip(&after)
        .map(|((w0, r0), (w1, r1))| (w1 - w0) / (r1 - r0))
        .collect()
}
