//! Lessons: expressions, and steps as a run fills them.

mod changes;
mod expressions;
mod grade;
mod shipped;
mod steps;
mod worksheet;
