//! The schedulers: a folder each, and the registry that lists them.
//!
//! A scheduler uses the contract and nothing else of the simulation; what it holds is private to its folder, so that no
//! scheduler leans on another one: public are what the registry lists and the arithmetic that published facts are checked
//! against. [`freebsd`] and `linux` are what those of one system share.

#![deny(clippy::float_arithmetic)]

pub mod registry;

pub mod bfs;
pub mod cfs;
pub mod eevdf;
mod fifo;
pub mod fourbsd;
pub mod freebsd;
mod linux;
pub mod manual;
pub mod random;
pub mod ule;
