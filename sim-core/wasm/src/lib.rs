//! WebAssembly bindings: few coarse calls, small values as JSON text, bulk data as `Float64Array`.
//!
//! [`Plan`] is a scenario that was read once; [`Lane`] is one of its schedulers, running. [`LessonRun`] is a lesson with
//! a learner's scenario, and [`Judge`] has the published claims. Returned arrays are fresh copies: they survive the growth
//! of WebAssembly memory and can be transferred.
//!
//! Every error that a user can cause is an `Error` whose message is JSON `{"errors": [{"path", "message"}]}`. Anything
//! else is a panic; after a panic the instance must be discarded.

#[cfg(feature = "bench")]
mod bench;
mod exercise;
mod export;
mod history;
mod judge;
mod lesson;
mod measure;
#[cfg(feature = "policy")]
mod policy;
mod program;
mod trace;

use js_sys::Float64Array;
use serde::Serialize;
use sim_core::config::{edit::Edit, plan, validate};
use sim_core::engine::Options;
use sim_core::engine::replay::{DecisionFilter, Replay};
use sim_core::error::{ConfigError, ConfigErrors};
use sim_core::ids::{CpuId, TaskId};
use sim_core::time::SimTime;
use sim_core::{experiment, frame, present, report};
use std::sync::Arc;
use wasm_bindgen::prelude::*;

#[cfg(feature = "bench")]
pub use bench::Bench;
pub use exercise::{exercise_case, exercise_scenario, exercises};
pub use export::Export;
pub use judge::{Judge, estimate};
pub use lesson::{LessonRun, lesson, lesson_changes, lessons, worksheet};
pub use measure::MeasureRun;
pub use program::{beside, program_scenario, workload_scenario};
pub use trace::{TraceReader, trust};

/// After this call a panic becomes an `Error` with its text, `panicked at …`. Without it a panic is a trap without a
/// message.
#[wasm_bindgen(start)]
pub fn start() {
    #[cfg(feature = "policy")]
    policy::construct();
    std::panic::set_hook(Box::new(|info| {
        wasm_bindgen::throw_str(&info.to_string());
    }));
}

/// Fails on purpose, so that tests can see the page's reaction: uses up all memory, or panics.
#[wasm_bindgen]
pub fn fail(out_of_memory: bool) {
    assert!(out_of_memory, "asked to fail");
    let mut all = Vec::new();
    loop {
        all.push(Vec::<u8>::with_capacity(1 << 24));
        std::hint::black_box(&all);
    }
}

/// Everything that this build offers, as JSON `Catalog`.
#[wasm_bindgen]
#[must_use]
pub fn catalog() -> String {
    json(&sim_core::catalog::catalog())
}

/// A scenario text with every default filled in, and all its errors, as JSON `Checked`.
#[wasm_bindgen]
#[must_use]
pub fn check(scenario: &str) -> String {
    json(&validate::check(scenario))
}

/// The result of a run: a row of values for each time at which the probe read.
#[wasm_bindgen]
pub struct Seen(experiment::results::Seen);

#[wasm_bindgen]
impl Seen {
    /// Names of the columns.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        self.0.columns.clone()
    }

    /// The rows, one after the other.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn values(&self) -> Float64Array {
        Float64Array::from(self.0.values.as_slice())
    }
}

/// Runs the first scheduler of a complete scenario to its end. Returns the values of a probe at each time (ns) and at
/// the end, or those of expressions in its place. Without times, an expression of the measure language is one more column.
///
/// # Errors
/// All errors of the scenario, that there is no such probe, or what is wrong with the expression.
#[wasm_bindgen]
pub fn run(
    scenario: &str,
    probe: &str,
    at: &[f64],
    measure: Option<String>,
) -> Result<Seen, JsError> {
    let scenario = validate::parse(scenario).map_err(refuse)?;
    let at: Vec<u64> = at.iter().map(|t| time(*t).0).collect();
    let mut seen = experiment::run::execute(&scenario, probe, &at).map_err(refuse)?;
    if let Some(text) = measure.filter(|_| at.is_empty()) {
        let value = experiment::sweep::expression(&text, &scenario)
            .map_err(|message| refuse(vec![ConfigError::new("measure", message)]))?;
        seen.columns.push(text);
        seen.values.push(value.unwrap_or(f64::NAN));
    }
    Ok(Seen(seen))
}

/// Digests of every lane of every shipped scenario, run to its end, as JSON.
#[wasm_bindgen]
#[must_use]
pub fn digests() -> String {
    json(&experiment::digests::all())
}

