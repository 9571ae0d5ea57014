//! Decisions for display, with names for numbers.

use super::{CallView, CandidateView, DecisionView, ExecutedLine, OperandView};
use crate::engine::Sim;
use crate::ids::TaskId;
use crate::info::ReasonEntry;
use crate::metrics::real;
use crate::sched::decision::{Candidate, Decision, ProgramCall};

/// A decision for display.
#[must_use]
pub fn decision_view(sim: &Sim, d: &Decision) -> DecisionView {
    let name = |task: TaskId| (task.index() < sim.task_count()).then(|| sim.task_name(task));
    let view = named_decision(d, sim.reasons(), &name, &|task| application(sim, task));
    let mut operands = view.operands;
    for operand in operands.iter_mut().filter(|o| o.unit == "cgroup") {
        operand.named = cgroup(sim, operand.value);
    }
    let calls = d.explained.iter().flat_map(|e| &e.calls);
    DecisionView {
        operands,
        said: view.said.map(|said| sim.with_names(&said)),
        calls: calls.map(|call| call_view(sim, call)).collect(),
        ..view
    }
}

/// The name of a control group. Schedulers count from 1, as the root is 0.
fn cgroup(sim: &Sim, number: f64) -> Option<String> {
    let groups = sim.plan().cgroups.groups.iter().zip(1_u32..);
    let mut named = groups.filter(|(_, n)| f64::from(*n) == number);
    named.next().map(|(group, _)| group.name.clone())
}

/// A decision for display, of a scheduler with these reasons, with names for its tasks and for their applications.
#[must_use]
#[allow(clippy::cast_precision_loss)] // display; operands far below 2^53
pub fn named_decision(
    d: &Decision,
    reasons: &[ReasonEntry],
    name: &dyn Fn(TaskId) -> Option<String>,
    application: &dyn Fn(TaskId) -> String,
) -> DecisionView {
    let info = &reasons[usize::from(d.reason)];
    let candidate = |c: &Candidate| CandidateView {
        cpu: c.cpu.map(|c| c.0),
        task: c.task.filter(|_| !c.application).map(|t| t.0),
        name: match c.task.filter(|_| c.application) {
            Some(task) => Some(application(task)),
            None => c.task.and_then(name),
        },
        score: c.score as f64,
        note: c.note,
        chosen: c.chosen,
    };
    let candidates = d.explained.iter().flat_map(|e| &e.candidates);
    DecisionView {
        id: real(d.id),
        at_ns: real(d.at.0),
        cpu: d.cpu.map(|c| c.0),
        task: d.task.map(|t| t.0),
        task_name: d.task.and_then(name),
        kind: info.kind,
        reason: info.id,
        kernel: info.kernel,
        operands: (0..4)
            .filter(|i| !info.operands[*i].is_empty())
            .map(|i| OperandView {
                name: info.operands[i],
                value: d.operands[i] as f64,
                unit: info.units[i],
                // Beside a thread's number its name is what people read.
                named: (info.units[i] == "task")
                    .then(|| u32::try_from(d.operands[i]).ok().map(TaskId).and_then(name))
                    .flatten(),
            })
            .collect(),
        candidates: candidates.map(candidate).collect(),
        said: d.explained.as_ref().and_then(|e| e.said.clone()),
        calls: Vec::new(),
    }
}

/// A call with the names of its threads.
fn call_view(sim: &Sim, called: &ProgramCall) -> CallView {
    let named = |text: &String| sim.with_names(text);
    CallView {
        call: named(&called.call),
        answer: called.answer.as_ref().map(named),
        steps: called
            .steps
            .iter()
            .map(|step| ExecutedLine {
                line: step.line,
                values: step
                    .values
                    .iter()
                    .map(|(name, value)| (named(name), named(value)))
                    .collect(),
            })
            .collect(),
    }
}

/// The name of a task's application.
fn application(sim: &Sim, task: TaskId) -> String {
    let group = sim.task_view(task).info.group;
    let process = &sim.plan().groups[group.index()].process;
    format!("application {process}")
}
