//! Traces of real machines: their texts as events, and what their threads did as data. Nothing here simulates.
//!
//! | module | contents |
//! |---|---|
//! | [`event`], [`names`] | what a trace tells, in one form for all formats |
//! | [`read`] | a file in pieces, and events in the order of time; limits, and why a trace is refused |
//! | [`detect`] | which format a file has |
//! | `ftrace`, `payload` | the texts of Linux |
//! | `lines`, `order`, `scan` | lines of pieces, order of events, parts of lines |

pub mod detect;
pub mod error;
pub mod event;
mod ftrace;
mod lines;
pub mod names;
mod order;
mod payload;
pub mod read;
mod scan;

pub use error::ImportError;
pub use event::{Context, Event, IDLE, Kind, Pid, State};
pub use names::Names;
pub use read::{Facts, Options, Reading, Sink, Trace};
