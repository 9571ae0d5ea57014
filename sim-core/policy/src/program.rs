//! A program as the host calls it, whatever language it is written in.

use crate::hook::Hook;
use crate::moment::{Declared, Shared};
use sim_contract::ProgramError;
use sim_ground::ids::{CpuId, TaskId};

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

/// A program that has been read.
pub trait Program: Send {
    /// What it keeps.
    fn declared(&self) -> &Declared;

    /// Whether it has a function.
    fn has(&self, hook: Hook) -> bool;

    /// The line of a function.
    fn line(&self, hook: Hook) -> u32;

    /// A whole number that it sets under a name, such as `HZ`.
    fn constant(&self, name: &str) -> Option<i64>;

    /// Whether it speaks of the list of all CPUs.
    fn shares_a_list(&self) -> bool;

    /// The moment that its functions see.
    fn moment(&self) -> &Shared;

    /// Calls a function, which may take so many steps where its language counts them.
    ///
    /// # Errors
    /// The program is wrong, and where.
    fn call(&self, hook: Hook, arguments: &[Argument], fuel: u64) -> Result<Reply, ProgramError>;
}

impl Argument {
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

/// A call as it is written in messages: `pick(cpu 3)`.
pub(crate) fn shown(hook: Hook, arguments: &[Argument]) -> String {
    let all: Vec<String> = arguments.iter().map(|a| a.shown()).collect();
    format!("`{}({})`", hook.name(), all.join(", "))
}

impl Reply {
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
