//! Integration tests of what reads many runs, in one binary. Tests of runs: `sim-core/run/tests/schedulers`.

mod bound_cases;
mod cases;
mod claims;
mod claims_s0;
mod constants;
mod exercises;
mod fuzz_corpus;
mod imported;
mod lessons;
mod linux_rows;
mod linux_runs;
mod loads;
mod measures;
mod names;
mod recorded;
mod registry;
mod round_trip;
mod rtapp;
mod scripts;
