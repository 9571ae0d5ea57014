//! Timeslice's simulation core: CPU schedulers of real kernels on models of real machines.
//!
//! A run is a function of a scenario, a seed and logged edits. There is no clock, no input or output, no
//! global state and no floating point that decides in here, so that the same scenario gives the same
//! digest natively and in every browser.
//!
//! | module | what is in it |
//! |---|---|
//! | [`bounds`] | the range of every number of a scenario |
//! | [`config`] | the scenario file, its validation, edits |
//! | [`machine`] | topology, presets, how fast a thread progresses |
//! | [`workload`] | what threads do |
//! | [`sched`] | the contract of schedulers, and the schedulers |
//! | [`engine`] | time, events, tasks, CPUs; snapshots and replay |
//! | [`trace`] | append-only facts and running totals |
//! | [`metrics`] | measures made from these |
//! | [`experiment`] | shipped scenarios and published claims |
//! | [`frame`], [`report`], [`export`], [`catalog`] | what leaves the core |

pub mod bounds;
pub mod catalog;
pub mod config;
pub mod engine;
pub mod error;
pub mod experiment;
pub mod export;
pub mod frame;
pub mod ids;
pub mod info;
pub mod machine;
pub mod metrics;
pub mod params;
pub mod report;
pub mod rng;
pub mod sched;
pub mod time;
pub mod trace;
pub mod workload;

mod hash;
mod order;
