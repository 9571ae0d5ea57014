//! A program as the host calls it, whatever language it is written in.

use crate::hook::{ALL, Hook};
use crate::moment::{Declared, Shared};
use sim_contract::ProgramError;
use sim_ground::ids::{CpuId, TaskId};

/// Ticks of a second if the program does not say.
const HZ: i64 = 1_000;

/// What a function is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A thread.
    Thread(TaskId),
    /// A CPU.
    Cpu(CpuId),
    /// The list of all CPUs.
    Everyone,
    /// A number.
    Number(i64),
}

/// What a function answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Nothing.
    None,
    /// Yes or no.
    Flag(bool),
    /// A number.
    Number(i64),
    /// A thread.
    Thread(TaskId),
    /// A CPU.
    Cpu(CpuId),
    /// The list of all CPUs.
    Everyone,
    /// Anything else, in words.
    Other(String),
}

/// What is known of a program once it has been read, whatever its language.
#[derive(Debug)]
pub struct Described {
    /// What it keeps.
    pub declared: Declared,
    /// The lines of the functions that it has, in the order of [`ALL`].
    pub lines: [Option<u32>; ALL.len()],
    /// Whole numbers that it sets under a name, such as `HZ`.
    pub constants: Vec<(&'static str, i64)>,
    /// Whether it speaks of the list of all CPUs.
    pub shares_a_list: bool,
    /// Position of the column of threads by which it chooses, if its text says so: its queues are drawn by it.
    pub order: Option<usize>,
    /// The moment that its functions see.
    pub moment: Shared,
}

impl Described {
    /// Whether it has a function.
    #[must_use]
    pub fn has(&self, hook: Hook) -> bool {
        self.lines[hook as usize].is_some()
    }

    /// The line of a function; 1 for one that it does not have.
    #[must_use]
    pub fn line(&self, hook: Hook) -> u32 {
        self.lines[hook as usize].unwrap_or(1)
    }

    /// How often CPUs tick in a second.
    #[must_use]
    pub fn hz(&self) -> i64 {
        self.constant("HZ").unwrap_or(HZ)
    }

    /// A number that it sets under a name.
    #[must_use]
    pub fn constant(&self, name: &str) -> Option<i64> {
        let found = self.constants.iter().find(|c| c.0 == name);
        found.map(|c| c.1)
    }
}

/// A program that has been read.
pub trait Program: Send {
    /// What is known of it.
    fn described(&self) -> &Described;

    /// Calls a function, which may take so many steps where its language counts them.
    ///
    /// # Errors
    /// The program is wrong, and where.
    fn call(&self, hook: Hook, arguments: &[Argument], fuel: u64) -> Result<Reply, ProgramError>;
}

impl Argument {
    /// Whether it is a thread or a CPU. A function that looks at neither cannot tell one from another.
    #[cfg(feature = "starlark")]
    pub(crate) fn is_somebody(&self) -> bool {
        matches!(self, Self::Thread(_) | Self::Cpu(_))
    }

    /// How it is written in messages.
    fn shown(self) -> String {
        match self {
            Self::Thread(task) => format!("{{task {}}}", task.0),
            Self::Cpu(cpu) => format!("cpu {}", cpu.0),
            Self::Everyone => "EVERYONE".to_owned(),
            Self::Number(number) => number.to_string(),
        }
    }
}

/// A call as it is written in messages: `pick(cpu 3)`, in quotes.
pub(crate) fn shown(hook: Hook, arguments: &[Argument]) -> String {
    format!("`{}`", written(hook, arguments))
}

/// A call as it is written: `pick(cpu 3)`.
pub(crate) fn written(hook: Hook, arguments: &[Argument]) -> String {
    let all: Vec<String> = arguments.iter().map(|a| a.shown()).collect();
    format!("{}({})", hook.name(), all.join(", "))
}

impl Reply {
    /// Whether it is a thread or a CPU, such as one that the function was given.
    #[cfg(feature = "starlark")]
    pub(crate) fn is_somebody(&self) -> bool {
        matches!(self, Self::Thread(_) | Self::Cpu(_))
    }

    /// How it is written in messages.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::None => "None".to_owned(),
            Self::Flag(true) => "True".to_owned(),
            Self::Flag(false) => "False".to_owned(),
            Self::Number(number) => number.to_string(),
            Self::Thread(task) => format!("{{task {}}}", task.0),
            Self::Cpu(cpu) => format!("cpu {}", cpu.0),
            Self::Everyone => "EVERYONE".to_owned(),
            Self::Other(what) => what.clone(),
        }
    }
}
