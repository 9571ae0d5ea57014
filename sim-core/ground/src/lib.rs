//! What all rooms of the simulation stand on: numbers of tasks, CPUs and times, ranges, parameters, errors.
//!
//! | module | what is in it |
//! |---|---|
//! | [`bounds`] | the range of every number of a scenario |
//! | [`error`] | what is wrong with an input, by field |
//! | [`hash`], [`rng`] | digests and random numbers, the same on every platform |
//! | [`ids`], [`time`] | tasks, CPUs, domains, simulated time |
//! | [`info`], [`params`] | what the catalog tells of reasons, columns and parameters |
//! | [`provenance`] | how well a number is known, and where it comes from |
//! | [`order`] | sorting in a stable order |
//! | [`text`] | what may stand in a name, and how somebody's text is quoted |

pub mod bounds;
pub mod error;
pub mod hash;
pub mod ids;
pub mod info;
pub mod order;
pub mod params;
pub mod provenance;
pub mod rng;
pub mod text;
pub mod time;
