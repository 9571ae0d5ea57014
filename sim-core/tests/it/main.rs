//! Integration tests of the core, in one binary.

mod claims;
mod conformance;
mod parity;
mod properties;
mod regressions;
mod support;
