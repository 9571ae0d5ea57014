//! The schedulers: one line each. The order is that of the picker.

use crate::{bfs, cfs, eevdf, fourbsd, manual, random, recording, ule};
use sim_contract::{Registry, SchedulerInfo};
use std::sync::OnceLock;

/// All schedulers of this product.
pub const ALL: Registry = Registry {
    schedulers: &[
        &bfs::INFO,
        &manual::INFO,
        &random::INFO,
        &fourbsd::INFO,
        &cfs::INFO,
        &eevdf::INFO,
        &ule::INFO,
        #[cfg(feature = "policy")]
        &sim_policy::INFO,
    ],
    of_traces: &[&recording::OF_TRACE, &recording::OF_RUN],
    added: &ADDED,
};

static ADDED: OnceLock<&'static SchedulerInfo> = OnceLock::new();

/// Adds a scheduler that only the program around the core can run, once and before any run: the Python package has own
/// policies without the language that is built in.
pub fn add(info: &'static SchedulerInfo) {
    // A second one would change what ids mean; there is none.
    let _ = ADDED.set(info);
}