fn read(scenario: &str) -> Result<Arc<plan::Plan>, Vec<ConfigError>> {
    let scenario = validate::parse(scenario)?;
    validate::plan(&scenario).map(Arc::new)
}

fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("invariant: plain data is serialisable")
}

fn refuse(errors: Vec<ConfigError>) -> JsError {
    JsError::new(&json(&ConfigErrors::from(errors)))
}

/// Times cross the boundary as ns in a double, exact up to 2^53 (104 days).
fn time(ns: f64) -> SimTime {
    // A float-to-integer cast saturates and takes NaN to 0.
    SimTime(ns as u64)
}

fn double(x: u64) -> f64 {
    x as f64
}

/// A checked scenario, which all its lanes share.
#[wasm_bindgen]
pub struct Plan(Arc<plan::Plan>);

#[wasm_bindgen]
impl Plan {
    /// Reads and checks a scenario.
    ///
    /// # Errors
    /// All errors of the scenario.
    #[wasm_bindgen(constructor)]
    pub fn new(scenario: &str) -> Result<Plan, JsError> {
        read(scenario).map(Plan).map_err(refuse)
    }

    /// The scenario with every default filled in, as JSON.
    #[must_use]
    pub fn scenario(&self) -> String {
        json(&self.0.scenario)
    }

    /// The place of each CPU of its machine, as JSON `MachineTree`. The CPUs have the numbers that its first
    /// scheduler's system uses.
    #[must_use]
    pub fn machine_tree(&self) -> String {
        json(&self.0.machine.tree())
    }

    /// Starts a lane at time 0.
    ///
    /// # Errors
    /// If there is no such lane.
    pub fn lane(&self, lane: usize) -> Result<Lane, JsError> {
        let lanes = self.0.lanes.len();
        if lane >= lanes {
            let message = format!("must be from 0 to {}", lanes - 1);
            return Err(refuse(vec![ConfigError::new("lane", message)]));
        }
        Ok(Lane {
            replay: Replay::new(&self.0, lane, Options::interactive()),
            buffer: Vec::new(),
        })
    }
}

/// One scheduler of a scenario, running.
#[wasm_bindgen]
pub struct Lane {
    replay: Replay,
    buffer: Vec<f64>,
}

#[wasm_bindgen]
impl Lane {
    /// Sets how many bytes keyframes may take. With more bytes any moment of a long run is reached sooner.
    pub fn set_room(&mut self, bytes: u32) {
        self.replay.set_room(bytes as usize);
    }

    /// Simulated time in ns.
    #[must_use]
    pub fn now(&self) -> f64 {
        double(self.replay.sim().now().0)
    }

    /// The latest time at which the run ends, in ns.
    #[must_use]
    pub fn end_ns(&self) -> f64 {
        double(self.replay.sim().end().0)
    }

