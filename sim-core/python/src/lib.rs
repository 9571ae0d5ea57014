//! `timeslice._core`: the core as a Python module. Texts (JSON) and columns (Arrow) pass through it; the interface for
//! people is written in Python, beside this.
//!
//! Python's lock is released while a run goes on, in pieces between which signals are checked. A panic ends its run and
//! becomes an exception.

mod claims;
mod columns;
mod errors;
mod measure;
mod policy;
mod pool;
mod program;
mod recorded;
mod report;
mod run;
mod stream;
mod sweep;
mod texts;
mod trace;
mod world;

use pyo3::prelude::*;

/// The core.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::claims::claims;
    #[pymodule_export]
    use super::columns::Table;
    #[pymodule_export]
    use super::measure::{interval, measure};
    #[pymodule_export]
    use super::policy::{policies, read_policy};
    #[pymodule_export]
    use super::program::program;
    #[pymodule_export]
    use super::recorded::{Recorded, read_trace, replay, trust};
    #[pymodule_export]
    use super::report::Report;
    #[pymodule_export]
    use super::run::{fail, run};
    #[pymodule_export]
    use super::stream::Records;
    #[pymodule_export]
    use super::sweep::Space;
    #[pymodule_export]
    use super::texts::{catalog, changed, check, published, scenario, value_at};
    #[pymodule_export]
    use super::trace::{decisions, trace};
    #[pymodule_export]
    use super::world::{Cpu, Everyone, Thread, World};

    use super::{Bound, PyModule, PyModuleMethods, PyResult};
    use sim_core::catalog::VERSION;
    use sim_host::caught;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        caught::watch();
        super::policy::speak();
        super::policy::add_words(module)?;
        module.add("VERSION", VERSION)
    }
}
