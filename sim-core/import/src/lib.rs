//! Traces of real machines: their texts as events, and what their threads did as data. Nothing here simulates.
//!
//! | module | contents |
//! |---|---|
//! | [`event`], [`names`] | what a trace tells, in one form for all formats |
//! | [`read`] | a file in pieces, and events in the order of time; limits, and why a trace is refused |
//! | [`detect`] | which format a file has |
//! | [`lane`] | what every thread did and when |
//! | [`burst`], [`workload`] | the workload behind it, and a file of it |
//! | `others` | CPU time of nobody who is known, and who is bound to a CPU |
//! | [`part`] | a part of a long trace |
//! | [`spread`] | no two switches at one time |
//! | [`summary`] | a trace in numbers |
//! | [`trust`] | how far a model's run of it may be believed |
//! | `ftrace`, `perf`, `payload` | the texts of Linux |
//! | [`rtapp`] | programs of rt-app as scenarios |
//! | `ktr` | the texts of FreeBSD |
//! | `unwrap` | text within other files |
//! | `lines`, `order`, `scan` | lines of pieces, order of events, parts of lines |

pub mod burst;
pub mod detect;
pub mod error;
pub mod event;
mod ftrace;
mod ktr;
pub mod lane;
mod lines;
pub mod names;
mod order;
mod others;
pub mod part;
mod payload;
mod perf;
pub mod read;
pub mod rtapp;
mod scan;
pub mod spread;
pub mod summary;
pub mod trust;
mod unwrap;
pub mod workload;

pub use error::ImportError;
pub use event::{CONDUCTOR, Context, Event, IDLE, Kind, Pid, State};
pub use names::Names;
pub use others::OTHERS;
pub use part::{OfPart, Part};
pub use read::{Facts, Options, Reading, Sink, Trace};
