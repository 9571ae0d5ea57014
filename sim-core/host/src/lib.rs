//! What programs of a machine share beyond the core, which knows neither threads nor formats of others: the command line
//! and the Python package.

pub mod caught;
pub mod columns;
pub mod format;
pub mod parallel;
pub mod told;
pub mod words;
