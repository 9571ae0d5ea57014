//! Why a trace is refused: the line, what was expected there, and what to do about it.

use serde::Serialize;
use sim_ground::text::visible;
use std::fmt;

/// Characters of a line that a message repeats.
pub const QUOTED: usize = 120;

/// Why a trace is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImportError {
    /// What is wrong, or what was expected.
    pub message: String,
    /// Number of the line, from 1.
    pub line: Option<u64>,
    /// The line, cut to 120 characters.
    pub text: Option<String>,
    /// What to do: mostly a command that records a trace that can be read.
    pub remedy: Option<String>,
}

impl ImportError {
    /// An error of the whole trace. Words of the file that nobody would see are escapes in the message.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: visible(&message.into()),
            line: None,
            text: None,
            remedy: None,
        }
    }

    /// Says in which line it is.
    #[must_use]
    pub fn at(mut self, number: u64, line: &[u8]) -> Self {
        self.line = Some(number);
        self.text = Some(cut(line));
        self
    }

    /// Says what to do about it.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }
}

/// The beginning of a line as a message repeats it, with control characters as escapes.
#[must_use]
pub fn cut(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(4 * QUOTED)]);
    let text = text.trim_end();
    let mut shown: String = text.chars().take(QUOTED).collect();
    if text.chars().nth(QUOTED).is_some() {
        shown.push('…');
    }
    visible(&shown)
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        write!(f, "{}", self.message)?;
        if let Some(text) = &self.text {
            write!(f, "; the line is `{text}`")?;
        }
        if let Some(remedy) = &self.remedy {
            write!(f, ". {remedy}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ImportError {}

#[cfg(test)]
mod tests {
    use crate::workload::Workload;

    #[test]
    fn a_name_in_a_file_that_nobody_sees_is_told_in_escapes() {
        let file = b"timeslice-workload 1\n{\"names\x7f\":true}\n";
        let message = Workload::read(file).expect_err("refused").to_string();
        assert!(message.contains("`names\\u{7f}`"), "{message}");
    }
}
