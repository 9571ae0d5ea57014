//! Lessons: expressions, and steps with the values of a run.

mod changes;
mod expressions;
mod grade;
mod shipped;
mod steps;
mod worksheet;
