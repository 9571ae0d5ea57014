//! Timeslice's simulation core: CPU schedulers of real kernels on models of real machines.
//!
//! A run is a function of a scenario, a seed and logged edits. The core has no clock, no input or output, no global
//! state, and no floating point that decides. The same scenario therefore gives the same digest natively and in every
//! browser.
//!
//! | module | contents |
//! |---|---|
//! | [`bounds`] | the range of every number of a scenario |
//! | [`config`] | the scenario file, its validation, edits |
//! | [`machine`] | topology, presets, how fast a thread progresses |
//! | [`workload`] | what threads do |
//! | [`sched`] | the contract of schedulers, and the schedulers |
//! | [`engine`] | time, events, tasks, CPUs; snapshots and replay |
//! | [`trace`] | append-only records and running totals |
//! | [`metrics`] | measures computed from these |
//! | [`property`] | `set PATH = VALUE`: one language for changes of a scenario |
//! | [`experiment`] | shipped scenarios and published claims |
//! | [`exercise`] | what own policies are asked to do, and whether they do it |
//! | [`recorded`] | a trace of a real machine as a scenario |
//! | [`constants`] | the constants of the model, with their sources |
//! | [`frame`], [`report`], [`export`], [`catalog`] | the outputs of the core |

pub mod catalog;
pub mod constants;
pub mod exercise;
pub mod experiment;
pub mod export;
pub mod lesson;
pub mod own_measure;
pub mod property;
pub mod recorded;

pub use sim_run::{
    bounds, config, engine, error, frame, ids, info, machine, metrics, params, present, provenance,
    report, rng, sched, text, time, trace, units, workload,
};

use sim_ground::hash;
