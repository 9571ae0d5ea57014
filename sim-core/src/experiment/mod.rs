//! Shipped scenarios, and the claims that they test.

pub mod bench;
pub mod claims;
pub mod digests;
pub mod registry;
pub mod sweep;
