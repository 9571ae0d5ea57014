//! Tests of runs under every scheduler, in one binary.

#[path = "../../../tests/it/bound_cases.rs"]
#[allow(dead_code)] // other tests use the rest
mod bound_cases;
mod channels;
mod conformance;
mod decisions;
mod determinism;
mod every_scheduler;
mod fairness;
mod heat_and_locks;
mod history;
mod idle_states;
mod impossible_machines;
mod journeys;
mod live_edits;
mod machine_model;
mod memory;
mod operands;
mod parents;
mod parity;
mod pauses;
#[cfg(feature = "policy")]
mod policies;
mod properties;
mod queue_shape;
mod queueing;
mod regressions;
#[path = "../../../fuzz/src/seal.rs"]
mod seal;
mod skeleton;
mod slices;
mod snapshots;
mod support;
mod waste;
