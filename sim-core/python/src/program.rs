//! The program `timeslice`, which the package brings.

use pyo3::prelude::*;
use std::ffi::OsString;
use timeslice_cli::Program;

/// Does what a command line asks for, and returns the exit code. `again` is how Python calls this program once more.
#[pyfunction]
pub(crate) fn program(py: Python<'_>, arguments: Vec<OsString>, again: Vec<OsString>) -> u8 {
    let mut words = again.into_iter();
    let program = words
        .next()
        .map_or_else(Program::this, |file| Program::new(file, words));
    py.detach(|| timeslice_cli::run(arguments, &program).code())
}
