//! What native programs (the command line and the Python package) share beyond the core. The core itself uses no
//! operating-system threads and no foreign formats.

pub mod caught;
pub mod columns;
pub mod decision_text;
pub mod format;
pub mod parallel;
pub mod words;
