//! Programs of own policies that Python runs.

use crate::world::{Cpu, Everyone, Thread, Within, number, type_of, value};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sim_core::sched::ProgramError;
use sim_core::sched::registry;
use sim_policy::world::{Seen, TIMES};
use sim_policy::{Argument, Described, HOOKS, Hook, Program, Reply, Shared, templates, words};

/// Lets Python run own policies.
pub(crate) fn speak() {
    sim_policy::speak(read);
    registry::add(&sim_policy::INFO);
}

/// Words of the language: names of functions that a policy may have, names of numbers that it may set, and times in ns.
pub(crate) fn add_words(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let hooks: Vec<&str> = HOOKS.iter().map(|(_, name, _)| *name).collect();
    let constants: Vec<&str> = words::CONSTANTS.iter().map(|c| c.0).collect();
    module.add("HOOKS", hooks)?;
    module.add("CONSTANTS", constants)?;
    module.add("TIMES", TIMES.to_vec())
}

/// The policies of the textbook: id, name and text of each.
#[pyfunction]
pub(crate) fn policies() -> Vec<(&'static str, &'static str, &'static str)> {
    let all = templates::ERAS.iter();
    all.map(|era| (era.id, era.name, templates::source(era.id)))
        .collect()
}

/// Reads the program of a text that has been loaded, without running it: what is wrong with it, if anything is.
#[pyfunction]
pub(crate) fn read_policy(text: &str) -> Option<(u32, u32, String)> {
    let wrong = sim_policy::read(text).err()?;
    Some((wrong.line, wrong.column, wrong.sentence))
}

/// A program that Python runs.
struct PyProgram {
    functions: [Option<Py<PyAny>>; HOOKS.len()],
    described: Described,
}

