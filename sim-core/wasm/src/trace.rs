//! Traces of real machines: read in pieces, made a scenario, and asked about.

use crate::json;
use serde::Serialize;
use sim_core::config::Scenario;
use sim_core::recorded::{self, Recorded};
use sim_core::report::{DecisionView, named_decision};
use sim_import::lane::Lane;
use sim_import::spread::Spread;
use sim_import::{Event, ImportError, Names, OfPart, Options, Part, Reading, Sink, Trace};
use sim_retrace::{Asked, Count, Disagreement, Question, Record, Recorder, ask};
use wasm_bindgen::prelude::*;

/// Events that are kept for asking about choices: 12 MB, those of some 25 MB of text. Memory that is asked for once stays
/// the page's.
const MOST_EVENTS: u64 = 1 << 18;

/// Stretches of what threads do, above which a recording is surely too long for a scenario: 24 MB of them.
const MOST_STRETCHES: usize = 1 << 20;
/// One part in so many of as much is a scenario that fits.
const FITS: u64 = 4;

/// What is collected of a part of a trace.
struct All {
    spread: Spread,
    /// Empty again when it is too long.
    lane: Lane,
    /// How much of the part there was, in ns, when it was too long.
    too_long: Option<u64>,
    begin: Option<u64>,
    /// Gone when the trace is too long for it.
    recorder: Option<Recorder>,
    events: u64,
}

impl Sink for All {
    fn event(&mut self, event: &Event, names: &Names) {
        let begin = *self.begin.get_or_insert(event.at);
        if self.too_long.is_some() {
            return;
        }
        self.lane.event(&self.spread.apart(event), names);
        if self.lane.stretches().len() > MOST_STRETCHES {
            self.too_long = Some(event.at - begin);
            self.lane = Lane::default();
            self.recorder = None;
        }
        self.events += 1;
        if self.events > MOST_EVENTS {
            self.recorder = None;
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.event(event, names);
        }
    }
}

/// Why a trace is refused.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Refused {
    line: Option<u64>,
    message: String,
    /// How much of the trace would fit into a scenario, in ns, where that is why.
    #[serde(skip_serializing_if = "Option::is_none")]
    fits_ns: Option<u64>,
}

pub(crate) fn refused(mut e: ImportError) -> JsError {
    let line = e.line.take();
    JsError::new(&json(&Refused {
        line,
        message: e.to_string(),
        fits_ns: None,
    }))
}

pub(crate) fn whole(message: String) -> JsError {
    JsError::new(&json(&Refused {
        line: None,
        message,
        fits_ns: None,
    }))
}

fn too_long(message: String, fits_ns: u64) -> JsError {
    JsError::new(&json(&Refused {
        line: None,
        message,
        fits_ns: Some(fits_ns),
    }))
}

/// Reads a trace. After an error it is of no use.
#[wasm_bindgen]
pub struct TraceReader {
    trace: Trace,
    all: OfPart<All>,
    made: Option<Recorded>,
    begin: u64,
}

