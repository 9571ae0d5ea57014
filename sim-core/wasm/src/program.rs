//! Other files of real machines: workloads of traces, programs of rt-app, and what `timeslice real` kept.

use crate::json;
use crate::trace::{refused, whole};
use serde::Serialize;
use sim_core::config::{Scenario, validate};
use sim_core::recorded;
use sim_import::rtapp::{self, Choices, Note};
use sim_import::workload::Workload;
use sim_real::compare::{Comparison, NEAR, compare};
use sim_real::lane;
use sim_real::record::Recording;
use wasm_bindgen::prelude::*;

/// The scenario of a workload file (`.tsw`), as JSON.
///
/// # Errors
/// Why it is refused, as JSON.
#[wasm_bindgen]
pub fn workload_scenario(file: &[u8], name: &str) -> Result<String, JsError> {
    let workload = Workload::read(file).map_err(refused)?;
    let mut scenario = recorded::of_workload(&workload).map_err(|e| whole(e.to_string()))?;
    scenario.name = name_of(name);
    Ok(json(&scenario))
}

/// A program of rt-app as a scenario.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Said {
    scenario: Scenario,
    left_out: Vec<Note>,
    remarks: Vec<Note>,
}

/// A program of rt-app as a scenario, and what it does not say as the program does, as JSON.
///
/// # Errors
/// Why it is refused, as JSON with its line.
#[wasm_bindgen]
pub fn program_scenario(text: &str, name: &str) -> Result<String, JsError> {
    let (id, era) = recorded::BESIDE;
    let choices = Choices {
        name: &name_of(name),
        machine: "ideal",
        schedulers: &serde_json::json!([{ "id": id, "era": era }]),
    };
    let told = rtapp::read(text, &choices).map_err(refused)?;
    let scenario = validate::parse(&told.scenario.to_string()).map_err(crate::refuse)?;
    Ok(json(&Said {
        scenario,
        left_out: told.left_out,
        remarks: told.remarks,
    }))
}

/// What a machine did, beside the model.
#[derive(Serialize)]
struct Beside {
    scenario: Scenario,
    compared: Comparison,
    near: f64,
}

/// A file of `timeslice real`: its scenario with the lane of the machine and that of the nearest release of the model, and
/// what `timeslice compare` tells of both, as JSON.
///
/// # Errors
/// All that is wrong with it, as JSON with the fields.
#[wasm_bindgen]
pub fn beside(text: &str) -> Result<String, JsError> {
    let recording = Recording::read(text).map_err(crate::refuse)?;
    let compared = compare(&recording, &recording.scenario, None).map_err(whole)?;
    let scenario = lane::beside(&recording).map_err(whole)?;
    Ok(json(&Beside {
        scenario,
        compared,
        near: NEAR,
    }))
}

fn name_of(name: &str) -> String {
    sim_core::text::visible(name).chars().take(40).collect()
}
