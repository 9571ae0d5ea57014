//! Errors, as exceptions of `timeslice.errors`.

use pyo3::BoundObject;
use pyo3::prelude::*;
use sim_core::error::ConfigError;
use sim_host::caught::caught;

/// An exception of `timeslice.errors`, made of one argument.
pub(crate) fn exception<'py, T>(py: Python<'py>, class: &str, argument: T) -> PyErr
where
    T: IntoPyObject<'py>,
    PyErr: From<T::Error>,
{
    let made = py.import("timeslice.errors").and_then(|module| {
        let argument = argument.into_pyobject(py)?.into_any().into_bound();
        module.getattr(class)?.call1((argument,))
    });
    match made {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// Paths and messages of the errors of an input.
pub(crate) fn problems(errors: Vec<ConfigError>) -> Vec<(String, String)> {
    let pairs = errors.into_iter().map(|e| (e.path, e.message));
    pairs.collect()
}

/// `ScenarioError`: all errors of an input.
pub(crate) fn invalid(py: Python<'_>, errors: Vec<ConfigError>) -> PyErr {
    exception(py, "ScenarioError", problems(errors))
}

/// `ScenarioError` about an argument.
pub(crate) fn wrong(py: Python<'_>, path: &str, message: impl Into<String>) -> PyErr {
    invalid(py, vec![ConfigError::new(path, message)])
}

/// `CoreError`: a fault of the core, with its text.
pub(crate) fn fault(py: Python<'_>, message: String) -> PyErr {
    exception(py, "CoreError", message)
}

/// Runs work of the core without Python's lock.
pub(crate) fn released<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    let result = py.detach(|| caught(work));
    result.map_err(|message| fault(py, message))
}
