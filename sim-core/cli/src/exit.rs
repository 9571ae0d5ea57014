//! Exit codes.

/// How the program ends; the number is its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All is well; for `claims`: all that were named hold.
    Good = 0,
    /// A claim does not hold, nothing was found to stop at, a table of answers differs from its runs, or a program does
    /// not pass an exercise.
    Bad = 1,
    /// The input or the call is wrong.
    Wrong = 2,
}

impl Exit {
    /// Good, or bad.
    pub(crate) const fn good(is_good: bool) -> Self {
        if is_good { Self::Good } else { Self::Bad }
    }

    /// The exit code, 0 to 2.
    #[must_use]
    pub const fn code(self) -> u8 {
        self as u8
    }
}
