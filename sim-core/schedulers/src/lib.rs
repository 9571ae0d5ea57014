//! The schedulers: a folder for each, and the registry that lists them.
//!
//! A scheduler uses the contract and nothing else of the simulation. Its contents are private to its folder, so that no
//! scheduler depends on another one. Only two things are public: the registry's entries, and the arithmetic that tests
//! compare with published facts. [`freebsd`] and `linux` hold what the schedulers of one system share.

#![deny(clippy::float_arithmetic)]

pub mod registry;

pub mod bfs;
pub mod cfs;
pub mod eevdf;
mod fifo;
pub mod fourbsd;
pub mod freebsd;
pub mod linux;
pub mod manual;
pub mod random;
pub mod recording;
pub mod ule;
