//! The schedulers: a folder for each, and the registry that lists them, at the end of this file.
//!
//! A scheduler uses the contract and nothing else of the simulation. Its contents are private to its folder, so that no
//! scheduler depends on another one. Only two things are public: the registry's entries, and the arithmetic that tests
//! compare with published facts. [`freebsd`] and `linux` hold what the schedulers of one system share.
//! [`skeleton`] is one to copy; the registry does not list it.

#![deny(clippy::float_arithmetic)]

pub mod bfs;
pub mod cfs;
pub mod eevdf;
mod fifo;
pub mod fourbsd;
pub mod freebsd;
pub mod linux;
pub mod manual;
pub mod random;
pub mod recording;
pub mod skeleton;
pub mod ule;

pub mod registry {
    //! The schedulers: one line each. The order is that of the picker.

    use sim_contract::{Registry, SchedulerInfo};
    use std::sync::OnceLock;

    /// All schedulers of this product.
    pub const ALL: Registry = Registry {
        schedulers: &[
            &crate::bfs::INFO,
            &crate::manual::INFO,
            &crate::random::INFO,
            &crate::fourbsd::INFO,
            &crate::cfs::INFO,
            &crate::eevdf::INFO,
            &crate::ule::INFO,
            #[cfg(feature = "policy")]
            &sim_policy::INFO,
        ],
        of_traces: &[&crate::recording::OF_TRACE, &crate::recording::OF_RUN],
        added: &ADDED,
    };

    static ADDED: OnceLock<&'static SchedulerInfo> = OnceLock::new();

    /// Adds a scheduler that only the program around the core can run, once and before any run: the Python package has own
    /// policies without the language that is built in.
    pub fn add(info: &'static SchedulerInfo) {
        // A second one would change what ids mean; there is none.
        let _ = ADDED.set(info);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn files_of_reasons_have_the_kinds_of_the_contract() {
        assert_eq!(sim_reasons::KINDS, sim_contract::decision::KINDS);
    }
}
