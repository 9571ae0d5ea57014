//! CPU time that is idle although somebody waits who could use it.

use crate::support::{MS, checked, plan};
use serde_json::json;
use sim_run::engine::Sim;

#[test]
fn idle_cpus_beside_a_throttled_control_group_counted_as_waste() {
    // One thread wants a whole CPU and may use half of one. While its group stands still, nobody could use an idle CPU.
    let scenario = json!({
        "version": 2, "name": "half a CPU", "machine": "rpi4",
        "schedulers": [
            { "id": "cfs", "era": "4.9" }, { "id": "cfs", "era": "6.1" }, { "id": "eevdf", "era": "6.12" },
        ],
        "cgroups": { "web": { "quotaUs": 50_000, "periodUs": 100_000, "phaseUs": 0 } },
        "groups": [{ "name": "hog", "count": 1, "cgroup": "web", "behaviour": { "kind": "loop" } }],
        "end": { "atNs": 2_000 * MS },
    });
    let plan = plan(&scenario);
    for lane in 0..plan.lanes.len() {
        let mut sim = Sim::new(&plan, lane, checked());
        sim.run_until(sim.end());
        let sim = sim.refresh();
        let busy: u64 = plan
            .machine
            .cpu_ids()
            .map(|c| sim.cpu_account(c).busy_ns)
            .sum();
        assert!(busy < 1_100 * MS, "lane {lane}: the limit holds: {busy} ns");
        let waste = sim.idle_while_waiting_ns();
        assert!(waste < 5 * MS, "lane {lane}: {waste} ns");
    }
}
