//! The command line as a program, in one binary of tests.

mod calls;
mod claims;
#[cfg(feature = "policy")]
mod exercises;
mod ftrace;
mod import;
mod lesson;
#[cfg(feature = "policy")]
mod policy;
mod real;
mod replay;
mod study;
mod sweep;
mod trace;
