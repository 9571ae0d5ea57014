//! What can go wrong with input. Everything else that goes wrong is a bug and panics.

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

/// Why a snapshot could not be restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotError {
    /// Not the bytes of a snapshot, or cut short.
    Malformed,
    /// Written by another version of the core.
    Version {
        /// What the bytes say.
        found: u32,
        /// What this core reads.
        expected: u32,
    },
    /// Of another scenario.
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
