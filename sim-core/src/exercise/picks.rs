//! Who gets a CPU, turn by turn.

use crate::config::plan::Plan;
use crate::engine::{Options, Sim};
use crate::ids::TaskId;
use crate::trace::TraceKind;
use std::sync::Arc;

/// Number of records of one event that are kept.
const KEPT: usize = 4_096;

/// The names of the first threads of the workload that got a CPU in lane 1, and what stopped the lane before.
pub(super) fn first(plan: &Arc<Plan>, n: usize) -> (Vec<String>, Option<String>) {
    let options = Options {
        check_every: 0,
        decision_limit: 0,
        trace_limit: KEPT,
        ..Options::default()
    };
    let mut sim = Sim::new(plan, 0, options);
    let (mut names, mut next) = (Vec::new(), 0);
    while names.len() < n && sim.next_event_time().is_some_and(|at| at <= sim.end()) {
        if !sim.step_event() {
            break;
        }
        for record in sim.trace().from_seq(next) {
            let task = usize::try_from(record.task).ok();
            let task = task.filter(|_| record.kind == TraceKind::Switch);
            let Some(task) = task.map(TaskId::new) else {
                continue;
            };
            if names.len() < n && !sim.task_view(task).info.background {
                names.push(sim.task_name(task));
            }
        }
        next = sim.trace().next_seq();
    }
    (names, sim.fault().map(|f| f.message.clone()))
}
