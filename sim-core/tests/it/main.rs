//! Integration tests of the core, in one binary.

mod claims;
mod conformance;
mod parity;
mod regressions;
mod support;
