//! What policies see when Python runs them: threads and CPUs as Python's objects, and the functions of the language. What
//! they mean is told once, in the host; this is how Python says it.

use crate::errors::exception;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyList, PyTuple};
use sim_core::ids::{CpuId, TaskId};
use sim_policy::world::{self, Of, Seen};
use sim_policy::{Shared, words};
use std::cell::RefCell;

thread_local! {
    /// The moment of the program that is read or called on this thread; the last one is it.
    static MOMENTS: RefCell<Vec<Shared>> = const { RefCell::new(Vec::new()) };
}

/// While it lives, functions of the language are about this moment.
pub(crate) struct Within;

impl Within {
    pub(crate) fn of(moment: &Shared) -> Self {
        MOMENTS.with(|m| m.borrow_mut().push(moment.clone()));
        Self
    }
}

impl Drop for Within {
    fn drop(&mut self) {
        MOMENTS.with(|m| m.borrow_mut().pop());
    }
}

/// `PolicyError`, with its sentence.
fn policy_error(py: Python<'_>, sentence: String) -> PyErr {
    exception(py, "PolicyError", sentence)
}

/// The moment that a function of the language is about.
fn moment(py: Python<'_>) -> PyResult<Shared> {
    let moment = MOMENTS.with(|m| m.borrow().last().cloned());
    moment.ok_or_else(|| {
        let sentence = "this is a function for policies: there is no lane here";
        policy_error(py, sentence.to_owned())
    })
}

/// Name of the type of a value.
pub(crate) fn type_of(value: &Bound<'_, PyAny>) -> String {
    let name = value.get_type().name().map(|n| n.to_string());
    let name = name.unwrap_or_default();
    // Numbers of NumPy are numbers with a point to who writes a policy.
    if name.starts_with("float") {
        "float".to_owned()
    } else {
        name
    }
}

/// The number that a column is to hold.
pub(crate) fn number(name: &str, value: &Bound<'_, PyAny>) -> Result<i64, String> {
    if value.is_instance_of::<PyBool>() {
        return Err(words::not_whole(name, "bool"));
    }
    if let Ok(number) = value.extract::<i64>() {
        return Ok(number);
    }
    match type_of(value).as_str() {
        "int" => Err(words::too_large(name, &value.to_string())),
        other => Err(words::not_whole(name, other)),
    }
}

/// A thread of the machine, as policies see it.
#[pyclass(frozen, eq, hash, module = "timeslice.policy")]
pub(crate) struct Thread {
    pub(crate) task: TaskId,
    moment: Shared,
}

/// A CPU of the machine, as policies see it.
#[pyclass(frozen, eq, hash, module = "timeslice.policy")]
pub(crate) struct Cpu {
    pub(crate) cpu: CpuId,
    moment: Shared,
}

/// The list of all CPUs.
#[pyclass(frozen, eq, hash, module = "timeslice.policy")]
#[derive(PartialEq, Hash)]
pub(crate) struct Everyone;

impl PartialEq for Thread {
    fn eq(&self, other: &Self) -> bool {
        self.task == other.task
    }
}

impl std::hash::Hash for Thread {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.task.0.hash(state);
    }
}

impl PartialEq for Cpu {
    fn eq(&self, other: &Self) -> bool {
        self.cpu == other.cpu
    }
}

impl std::hash::Hash for Cpu {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.cpu.0.hash(state);
    }
}

fn threads(py: Python<'_>, all: Vec<TaskId>, moment: &Shared) -> PyResult<Py<PyAny>> {
    let thread = |task| {
        let moment = moment.clone();
        Thread { task, moment }.into_pyobject(py)
    };
    let all: Vec<_> = all.into_iter().map(thread).collect::<PyResult<_>>()?;
    Ok(PyList::new(py, all)?.into_any().unbind())
}

fn cpus(py: Python<'_>, all: Vec<CpuId>, moment: &Shared) -> PyResult<Py<PyAny>> {
    let cpu = |cpu| {
        let moment = moment.clone();
        Cpu { cpu, moment }.into_pyobject(py)
    };
    let all: Vec<_> = all.into_iter().map(cpu).collect::<PyResult<_>>()?;
    Ok(PyList::new(py, all)?.into_any().unbind())
}

