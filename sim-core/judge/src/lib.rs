//! The published claims in the page: which runs they need, and what they make of the results. It holds no simulation, and
//! is loaded only by those who look at the claims; the runs are carried out by the other package.

use sim_core::experiment::claims::{self, Claim, Effort, Evaluation, Results};
use sim_core::experiment::run::Run;
use std::collections::BTreeSet;
use wasm_bindgen::prelude::*;

/// Claims and what runs gave.
#[wasm_bindgen]
pub struct Judge {
    claims: Vec<Claim>,
    results: Results,
}

#[wasm_bindgen]
impl Judge {
    /// A judge of runs with so many seeds; runs without an end of their own take so many simulated seconds.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(seeds: u32, seconds: u32) -> Self {
        let effort = Effort {
            seeds: u64::from(seeds.max(1)),
            seconds: u64::from(seconds.max(1)),
        };
        Self {
            claims: claims::claims(),
            results: Results::new(effort),
        }
    }

    /// The runs that the claims of an experiment need, each once, as JSON `Run[]`.
    #[must_use]
    pub fn runs(&self, experiment: &str) -> String {
        let mut known = BTreeSet::new();
        let mut all: Vec<Run> = self
            .of(experiment)
            .flat_map(|c| claims::runs(&c.id, self.results.effort()))
            .collect();
        all.retain(|run| known.insert(run.key.clone()));
        serde_json::to_string(&all).expect("invariant: plain data is serialisable")
    }

    /// Takes what a run gave.
    pub fn add(&mut self, key: &str, values: &[f64]) {
        self.results.add(key, values.to_vec());
    }

    /// The claims of an experiment of which all runs are there, judged, as JSON `Evaluation[]`.
    #[must_use]
    pub fn evaluate(&self, experiment: &str) -> String {
        let judged = self.of(experiment);
        let judged = judged.filter_map(|c| claims::evaluation(c, &self.results));
        let judged: Vec<Evaluation> = judged.collect();
        serde_json::to_string(&judged).expect("invariant: plain data is serialisable")
    }

    fn of<'a>(&'a self, experiment: &'a str) -> impl Iterator<Item = &'a Claim> {
        self.claims
            .iter()
            .filter(move |c| c.experiment == experiment)
    }
}