#[wasm_bindgen]
impl TraceReader {
    /// Begins to read a part of a trace, in ns from its first event; all of it from 0 to infinity.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(from_ns: f64, to_ns: f64) -> Self {
        // A cast saturates.
        let part = Part {
            from: from_ns as u64,
            to: to_ns as u64,
        };
        let all = All {
            spread: Spread::default(),
            lane: Lane::with_stretches(),
            too_long: None,
            begin: None,
            recorder: Some(Recorder::default()),
            events: 0,
        };
        Self {
            trace: Trace::new(Options::default()),
            all: OfPart::new(part, all),
            made: None,
            begin: 0,
        }
    }

    /// From the first event of the trace to the last one that was read, in ns.
    #[must_use]
    pub fn span_ns(&self) -> f64 {
        crate::double(self.all.span())
    }

    /// Whether nothing that comes belongs to the part.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.all.is_over()
    }

    /// Reads the next piece of the file.
    ///
    /// # Errors
    /// Why the trace is refused, as JSON with its line.
    pub fn push(&mut self, piece: &[u8]) -> Result<(), JsError> {
        self.trace.push(piece, &mut self.all).map_err(refused)
    }

    /// There are no more pieces. Returns the scenario of the trace as JSON `Scenario`.
    ///
    /// # Errors
    /// Why the trace is refused, as JSON with its line.
    pub fn finish(&mut self, name: &str, replace: bool) -> Result<String, JsError> {
        let facts = self.trace.finish(&mut self.all).map_err(refused)?;
        self.all.check().map_err(refused)?;
        let all = &mut self.all.sink;
        if let Some(ns) = all.too_long {
            let message = "the recording is too long for a scenario";
            return Err(too_long(message.to_owned(), ns / FITS));
        }
        all.lane.close();
        let (begin, end) = all.lane.span();
        self.begin = begin;
        let made = recorded::of_trace(&all.lane, self.trace.names(), &facts, replace);
        let mut made = made.map_err(|e| too_long(e.to_string(), e.fits(end - begin)))?;
        made.scenario.name = sim_core::text::visible(name).chars().take(40).collect();
        // Only the events are needed from now on.
        all.lane = Lane::default();
        let scenario = json(&made.scenario);
        self.made = Some(made);
        Ok(scenario)
    }

    /// Asks the rules of the scheduler beside the recorded lane about each choice, as JSON.
    ///
    /// # Errors
    /// Why they cannot be asked.
    pub fn ask(&mut self) -> Result<String, JsError> {
        let (id, era) = recorded::BESIDE;
        let question = Question::of(&format!("{id}:{era}")).map_err(whole)?;
        let recorder = self.all.sink.recorder.take().ok_or_else(|| {
            whole(format!("the trace has more than {MOST_EVENTS} events; `timeslice replay` asks about longer ones"))
        })?;
        let mut record = Record::new(recorder, None);
        if let Some(made) = &self.made {
            record.rename(|pid| made.names.get(&pid).cloned());
        }
        let asked = ask(&record, &question).map_err(whole)?;
        Ok(json(&told(&asked, &question, self.begin)))
    }
}

/// How far a lane of a scenario with a recorded lane may be believed, as JSON `Verdict`, or `null`.
///
/// # Errors
/// What is wrong with the scenario.
#[wasm_bindgen]
pub fn trust(scenario: &str, lane: usize) -> Result<String, JsError> {
    let scenario: Scenario = sim_core::config::validate::parse(scenario).map_err(crate::refuse)?;
    let verdict = recorded::trust::of_lane(&scenario, lane).map_err(whole)?;
    Ok(json(&verdict))
}

/// What came out of asking.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    threads: Vec<String>,
    picks: Count,
    goes_on: Count,
    preempts: Count,
    alone: u64,
    missing: u64,
    disagreements: Vec<ToldOne>,
}

/// A choice of the kernel that the rules do not make.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToldOne {
    #[serde(flatten)]
    of: Disagreement,
    decision: Option<DecisionView>,
}

fn told(asked: &Asked, question: &Question, begin: u64) -> Told {
    let one = |d: &Disagreement| {
        let name = |task: sim_core::ids::TaskId| d.names.get(task.index()).cloned();
        let reasons = question.info.reasons;
        let view = |decision| named_decision(decision, reasons, &name, &|_| String::new());
        let decision = d.decision.as_ref().map(view);
        let mut of = d.clone();
        of.at_ns = of.at_ns.saturating_sub(begin);
        ToldOne { of, decision }
    };
    Told {
        threads: asked.threads.clone(),
        picks: asked.picks,
        goes_on: asked.goes_on,
        preempts: asked.preempts,
        alone: asked.alone,
        missing: asked.mended,
        disagreements: asked.disagreements.iter().map(one).collect(),
    }
}