    /// Whether the run is over.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.replay.sim().is_finished()
    }

    /// Runs up to and including a time, or for `max_events` events. Returns the time reached.
    pub fn advance(&mut self, until_ns: f64, max_events: u32) -> f64 {
        self.replay.advance(time(until_ns), u64::from(max_events));
        self.now()
    }

    /// Steps to just after the next (or previous) event of a kind (`switch`, `preempt`, …, `reason:earliest_deadline`),
    /// for at most `max_events` events. A thread or CPU that is not negative limits the search to it. Returns whether
    /// there was one; `undefined` if that is not known yet: then call again.
    ///
    /// # Errors
    /// If there is no such kind.
    pub fn step(
        &mut self,
        kind: &str,
        back: bool,
        task: i32,
        cpu: i32,
        max_events: u32,
    ) -> Result<Option<bool>, JsError> {
        let kind = self.replay.step_kind(kind);
        let kind = kind.ok_or_else(|| JsError::new("no such kind of step"))?;
        let about = about(task, cpu);
        Ok(if back {
            self.replay.run_back_to(kind, about)
        } else {
            self.replay.run_to(kind, about, u64::from(max_events))
        })
    }

    /// Goes to just after the event with this number, at a time before the next event; see `seek_some`.
    pub fn seek_event(&mut self, number: f64, at_ns: f64, max_events: u32) -> bool {
        self.replay
            .seek_event(number as u64, time(at_ns), u64::from(max_events))
    }

    /// Goes to any time, for at most `max_events` events. Returns whether it got there; if not, call again.
    pub fn seek_some(&mut self, to_ns: f64, max_events: u32) -> bool {
        self.replay.seek(time(to_ns), u64::from(max_events))
    }

    /// A frame of the present; see the catalog's frame layout.
    pub fn frame(&mut self) -> Float64Array {
        frame::fill(self.replay.sim_mut(), &mut self.buffer);
        Float64Array::from(self.buffer.as_slice())
    }

    /// Kept trace records from number `from_seq` on, oldest first, at most `max`, in rows of the catalog's fields.
    pub fn trace(&mut self, from_seq: f64, max: u32) -> Float64Array {
        self.buffer.clear();
        let records = self.replay.sim().trace().from_seq(from_seq as u64);
        for r in records.take(max as usize) {
            self.buffer.extend([
                double(r.seq),
                double(r.at.0),
                f64::from(r.kind as u8),
                f64::from(r.reason),
                f64::from(r.cpu),
                r.task as f64,
                r.other as f64,
                r.decision as f64,
                double(r.cost.lock_ns),
                double(r.cost.switch_ns),
                double(r.cost.refill_ns),
                r.also as f64,
            ]);
        }
        Float64Array::from(self.buffer.as_slice())
    }

    /// The form of the scheduler's queues, as JSON `QueueShape`.
    #[must_use]
    pub fn queue_shape(&self) -> String {
        json(&self.replay.sim().shape())
    }

    /// The columns of the scheduler, those of a program among them, as JSON `LaneColumns`.
    #[must_use]
    pub fn columns(&self) -> String {
        json(&report::lane_columns(self.replay.sim()))
    }

    /// What a CPU sees of the queues besides the rows of a frame, as JSON `QueueDetail`.
    ///
    /// # Errors
    /// If there is no such CPU.
    pub fn queue_detail(&mut self, cpu: usize) -> Result<String, JsError> {
        let sim = self.replay.sim_mut();
        let cpus = sim.plan().machine.cpu_count();
        if cpu >= cpus {
            return Err(JsError::new(&format!("cpu must be from 0 to {}", cpus - 1)));
        }
        Ok(json(&sim.refresh().queue_detail(CpuId::new(cpu))))
    }

    /// The contents of every cache, in rows of cache, thread and bytes, most recent first. Caches are numbered as in
    /// the `MachineTree`. A running thread counts with the bytes that it had when it was switched in. If there are
    /// several nodes, their memory follows, with node n as cache -1 - n.
    pub fn residents(&mut self) -> Float64Array {
        self.buffer.clear();
        let sim = self.replay.sim();
        for cache in 0..sim.plan().machine.caches().instances().len() {
            for (task, bytes) in sim.residents(cache) {
                let row = [double(cache as u64), f64::from(task.0), double(bytes)];
                self.buffer.extend(row);
            }
        }
        if sim.plan().machine.node_count() > 1 {
            for task in (0..sim.task_count()).map(TaskId::new) {
                for (node, pages) in sim.memory(task).nodes() {
                    let bytes = pages * sim_core::machine::cost::pages::PAGE;
                    let row = [-1.0 - f64::from(node.0), f64::from(task.0), double(bytes)];
                    self.buffer.extend(row);
                }
            }
        }
        Float64Array::from(self.buffer.as_slice())
    }

    /// Names of all threads by number, as JSON.
    #[must_use]
    pub fn task_names(&self) -> String {
        json(&report::task_names(self.replay.sim()))
    }

    /// Groups, and the group of each thread, as JSON `TaskGroups`.
    #[must_use]
    pub fn task_groups(&self) -> String {
        json(&report::task_groups(self.replay.sim()))
    }

    /// The present state of threads and tunables, as JSON `Present`.
    #[must_use]
    pub fn present(&self) -> String {
        json(&present::present(self.replay.sim()))
    }

    /// Measures in the order of the catalog; NaN where one is not defined yet.
    pub fn metrics(&mut self) -> Float64Array {
        Float64Array::from(report::metrics(self.replay.sim_mut().refresh()).as_slice())
    }

    /// How often each reason was given, in rows of reason (code of the lane's scheduler), CPU, thread and count. There
    /// are totals (CPU and thread -1), counts by CPU (thread -1) and by thread (CPU -1). Counts of 0 are left out.
    pub fn reason_counts(&self) -> Float64Array {
        Float64Array::from(report::reason_rows(self.replay.sim()).as_slice())
    }

    /// The wrong answer of the scheduler that ended the lane, as JSON `SchedulerFault`; empty if there was none.
    #[must_use]
    pub fn fault(&self) -> String {
        self.replay.sim().fault().map(json).unwrap_or_default()
    }

    /// Migrations of the workload in rows of reason (code of the lane's scheduler), distance (0 within a core, 1 within a
    /// cache group, 2 within a node, 3 between nodes) and count.
    pub fn moves(&self) -> Float64Array {
        let rows: Vec<f64> = self
            .replay
            .sim()
            .moves()
            .iter()
            .flat_map(|(reason, distance, n)| {
                [f64::from(*reason), f64::from(*distance), double(*n)]
            })
            .collect();
        Float64Array::from(rows.as_slice())
    }

    /// A histogram (`runDelay`, `wakeupLatency`) as pairs of upper bound in ns and count.
    ///
    /// # Errors
    /// If there is no such histogram.
    pub fn histogram(&self, id: &str) -> Result<Float64Array, JsError> {
        let sim = self.replay.sim();
        let histogram = match id {
            "runDelay" => sim.run_delay(),
            "wakeupLatency" => sim.wakeup_latency(),
            _ => return Err(JsError::new("id must be one of runDelay, wakeupLatency")),
        };
        let rows: Vec<f64> = histogram
            .rows()
            .flat_map(|(bound, n)| [double(bound), double(n)])
            .collect();
        Ok(Float64Array::from(rows.as_slice()))
    }

    /// The control groups that have a limit, and what is left to them now, as JSON `LimitNow[]`.
    #[must_use]
    pub fn limits(&mut self) -> String {
        json(&present::limits(self.replay.sim_mut().refresh()))
    }

    /// What control groups had left over a window: a row for each change, with its time, and for each control group its
    /// quota, what was left, on how many CPUs it stood still, and when it was filled last.
    #[must_use]
    pub fn limits_past(&self, from_ns: f64, to_ns: f64) -> Float64Array {
        let rows = self.replay.limits(time(from_ns), time(to_ns));
        Float64Array::from(rows.as_slice())
    }

    /// Kept decisions from a number on towards the older or the newer ones (-1: from that end), as JSON
    /// `DecisionView[]`. A thread, CPU, kind or reason that is not negative or empty limits them.
    #[must_use]
    pub fn decisions(
        &self,
        from: f64,
        newer: bool,
        max: u32,
        task: i32,
        cpu: i32,
        kind: &str,
    ) -> String {
        json(&report::decisions(
            self.replay.sim(),
            (from >= 0.0).then_some(from as u64),
            newer,
            max as usize,
            about(task, cpu),
            kind,
        ))
    }

    /// A decision with the candidates that lost, as JSON `DecisionView`, or `null`.
    pub fn explain(&mut self, decision: f64) -> String {
        let found = self.replay.explain(decision as u64);
        json(&found.map(|d| report::decision_view(self.replay.sim(), &d)))
    }

    /// Makes an edit now, in all lanes or in one. Takes JSON, a `TimedEdit` without its time, returns JSON `ConfigErrors`. The recorded future
    /// and the edits made in it are dropped.
    pub fn edit(&mut self, edit: &str, lane: Option<u32>) -> String {
        let result = match serde_json::from_str::<Edit>(edit) {
            Err(e) => Err(vec![ConfigError::new("", e.to_string())]),
            Ok(edit) => self.replay.edit(edit, lane),
        };
        json(&ConfigErrors::from(result.err().unwrap_or_default()))
    }

    /// Takes back the edits of an instant that came after the event with this number, for at most `max_events` events.
    /// Returns whether it got there; if not, call again.
    pub fn take_back(&mut self, number: f64, at_ns: f64, max_events: u32) -> bool {
        self.replay
            .take_back(number as u64, time(at_ns), u64::from(max_events))
    }

    /// All edits, as JSON `TimedEdit[]`.
    #[must_use]
    pub fn edits(&self) -> String {
        json(&self.replay.edits())
    }

    /// Digest of everything up to now, 16 hexadecimal digits.
    pub fn digest(&mut self) -> String {
        report::digest_text(self.replay.sim_mut())
    }
}

/// Negative numbers mean any. Numbers beyond the largest become the largest, which no CPU has.
fn about(task: i32, cpu: i32) -> DecisionFilter {
    DecisionFilter {
        task: u32::try_from(task).ok().map(TaskId),
        cpu: (cpu >= 0).then(|| CpuId(u16::try_from(cpu).unwrap_or(u16::MAX))),
    }
}
