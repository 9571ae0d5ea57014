//! What the fair schedulers of Linux share, whatever the release: CFS and EEVDF are built on it.
//!
//! | room | holds |
//! |---|---|
//! | `weight` | weights of nice values, and products of time and weight |
//! | `pelt` | the geometric series of load tracking |
//! | `ticks` | ticks in a row that change nothing but averages |
//! | `tree` | the red-black trees of waiting entities |
//! | `lists` | the list of a CPU's fair tasks, which balancers go through |
//! | `wakees` | who wakes how many others |
//! | `applications` | which tasks form a group |
//! | `rt` | real-time tasks, which come before fair ones |
//! | `numa` | memory that follows its thread |
//!
//! Rules that differ between releases are no part of it: each scheduler has its own.

pub(crate) mod applications;
pub(crate) mod lists;
pub mod numa;
pub(crate) mod pelt;
pub(crate) mod rt;
pub(crate) mod ticks;
pub(crate) mod tree;
pub(crate) mod wakees;
pub(crate) mod weight;
