//! A run of this product's schedulers: from the scenario file to what can be seen of it.
//!
//! Here the crates of a run stand under one name, without what reads many runs (claims, lessons, sweeps). So a change of
//! a scheduler is tested (`tests/schedulers`) without compiling any of that.

pub mod config;
pub mod frame;
pub mod present;
pub mod report;

pub use sim_engine as engine;
pub use sim_ground::{bounds, error, ids, info, params, provenance, rng, text, time, units};
pub use sim_machine as machine;
pub use sim_metrics as metrics;
pub use sim_trace as trace;
pub use sim_workload as workload;

/// The contract of schedulers, and the registry of the existing ones.
pub mod sched {
    pub use sim_contract::*;
    pub use sim_schedulers::*;

    /// Reads a program of an own policy without running it.
    ///
    /// # Errors
    /// The first thing that is wrong with it, with its place.
    #[cfg(feature = "policy")]
    pub fn check_own_policy(program: &str) -> Result<(), ProgramError> {
        let own = registry::ALL
            .find("own")
            .and_then(|info| Some((info.check_program?.first, info.eras.first()?)));
        own.map_or(Ok(()), |(check, era)| check(era, Some(program)).map(|_| ()))
    }
}

use sim_ground::hash;