/// What a program sees, as a value of Python.
pub(crate) fn value(py: Python<'_>, seen: Seen, moment: &Shared) -> PyResult<Py<PyAny>> {
    Ok(match seen {
        Seen::None => py.None(),
        Seen::Flag(flag) => PyBool::new(py, flag).to_owned().into_any().unbind(),
        Seen::Number(number) => number.into_pyobject(py)?.into_any().unbind(),
        Seen::Thread(task) => {
            let moment = moment.clone();
            Py::new(py, Thread { task, moment })?.into_any()
        }
        Seen::Cpu(cpu) => {
            let moment = moment.clone();
            Py::new(py, Cpu { cpu, moment })?.into_any()
        }
        Seen::Threads(all) => threads(py, all, moment)?,
        Seen::Cpus(all) => cpus(py, all, moment)?,
    })
}

/// `PolicyAttributeError`, which is an `AttributeError`: Python asks many objects whether they have something.
fn lacks(py: Python<'_>, of: &str, name: &str, known: &[String], moment: &Shared) -> PyErr {
    let sentence = if known.iter().any(|n| n == name) {
        format!("`{name}` has no answer outside of the run: read it in a function")
    } else {
        words::no_attribute(of, name, &moment.declared())
    };
    exception(py, "PolicyAttributeError", sentence)
}

#[pymethods]
impl Thread {
    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        match self.moment.thread(self.task, name) {
            Some(seen) => value(py, seen, &self.moment),
            None => {
                let known = self.moment.of_threads();
                Err(lacks(py, "thread", name, &known, &self.moment))
            }
        }
    }

    fn __setattr__(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let number = number(name, value);
        let set = self.moment.set_thread(self.task, name, || number);
        set.map_err(|e| policy_error(py, e))
    }

    fn __dir__(&self) -> Vec<String> {
        self.moment.of_threads()
    }

    fn __repr__(&self) -> String {
        format!("{{task {}}}", self.task.0)
    }
}

#[pymethods]
impl Cpu {
    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        match self.moment.cpu(self.cpu, name) {
            Some(seen) => value(py, seen, &self.moment),
            None => {
                let known = self.moment.of_cpus();
                Err(lacks(py, "cpu", name, &known, &self.moment))
            }
        }
    }

    fn __setattr__(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let number = number(name, value);
        let set = self.moment.set_cpu(self.cpu, name, || number);
        set.map_err(|e| policy_error(py, e))
    }

    fn __dir__(&self) -> Vec<String> {
        self.moment.of_cpus()
    }

    fn __repr__(&self) -> String {
        format!("cpu {}", self.cpu.0)
    }

    /// How far another CPU is: 0 for one of the same core, 1 of the same cache, 2 of the same node, 3 of another.
    fn distance(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<i32> {
        let Ok(other) = other.cast::<Self>() else {
            let kind = type_of(other).to_lowercase();
            let kind = words::kind(&kind);
            let sentence = format!("`distance` is asked of another CPU, not of {kind}");
            return Err(policy_error(py, sentence));
        };
        Ok(self.moment.distance(self.cpu, other.get().cpu))
    }
}

#[pymethods]
impl Everyone {
    #[new]
    fn new() -> Self {
        Self
    }

    #[allow(clippy::unused_self)] // it is a method of Python's
    fn __repr__(&self) -> &'static str {
        "EVERYONE"
    }
}

/// The functions of the language.
#[pyclass(frozen, module = "timeslice._core")]
pub(crate) struct World;

fn declare(py: Python<'_>, of: Of, name: &str, first: &Bound<'_, PyAny>) -> PyResult<()> {
    let number = number(name, first);
    let declared = moment(py)?.declare(of, name, || number);
    declared.map_err(|e| policy_error(py, e))
}

#[pymethods]
impl World {
    /// Declares a number of each thread.
    #[staticmethod]
    #[pyo3(signature = (name, first, /))]
    fn thread_state(py: Python<'_>, name: &str, first: &Bound<'_, PyAny>) -> PyResult<()> {
        declare(py, Of::Threads, name, first)
    }

    /// Declares a number of each CPU.
    #[staticmethod]
    #[pyo3(signature = (name, first, /))]
    fn cpu_state(py: Python<'_>, name: &str, first: &Bound<'_, PyAny>) -> PyResult<()> {
        declare(py, Of::Cpus, name, first)
    }

    /// Declares a number of the lane.
    #[staticmethod]
    #[pyo3(signature = (name, first, /))]
    fn state(py: Python<'_>, name: &str, first: &Bound<'_, PyAny>) -> PyResult<()> {
        declare(py, Of::Lane, name, first)
    }

