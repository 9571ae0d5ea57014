//! The base of all rooms of the simulation: ids, times, ranges, parameters, errors.
//!
//! | module | contents |
//! |---|---|
//! | [`bounds`] | the range of every number of a scenario |
//! | [`error`] | errors of an input, by field |
//! | [`hash`], [`rng`] | digests and random numbers, the same on every platform |
//! | [`ids`], [`time`] | tasks, CPUs, domains, simulated time |
//! | [`info`], [`params`] | what the catalog shows of reasons, columns and parameters |
//! | [`packed`] | long lists of numbers as text |
//! | [`provenance`] | how well a number is known, and its source |
//! | [`text`] | which characters a name may have, and how a user's text is quoted |

pub mod bounds;
pub mod error;
pub mod hash;
pub mod ids;
pub mod info;
pub mod packed;
pub mod params;
pub mod provenance;
pub mod rng;
pub mod text;
pub mod time;
pub mod units;
