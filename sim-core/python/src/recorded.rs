//! Traces of real machines: what their threads did, the workload behind it, and what rules say of the kernel's choices.

use crate::columns::{Table, arrow};
use crate::errors::{fault, released, wrong};
use pyo3::prelude::*;
use serde_json::{Value, json};
use sim_core::recorded;
use sim_core::report::named_decision;
use sim_host::columns::{self, Column, Kind};
use sim_import::burst::Then;
use sim_import::lane::Lane;
use sim_import::spread::Spread;
use sim_import::summary::Summary;
use sim_import::{Event, Facts, Names, Options, Pid, Reading, Sink, Trace};
use sim_retrace::{Pattern, Question, Record, Recorder, ask};
use std::fs::File;
use std::io::Read;

/// Bytes that are read in one go.
const PIECE: usize = 1 << 20;

/// A lane whose events are apart.
struct Collect(Spread, Lane);

impl Sink for Collect {
    fn event(&mut self, event: &Event, names: &Names) {
        self.1.event(&self.0.apart(event), names);
    }
}

fn read(path: &str, allow_lost: bool, sink: &mut dyn Sink) -> Result<(Names, Facts), String> {
    let unreadable = |e: std::io::Error| format!("{path} cannot be read: {e}");
    let mut file = File::open(path).map_err(unreadable)?;
    let mut trace = Trace::new(Options { allow_lost });
    let mut piece = vec![0; PIECE];
    loop {
        let length = file.read(&mut piece).map_err(unreadable)?;
        if length == 0 {
            break;
        }
        let pushed = trace.push(&piece[..length], sink);
        pushed.map_err(|e| e.to_string())?;
    }
    let facts = trace.finish(sink).map_err(|e| e.to_string())?;
    Ok((trace.names().clone(), facts))
}

/// A trace that was read.
#[pyclass(frozen, module = "timeslice._core")]
pub(crate) struct Recorded {
    lane: Lane,
    names: Names,
    facts: Facts,
}

/// Reads a trace.
#[pyfunction]
#[pyo3(signature = (path, allow_lost=false))]
pub(crate) fn read_trace(py: Python<'_>, path: &str, allow_lost: bool) -> PyResult<Recorded> {
    let made = released(py, || {
        let mut sink = Collect(Spread::default(), Lane::with_stretches());
        let (names, facts) = read(path, allow_lost, &mut sink)?;
        sink.1.close();
        Ok(Recorded {
            lane: sink.1,
            names,
            facts,
        })
    })?;
    made.map_err(|message: String| wrong(py, "path", message))
}

fn table(py: Python<'_>, columns: &[(&str, Kind)], rows: &[Vec<Value>]) -> PyResult<Table> {
    let columns: Vec<Column> = columns
        .iter()
        .map(|(heading, kind)| Column {
            heading: (*heading).to_owned(),
            kind: *kind,
            in_table: true,
        })
        .collect();
    let batch = released(py, || columns::batch(&columns, rows))?.map_err(arrow)?;
    Ok(Table::new(batch.schema(), vec![batch]))
}

#[pymethods]
impl Recorded {
    /// The trace in numbers, as JSON.
    fn summary(&self) -> String {
        json!(Summary::new(&self.lane, &self.names, &self.facts)).to_string()
    }

    /// What threads did and when, in ns from the beginning of the trace.
    fn stretches(&self, py: Python<'_>) -> PyResult<Table> {
        let begin = self.lane.span().0;
        let rows: Vec<Vec<Value>> = self
            .lane
            .stretches()
            .iter()
            .map(|s| {
                vec![
                    (s.from - begin).into(),
                    (s.to - begin).into(),
                    s.pid.into(),
                    self.name(s.pid).into(),
                    s.cpu.into(),
                    json!(s.doing),
                ]
            })
            .collect();
        let columns = [
            ("fromNs", Kind::Whole),
            ("toNs", Kind::Whole),
            ("pid", Kind::Whole),
            ("thread", Kind::Text),
            ("cpu", Kind::Whole),
            ("state", Kind::Text),
        ];
        table(py, &columns, &rows)
    }

