//! How this program is started again.

use std::ffi::OsString;

/// A program with its first arguments: `python -m timeslice`, say. Only Linux starts it.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
#[derive(Clone, Debug)]
pub struct Program {
    file: OsString,
    first: Vec<OsString>,
}

impl Program {
    /// This file with these arguments before all others.
    pub fn new(file: impl Into<OsString>, first: impl IntoIterator<Item = OsString>) -> Self {
        Self {
            file: file.into(),
            first: first.into_iter().collect(),
        }
    }

    /// The file that runs now; where the system does not tell it, the one that is called `timeslice`.
    #[must_use]
    pub fn this() -> Self {
        let file = std::env::current_exe().map_or_else(|_| "timeslice".into(), OsString::from);
        Self::new(file, [])
    }

    /// It, to be started with more arguments.
    #[cfg(target_os = "linux")]
    pub(crate) fn command(&self) -> std::process::Command {
        let mut command = std::process::Command::new(&self.file);
        command.args(&self.first);
        command
    }

    /// Its file, for people.
    #[cfg(target_os = "linux")]
    pub(crate) fn name(&self) -> String {
        self.file.to_string_lossy().into_owned()
    }
}
