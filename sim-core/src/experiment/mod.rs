//! Shipped scenarios, their runs, and the claims that they test.

pub mod bench;
pub mod bound;
pub mod claims;
pub mod digests;
pub mod figure;
mod numbers;
pub mod parts;
pub mod probe;
pub mod published;
pub mod registry;
pub mod results;
pub mod run;
pub mod shipped;
pub mod stats;
pub mod sweep;
pub mod words;