    /// A number of the lane.
    #[staticmethod]
    #[pyo3(signature = (name, /))]
    fn get(py: Python<'_>, name: &str) -> PyResult<i64> {
        moment(py)?.get(name).map_err(|e| policy_error(py, e))
    }

    /// Changes a number of the lane.
    #[staticmethod]
    #[pyo3(signature = (name, value, /))]
    fn put(py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let number = number(name, value);
        let put = moment(py)?.put(name, || number);
        put.map_err(|e| policy_error(py, e))
    }

    /// Simulated time, in ns.
    #[staticmethod]
    fn now(py: Python<'_>) -> PyResult<i64> {
        moment(py)?.now().map_err(|e| policy_error(py, e))
    }

    /// All CPUs.
    #[staticmethod]
    fn cpus(py: Python<'_>) -> PyResult<Py<PyAny>> {
        let moment = moment(py)?;
        let all = moment.cpus().map_err(|e| policy_error(py, e))?;
        cpus(py, all, &moment)
    }

    /// All threads that have started and not ended.
    #[staticmethod]
    fn threads(py: Python<'_>) -> PyResult<Py<PyAny>> {
        let moment = moment(py)?;
        let all = moment.threads().map_err(|e| policy_error(py, e))?;
        threads(py, all, &moment)
    }

    /// A random number from 0 to n - 1, by the seed of the scenario.
    #[staticmethod]
    #[pyo3(signature = (n, /))]
    fn random(py: Python<'_>, n: &Bound<'_, PyAny>) -> PyResult<i64> {
        let moment = moment(py)?;
        let drawn = number("n", n).and_then(|n| moment.random(n));
        drawn.map_err(|e| policy_error(py, e))
    }

    /// Says why the answer is what it is.
    #[staticmethod]
    #[pyo3(signature = (text, /, *values))]
    fn because(py: Python<'_>, text: &str, values: &Bound<'_, PyTuple>) -> PyResult<()> {
        let all = || values.iter().map(|v| v.to_string()).collect();
        let numbers = values.iter().filter_map(|v| number("", &v).ok());
        let said = moment(py)?.because(text, all, numbers);
        said.map_err(|e| policy_error(py, e))
    }

    /// Moves a waiting thread to the list of a CPU.
    #[staticmethod]
    #[pyo3(signature = (t, cpu, /))]
    fn r#move(py: Python<'_>, t: &Bound<'_, PyAny>, cpu: &Bound<'_, PyAny>) -> PyResult<()> {
        let moment = moment(py)?;
        let told = |e| policy_error(py, e);
        moment.called("move").map_err(told)?;
        let kind = |v| words::kind(&type_of(v).to_lowercase()).to_owned();
        let Ok(thread) = t.cast::<Thread>() else {
            let sentence = format!("`move(t, cpu)` moves a thread, not {}", kind(t));
            return Err(policy_error(py, sentence));
        };
        let Ok(to) = cpu.cast::<Cpu>() else {
            let sentence = format!("`move(t, cpu)` moves to a cpu, not to {}", kind(cpu));
            return Err(policy_error(py, sentence));
        };
        let moved = moment.move_to(thread.get().task, to.get().cpu);
        moved.map_err(|e| policy_error(py, e))
    }

    /// Shows a value in the card of the decision.
    #[staticmethod]
    #[pyo3(signature = (x, /))]
    fn note(py: Python<'_>, x: &Bound<'_, PyAny>) -> PyResult<()> {
        let noted = moment(py)?.note("note", || x.to_string());
        noted.map_err(|e| policy_error(py, e))
    }

    /// The whole part of a logarithm.
    #[staticmethod]
    #[pyo3(signature = (x, /))]
    fn log2(py: Python<'_>, x: &Bound<'_, PyAny>) -> PyResult<i64> {
        let found = number("x", x).and_then(world::log2);
        found.map_err(|e| policy_error(py, e))
    }

    /// A number, or the nearest end of a range.
    #[staticmethod]
    #[pyo3(signature = (x, least, most, /))]
    fn clamp(
        py: Python<'_>,
        x: &Bound<'_, PyAny>,
        least: &Bound<'_, PyAny>,
        most: &Bound<'_, PyAny>,
    ) -> PyResult<i64> {
        let all = [("x", x), ("least", least), ("most", most)].map(|(n, v)| number(n, v));
        let [x, least, most] = all;
        let end = (|| world::clamp(x?, least?, most?))();
        end.map_err(|e| policy_error(py, e))
    }
}
