//! The constants of the model with their sources, for documentation and tests. No run uses this table.

use crate::provenance::Constant;

/// All constants of the model, by file and name.
#[must_use]
pub fn all() -> Vec<Constant> {
    let crates = [
        crate::config::ALL_CONSTANTS,
        crate::engine::ALL_CONSTANTS,
        crate::machine::ALL_CONSTANTS,
        crate::workload::ALL_CONSTANTS,
    ];
    let mut all: Vec<Constant> = crates
        .iter()
        .flat_map(|files| files.iter())
        .flat_map(|file| file.iter().copied())
        .collect();
    all.sort_by_key(|c| (c.file, c.name));
    all
}
