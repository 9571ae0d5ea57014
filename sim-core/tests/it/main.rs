//! Integration tests of the core, in one binary.

mod bound_cases;
mod channels;
mod claims;
mod conformance;
mod decisions;
mod determinism;
mod every_scheduler;
mod fairness;
mod fuzz_corpus;
mod heat_and_locks;
mod history;
mod impossible_machines;
mod journeys;
mod live_edits;
mod loads;
mod machine_model;
mod names;
mod parity;
mod pauses;
mod properties;
mod queue_shape;
mod registry;
mod regressions;
mod skeleton;
mod snapshots;
mod support;
