//! Shipped scenarios, and the claims that they test.

pub mod bench;
pub mod digests;
pub mod registry;
