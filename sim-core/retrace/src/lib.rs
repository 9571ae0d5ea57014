//! Does a kernel obey its rules? A scheduler of this product follows a real trace event by event. At each real choice it
//! is asked what its rules choose from the same queue. Then the real choice is taken, and the state goes on from there.
//!
//! Nothing here knows a rule: the rules are the scheduler's own code, called through the hooks of the contract.
//!
//! | module | contents |
//! |---|---|
//! | [`record`] | a trace whole: its events, who belongs to the threads of interest, when nice values changed |
//! | `host` | what an engine is to a scheduler, for a run whose times and choices are given |
//! | `follow` | a pass over the events: which hooks each of them means |
//! | `judge` | choices whose real answer shows only afterwards |
//! | `before` | threads that began before the trace: with which lag they enter it |
//! | [`verdict`] | right, near, wrong; the controls; the disagreements |
//! | [`ask`] | all passes over a trace, and what came out |

pub mod ask;
mod before;
mod follow;
mod host;
mod judge;
pub mod record;
pub mod verdict;

pub use ask::{Asked, Began, Question, ask};
pub use record::{Pattern, Record, Recorder};
pub use verdict::{About, Control, Count, Disagreement, Standing};
