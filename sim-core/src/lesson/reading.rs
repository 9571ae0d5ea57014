//! Reads a lesson; errors have their place.

use super::format::{LESSON_FORMAT, Lesson};
use crate::config::validate::{MAX_TEXT, misread};
use crate::error::ConfigError;

/// Reads a lesson.
///
/// # Errors
/// If the text is not a lesson: line, column and what was expected.
pub fn parse(text: &str) -> Result<Lesson, Vec<ConfigError>> {
    if text.len() > MAX_TEXT {
        let message = format!("must be at most {MAX_TEXT} bytes");
        return Err(vec![ConfigError::new("", message)]);
    }
    let lesson: Lesson = serde_json::from_str(text).map_err(|e| vec![misread(&e)])?;
    if lesson.format != LESSON_FORMAT {
        let message = format!("must be {LESSON_FORMAT}, got {}", lesson.format);
        return Err(vec![ConfigError::new("format", message)]);
    }
    Ok(lesson)
}