    /// The bursts of all threads: how long each ran, and what came then.
    fn bursts(&self, py: Python<'_>) -> PyResult<Table> {
        let mut rows = Vec::new();
        for (pid, thread) in self.lane.threads() {
            for burst in thread.bursts.iter() {
                let (then, ns, waker) = match burst.then {
                    Then::Sleep(ns) => ("sleep", Some(ns), None),
                    Then::Device(ns) => ("device", Some(ns), None),
                    Then::Wait(point, ns) => ("wait", Some(ns), Some(point.pid)),
                    Then::Yield => ("yield", None, None),
                    Then::Exit => ("exit", None, None),
                };
                rows.push(vec![
                    (*pid).into(),
                    self.name(*pid).into(),
                    burst.run.into(),
                    then.into(),
                    ns.into(),
                    waker.into(),
                ]);
            }
        }
        let columns = [
            ("pid", Kind::Whole),
            ("thread", Kind::Text),
            ("runNs", Kind::Whole),
            ("then", Kind::Text),
            ("thenNs", Kind::Whole),
            ("waker", Kind::Whole),
        ];
        table(py, &columns, &rows)
    }

    /// The scenario of the trace, as JSON: the recorded lane, and EEVDF 6.18 on the workload behind it.
    #[pyo3(signature = (keep_names=false))]
    fn scenario(&self, py: Python<'_>, keep_names: bool) -> PyResult<String> {
        let made = released(py, || {
            recorded::of_trace(&self.lane, &self.names, &self.facts, !keep_names)
        })?;
        let made = made.map_err(|e| wrong(py, "path", e.to_string()))?;
        Ok(json!(made.scenario).to_string())
    }
}

impl Recorded {
    fn name(&self, pid: Pid) -> &str {
        self.names.of(pid)
    }
}

/// How far a lane of a scenario may be believed that has a recorded lane, as JSON; `null` if it has none.
#[pyfunction]
pub(crate) fn trust(py: Python<'_>, text: &str, lane: usize) -> PyResult<String> {
    let scenario = sim_core::config::validate::parse(text);
    let scenario = scenario.map_err(|errors| crate::errors::invalid(py, errors))?;
    let verdict = released(py, || recorded::trust::of_lane(&scenario, lane))?;
    let verdict = verdict.map_err(|message| fault(py, message))?;
    Ok(json!(verdict).to_string())
}

/// Asks a scheduler's rules about each choice in a trace, as JSON.
#[pyfunction]
#[pyo3(signature = (path, scheduler, threads=None, allow_lost=false))]
pub(crate) fn replay(
    py: Python<'_>,
    path: &str,
    scheduler: &str,
    threads: Option<&str>,
    allow_lost: bool,
) -> PyResult<String> {
    let question = Question::of(scheduler).map_err(|message| wrong(py, "scheduler", message))?;
    let asked = released(py, || {
        let mut recorder = Recorder::default();
        read(path, allow_lost, &mut recorder)?;
        let pattern = threads.map(Pattern::new);
        ask(&Record::new(recorder, pattern.as_ref()), &question)
    })?;
    let asked = asked.map_err(|message| wrong(py, "path", message))?;
    let disagreements = asked.disagreements.iter().map(|d| {
        let name = |task: sim_core::ids::TaskId| d.names.get(task.index()).cloned();
        let reasons = question.info.reasons;
        let reason = d
            .decision
            .as_ref()
            .map(|decision| named_decision(decision, reasons, &name, &|_| String::new()).reason);
        let mut told = json!(d);
        told["reason"] = json!(reason);
        told
    });
    Ok(json!({
        "threads": asked.threads,
        "picks": asked.picks,
        "goesOn": asked.goes_on,
        "preempts": asked.preempts,
        "settling": asked.settling,
        "alone": asked.alone,
        "missing": asked.mended,
        "disagreements": disagreements.collect::<Vec<Value>>(),
    })
    .to_string())
}
