//! Idle states: which one a kernel chooses for an idle CPU ([`menu`]), and what a CPU does until it is woken ([`Rest`]).
//!
//! Nothing here knows of tasks. The engine says when a CPU falls idle and when a signal comes (`idle_exit.rs`).
//!
//! A kernel may keep the tick on an idle CPU. That tick wakes the CPU, which then chooses again. No event stands for it:
//! the choices up to a time are made up for when somebody needs them ([`Rest::catch_up`]). So they depend on times alone,
//! never on who looked when.

pub mod menu;
mod rest;
mod rules;

pub use menu::{Chosen, Inputs, Menu, Release, State, Woken};
pub use rest::Rest;
pub(crate) use rules::CONSTANTS;
pub use rules::{FAR_TIMER_NS, IdleRules};
