//! Errors of input. Every other error is a bug and panics.

use serde::Serialize;
use std::fmt;

/// One thing that is wrong with a scenario, an edit or a machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct ConfigError {
    /// Where, e.g. `groups[0].nice`.
    pub path: String,
    /// What is wrong, with the allowed values.
    pub message: String,
}

impl ConfigError {
    /// Makes an error.
    #[must_use]
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            message: message.into(),
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            write!(f, "{}", self.message)
        } else {
            write!(f, "{}: {}", self.path, self.message)
        }
    }
}

impl std::error::Error for ConfigError {}

/// Everything that is wrong with an input, as JSON `{"errors": […]}` on the boundary.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
pub struct ConfigErrors {
    /// In the order of the file.
    pub errors: Vec<ConfigError>,
}

impl From<Vec<ConfigError>> for ConfigErrors {
    fn from(errors: Vec<ConfigError>) -> Self {
        Self { errors }
    }
}

/// Number of problems that are reported in words. Further ones are only counted.
pub const MAX_PROBLEMS: usize = 20;

/// A collection of problems that stays small, however many there are.
#[derive(Clone, Debug, Default)]
pub struct Problems {
    told: Vec<ConfigError>,
    more: usize,
}

impl Problems {
    /// Adds a problem.
    pub fn add(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.add_with(|| ConfigError::new(path, message));
    }

    /// Adds a problem whose words are made only if they are reported: for long lists of the same mistake.
    pub fn add_with(&mut self, problem: impl FnOnce() -> ConfigError) {
        if self.told.len() < MAX_PROBLEMS {
            self.told.push(problem());
        } else {
            self.more += 1;
        }
    }

    /// Adds the problems of a part. `path` turns a path within the part into one within the whole.
    pub fn absorb(&mut self, part: Self, path: impl Fn(&str) -> String) {
        for problem in part.told {
            self.add_with(|| ConfigError::new(path(&problem.path), problem.message));
        }
        self.more += part.more;
    }

    /// Whether there are no problems.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    /// The problems that are reported.
    #[must_use]
    pub fn told(&self) -> &[ConfigError] {
        &self.told
    }

    /// The problems that are reported; the last entry counts the others.
    #[must_use]
    pub fn into_errors(mut self) -> Vec<ConfigError> {
        if self.more > 0 {
            let what = if self.more == 1 {
                "problem"
            } else {
                "problems"
            };
            let message = format!("there are {} more {what}", self.more);
            self.told.push(ConfigError::new("", message));
        }
        self.told
    }
}

/// Why a snapshot could not be restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotError {
    /// Not the bytes of a snapshot, or cut short.
    Malformed,
    /// Written by another version of the core.
    Version {
        /// The version in the bytes.
        found: u32,
        /// The version that this core reads.
        expected: u32,
    },
    /// Written for another scenario.
    OtherScenario,
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed => write!(f, "these are not the bytes of a snapshot"),
            Self::Version { found, expected } => {
                write!(f, "snapshot of version {found}, this core reads {expected}")
            }
            Self::OtherScenario => write!(f, "the snapshot belongs to another scenario"),
        }
    }
}

impl std::error::Error for SnapshotError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_much_is_wrong_little_is_told() {
        let mut problems = Problems::default();
        for n in 0..5_000 {
            problems.add(format!("groups[{n}]"), "is wrong");
        }
        let mut whole = Problems::default();
        whole.add("end", "is wrong, too");
        whole.absorb(problems, |path| format!("part.{path}"));
        let errors = whole.into_errors();
        assert_eq!(errors.len(), MAX_PROBLEMS + 1);
        assert_eq!(errors[1].path, "part.groups[0]");
        assert_eq!(
            errors[MAX_PROBLEMS].to_string(),
            "there are 4981 more problems"
        );
    }
}
