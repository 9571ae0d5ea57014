//! The schedulers: one line each. The order is that of the picker.

use super::{Registry, bfs, cfs, fourbsd, manual, random, ule};

/// All schedulers of this product.
pub const ALL: Registry = Registry {
    schedulers: &[
        &bfs::INFO,
        &manual::INFO,
        &random::INFO,
        &fourbsd::INFO,
        &cfs::INFO,
        &ule::INFO,
    ],
};
