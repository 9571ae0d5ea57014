//! Lessons: predict, run, explain.
//!
//! A lesson is data ([`mod@format`]): texts, questions and expressions about the learner's run. One parser
//! ([`expression`]) and one evaluator serve the page, the command line and the worksheet. A number in a text therefore
//! comes from the learner's own run, also after a slider was moved. [`run::LessonRun`] is a lesson with a learner's
//! scenario; [`registry`] lists the lessons of this build.

mod answer;
pub mod changes;
pub mod check;
pub mod difference;
mod evaluate;
pub mod expression;
mod facts;
mod fields;
pub mod format;
mod functions;
pub mod grade;
mod lines;
mod parts;
pub mod quantity;
pub mod reading;
pub mod registry;
pub mod run;
mod runs;
pub mod shape;
pub mod skeleton;
mod step;
mod text;
pub mod view;
mod watch;
pub mod words;
pub mod worksheet;