/// What `timeslice.policy` found in a program.
#[derive(FromPyObject)]
struct Found<'py> {
    /// Functions by their names, with their lines.
    #[pyo3(item)]
    functions: Vec<(String, Bound<'py, PyAny>, u32)>,
    /// Numbers by their names, with their lines.
    #[pyo3(item)]
    constants: Vec<(String, Bound<'py, PyAny>, u32)>,
    #[pyo3(item)]
    names: Vec<(String, u32)>,
    #[pyo3(item)]
    shares_a_list: bool,
}

fn wrong(line: u32, sentence: String) -> ProgramError {
    ProgramError {
        line,
        column: 1,
        sentence,
    }
}

/// An exception of a program, with its place; without one it has that of `line`.
fn told(py: Python<'_>, error: PyErr, line: u32) -> ProgramError {
    if error.is_instance_of::<PyKeyboardInterrupt>(py) {
        // The run is asked for signals soon; called from here, none is raised before that.
        let again = py
            .import("_thread")
            .and_then(|module| module.call_method0("interrupt_main"));
        let sentence = again.map_or_else(|e| e.to_string(), |_| "it was interrupted".to_owned());
        return wrong(line, sentence);
    }
    let text = error.to_string();
    let told = py.import("timeslice.policy").and_then(|module| {
        let told = module.getattr("_told")?.call1((error, line))?;
        told.extract::<(u32, u32, String)>()
    });
    match told {
        Ok((line, column, sentence)) => ProgramError {
            line,
            column,
            sentence: sim_core::text::visible(&sentence),
        },
        Err(_) => wrong(line, sim_core::text::visible(&text)),
    }
}

/// The program of a text, if the user has loaded it.
fn read(text: &str) -> Option<Result<Box<dyn Program>, ProgramError>> {
    Python::attach(|py| {
        let moment = Shared::new();
        let within = Within::of(&moment);
        let found = py
            .import("timeslice.policy")
            .and_then(|module| module.getattr("_read")?.call1((text,)));
        drop(within);
        let found = match found {
            Ok(found) if found.is_none() => return None,
            Ok(found) => found.extract::<Found<'_>>(),
            Err(e) => Err(e),
        };
        let made = found
            .map_err(|e| told(py, e, 1))
            .and_then(|found| PyProgram::new(py, found, moment));
        Some(made.map(|program| Box::new(program) as Box<dyn Program>))
    })
}

impl PyProgram {
    fn new(py: Python<'_>, found: Found<'_>, moment: Shared) -> Result<Self, ProgramError> {
        let declared = moment.declared();
        let mut read = Self {
            functions: std::array::from_fn(|_| None),
            described: Described {
                declared,
                lines: [None; HOOKS.len()],
                constants: Vec::new(),
                shares_a_list: found.shares_a_list,
                order: None,
                moment,
            },
        };
        for (hook, name, parameters) in HOOKS {
            let Some((_, function, line)) = found.functions.iter().find(|f| f.0 == name) else {
                continue;
            };
            let fits = py
                .import("timeslice.policy")
                .and_then(|module| {
                    let fits = module.getattr("_fits")?;
                    fits.call1((function, parameters.len()))?.extract::<bool>()
                })
                .map_err(|e| told(py, e, *line))?;
            if !function.is_callable() {
                return Err(wrong(*line, words::no_function(name)));
            }
            if !fits {
                return Err(wrong(*line, words::called_as(name, parameters)));
            }
            read.functions[hook as usize] = Some(function.clone().unbind());
            read.described.lines[hook as usize] = Some(*line);
        }
        if !read.described.has(Hook::Pick) {
            let names = found.names.iter().map(|n| n.0.as_str());
            let (sentence, close) = words::no_pick(names);
            let at = close.and_then(|c| found.names.iter().find(|n| n.0 == c));
            return Err(wrong(at.map_or(1, |n| n.1), sentence));
        }
        for (name, least, most, unit, function) in words::CONSTANTS {
            let Some((_, value, line)) = found.constants.iter().find(|c| c.0 == name) else {
                continue;
            };
            let got = number(name, value).ok();
            let Some(number) = got.filter(|n| (least..=most).contains(n)) else {
                let got = value.to_string();
                return Err(wrong(*line, words::outside(name, least, most, unit, &got)));
            };
            if !read.described.has(function) {
                return Err(wrong(*line, words::without(name, function)));
            }
            read.described.constants.push((name, number));
        }
        Ok(read)
    }

    fn argument(&self, py: Python<'_>, argument: Argument) -> PyResult<Py<PyAny>> {
        match argument {
            Argument::Thread(task) => value(py, Seen::Thread(task), &self.described.moment),
            Argument::Cpu(cpu) => value(py, Seen::Cpu(cpu), &self.described.moment),
            Argument::Everyone => Ok(Py::new(py, Everyone)?.into_any()),
            Argument::Number(number) => value(py, Seen::Number(number), &self.described.moment),
        }
    }

    fn called(
        &self,
        py: Python<'_>,
        function: &Py<PyAny>,
        arguments: &[Argument],
    ) -> PyResult<Reply> {
        let all: Vec<Py<PyAny>> = arguments
            .iter()
            .map(|a| self.argument(py, *a))
            .collect::<PyResult<_>>()?;
        let _within = Within::of(&self.described.moment);
        let answer = function.bind(py).call1(PyTuple::new(py, all)?)?;
        Ok(reply(&answer))
    }
}

fn reply(value: &Bound<'_, PyAny>) -> Reply {
    if value.is_none() {
        Reply::None
    } else if let Ok(flag) = value.extract::<bool>() {
        Reply::Flag(flag)
    } else if let Ok(t) = value.cast::<Thread>() {
        Reply::Thread(t.get().task)
    } else if let Ok(c) = value.cast::<Cpu>() {
        Reply::Cpu(c.get().cpu)
    } else if value.cast::<Everyone>().is_ok() {
        Reply::Everyone
    } else if let Ok(number) = value.extract::<i64>() {
        Reply::Number(number)
    } else {
        Reply::Other(words::kind(&type_of(value)).to_owned())
    }
}

impl Program for PyProgram {
    fn described(&self) -> &Described {
        &self.described
    }

    /// Nothing counts Python's steps.
    fn call(&self, hook: Hook, arguments: &[Argument], _: u64) -> Result<Reply, ProgramError> {
        let Some(function) = &self.functions[hook as usize] else {
            return Ok(Reply::None);
        };
        Python::attach(|py| {
            let answer = self.called(py, function, arguments);
            answer.map_err(|e| told(py, e, self.described.line(hook)))
        })
    }
}
