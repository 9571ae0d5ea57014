//! Shipped scenarios, runs of them, and the claims that they test.

pub mod bench;
pub mod claims;
pub mod digests;
pub mod parts;
pub mod probe;
pub mod registry;
pub mod run;
pub mod sweep;
