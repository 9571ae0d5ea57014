//! Decisions as programs print them: with names for numbers, and in words.

use crate::format;
use crate::words::Words;
use serde::Serialize;
use sim_core::engine::Sim;
use sim_core::ids::{CpuId, TaskId};
use sim_core::info::ReasonEntry;
use sim_core::report::{self, DecisionView, OperandView};
use sim_core::sched::decision::Decision;

/// A decision with names for numbers. The names of threads are those in rows of `trace`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Told {
    /// Number; records of `trace` refer to it.
    pub id: u64,
    /// When, in ns of simulated time.
    pub at_ns: u64,
    /// The CPU that it is about.
    pub cpu: Option<u16>,
    /// Name of the thread that it is about.
    pub task: Option<String>,
    /// Kind: `selectCpu`, `pickNext`, …
    pub kind: &'static str,
    /// The kernel's word for the reason.
    pub reason: &'static str,
    /// In the words of the page's card.
    pub words: String,
    /// The numbers of the rule.
    pub operands: Vec<OperandView>,
    /// Kernel function.
    pub function: String,
    /// Its release; empty if the function includes it.
    pub release: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<Vec<Candidate>>,
    /// What the scheduler said of it, with the candidates.
    #[serde(skip_serializing_if = "Option::is_none")]
    said: Option<String>,
}

/// A CPU or task that might have been chosen.
#[derive(Debug, Serialize)]
struct Candidate {
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<String>,
    score: f64,
    note: &'static str,
    chosen: bool,
}

/// Selects decisions; a field that is `None` selects all.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Code of a reason, or a kind of reasons.
    pub reason: Option<String>,
    /// Name of a thread.
    pub thread: Option<String>,
    /// Number of a CPU.
    pub cpu: Option<u16>,
}

/// Converts the decisions of a run to named ones.
#[derive(Debug)]
pub struct Teller {
    words: Words,
    wanted: Wanted,
    /// Kernel functions and releases of the reasons; each is filled in at its first use.
    places: Vec<Option<(String, String)>>,
    reasons: &'static [ReasonEntry],
    era: &'static str,
}

impl Teller {
    /// A converter for the decisions of a run.
    #[must_use]
    pub fn new(sim: &Sim, wanted: Wanted) -> Self {
        let lane = &sim.plan().lanes[sim.lane()];
        let reasons = sim.reasons();
        Self {
            words: Words::of(lane.info.id),
            wanted,
            places: vec![None; reasons.len()],
            reasons,
            era: lane.era.id,
        }
    }

    /// Whether a decision is selected.
    #[must_use]
    pub fn wants(&self, sim: &Sim, d: &Decision) -> bool {
        let entry = &self.reasons[usize::from(d.reason)];
        let w = &self.wanted;
        w.cpu.is_none_or(|cpu| d.cpu == Some(CpuId(cpu)))
            && w.reason
                .as_ref()
                .is_none_or(|r| entry.id == r || entry.kind == r)
            && w.thread.as_ref().is_none_or(|name| {
                let is_known = |t: &TaskId| t.index() < sim.task_count();
                let task = d.task.filter(is_known);
                task.is_some_and(|t| sim.task_name(t) == *name)
            })
    }

    /// A decision with names; with its candidates if `full`.
    pub fn tell(&mut self, sim: &Sim, d: &Decision, full: bool) -> Told {
        let view = report::decision_view(sim, d);
        let i = usize::from(d.reason);
        let entry = &self.reasons[i];
        let place = self.places[i].get_or_insert_with(|| entry.place(self.era));
        let candidates = full.then(|| candidates(&view));
        Told {
            id: d.id,
            at_ns: d.at.0,
            cpu: view.cpu,
            words: self.words.sentence(&view),
            task: view.task_name,
            kind: view.kind,
            reason: view.reason,
            operands: view.operands,
            function: place.0.clone(),
            release: place.1.clone(),
            candidates,
            said: view.said,
        }
    }
}

fn candidates(view: &DecisionView) -> Vec<Candidate> {
    let told = view.candidates.iter().map(|c| Candidate {
        cpu: c.cpu,
        task: c.name.clone(),
        score: c.score,
        note: c.note,
        chosen: c.chosen,
    });
    told.collect()
}

impl Told {
    /// The decision in one line: time, number, code, words, and the candidates that lost.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = format!(
            "{:>16} #{:<7} {:<24} {}",
            clock(self.at_ns),
            self.id,
            self.reason,
            self.words
        );
        if let Some(said) = &self.said {
            line.push_str(" It said: ");
            line.push_str(said);
            line.push('.');
        }
        if let Some(considered) = self.considered() {
            line.push_str(" Considered: ");
            line.push_str(&considered);
            line.push('.');
        }
        line
    }

    /// Kernel function and release.
    #[must_use]
    pub fn place(&self) -> String {
        if self.release.is_empty() {
            self.function.clone()
        } else {
            format!("{} @ {}", self.function, self.release)
        }
    }

    /// The numbers of the rule.
    #[must_use]
    pub fn numbers(&self) -> String {
        let told = self
            .operands
            .iter()
            .map(|o| format!("{} {}", o.name, format::with_unit(o.value, o.unit)));
        told.collect::<Vec<_>>().join(", ")
    }

    /// The candidates, if they were recorded and there were any.
    #[must_use]
    pub fn considered(&self) -> Option<String> {
        let list = self.candidates.as_ref().filter(|c| !c.is_empty())?;
        let told = list.iter().map(|c| {
            let cpu = c.cpu.map(|cpu| format!("cpu {cpu}"));
            let who: Vec<String> = cpu.into_iter().chain(c.task.clone()).collect();
            let chosen = if c.chosen { ", taken" } else { "" };
            let note = if c.note.is_empty() { "score" } else { c.note };
            let score = if c.score < OUT {
                format!(" {}", format::number(c.score, 3))
            } else {
                String::new()
            };
            format!("{} ({note}{score}{chosen})", who.join(" "))
        });
        Some(told.collect::<Vec<_>>().join(", "))
    }
}

/// Scores from here on are not shown: a candidate that does not qualify has the worst possible score.
const OUT: f64 = 4e18;

/// A time in ms, exact to the ns where needed.
#[must_use]
pub fn clock(ns: u64) -> String {
    let (ms, rest) = (ns / 1_000_000, ns % 1_000_000);
    format!("{ms}.{rest:06} ms")
}
