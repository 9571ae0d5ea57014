//! The schedulers: one line each. The order is that of the picker.

use crate::{bfs, cfs, eevdf, fourbsd, manual, random, recording, ule};
use sim_contract::Registry;

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
    of_traces: &[&recording::INFO],
};
