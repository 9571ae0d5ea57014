//! Lessons: predict, run, explain.
//!
//! A lesson is data ([`mod@format`]): texts, questions and expressions about the learner's run. Its expressions are those
//! of the measure language ([`sim_measure`]): one parser and one evaluator serve the page, the command line and paper. A number in a text therefore
//! comes from the learner's own run, also after a slider was moved. [`run::LessonRun`] is a lesson with a learner's
//! scenario; [`registry`] lists the lessons of this build.

mod answer;
pub mod changes;
pub mod check;
pub mod difference;
mod fields;
pub mod format;
pub mod grade;
mod lines;
mod parts;
pub mod reading;
pub mod registry;
pub mod run;
pub mod skeleton;
mod source;
mod step;
mod text;
pub mod view;
pub mod words;
pub mod worksheet;
