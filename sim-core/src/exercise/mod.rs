//! Exercises: what an own policy has to do, and whether it does.
//!
//! An exercise is data ([`mod@format`]): a text, a policy to begin with, and cases. A case is a small scenario with checks,
//! which are expressions of the measure language ([`sim_measure`]) with bounds, or the turns of threads in order. Lane 1 is
//! the program, and the lanes of the scenario follow it: a check may compare with them. The page, the command line and
//! teachers' own files go through [`judge`].

pub mod alike;
pub mod check;
pub mod format;
pub mod judge;
mod picks;
pub mod reading;
pub mod registry;
