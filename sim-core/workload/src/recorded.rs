//! What a thread of a real machine did, as a trace tells it: runs and sleeps of recorded length, and waits that end when
//! another thread gets to its place.
//!
//! The bursts of a group are one text: those of each thread in turn, with a space between them, as numbers
//! ([`sim_ground::packed`]). Each step is a code, and a number where it needs one.
//!
//! | code | number | step |
//! |---|---|---|
//! | 0 | | ends |
//! | 1 | | yields |
//! | 2 | ns | runs |
//! | 3 | ns | sleeps |
//! | 4 | channel | waits for another thread |
//! | 5 | channel | lets one that waits there go on |
//! | 6 | | sleeps for ever: the trace ended while it slept |
//!
//! A thread whose steps are over goes on running: it did so when the trace ended.

use super::{Behaviour, BehaviourInfo, Channel, Phase, TYPICAL, WakeVia, WorkCx};
use sim_ground::packed;
use sim_ground::params::{ParamSpec, Params};
use std::sync::Arc;

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "recorded",
    name: "Recorded",
    summary: "What a thread of a real machine did, from a trace of it.",
    uses_working_set: false,
    offered: false,
    working_set_bytes: 0,
    class: TYPICAL,
    params: PARAMS,
    make,
};

/// Longest text of bursts: a scenario is at most a little longer.
const LONGEST: u32 = 3_500_000;

const PARAMS: &[ParamSpec] = &[ParamSpec::text("bursts", LONGEST, "")
    .label("recorded bursts")
    .summary("What each thread did, packed; `timeslice import` writes it.")
    .assumed("a recording of the scenario")
    .fixed()];

/// The port of all recorded threads.
const PORT: u16 = u16::MAX - 1;
/// Where those wait whom nobody wakes.
const NOBODY: u32 = u32::MAX - 1;

/// What a thread does, as the codes in bursts say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It ends.
    Exit,
    /// It yields.
    Yield,
    /// It runs for so many ns.
    Run(u64),
    /// It sleeps for so many ns.
    Sleep(u64),
    /// It waits at a channel.
    Take(u32),
    /// It lets one that waits at a channel go on.
    Post(u32),
    /// It sleeps for ever.
    Rest,
}

/// Writes the steps of a thread.
#[must_use]
pub fn write(steps: &[Step]) -> String {
    packed::write(steps.iter().flat_map(|step| {
        let (code, number) = match *step {
            Step::Exit => (0, None),
            Step::Yield => (1, None),
            Step::Run(ns) => (2, Some(ns)),
            Step::Sleep(ns) => (3, Some(ns)),
            Step::Take(channel) => (4, Some(channel.into())),
            Step::Post(channel) => (5, Some(channel.into())),
            Step::Rest => (6, None),
        };
        [Some(code), number].into_iter().flatten()
    }))
}

/// Reads the steps of a thread.
fn read(text: &str) -> Result<Vec<Step>, String> {
    let numbers = packed::read(text).map_err(|at| {
        format!("bursts: the character at {at} of a thread belongs to no list of numbers")
    })?;
    let mut numbers = numbers.into_iter();
    let mut steps = Vec::new();
    while let Some(code) = numbers.next() {
        let mut number = || {
            let number = numbers.next();
            number.ok_or_else(|| format!("bursts: step {} has no number", steps.len()))
        };
        let channel = |number: u64| {
            let channel = u32::try_from(number).ok().filter(|c| *c < NOBODY);
            channel.ok_or_else(|| format!("bursts: a channel must be below {NOBODY}"))
        };
        let step = match code {
            0 => Step::Exit,
            1 => Step::Yield,
            2 => Step::Run(number()?),
            3 => Step::Sleep(number()?),
            4 => Step::Take(channel(number()?)?),
            5 => Step::Post(channel(number()?)?),
            6 => Step::Rest,
            code => return Err(format!("bursts: a step must be from 0 to 6, got {code}")),
        };
        steps.push(step);
    }
    Ok(steps)
}

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    let texts: Vec<&str> = params.get_text("bursts").split(' ').collect();
    let lives: Result<Vec<_>, String> = texts.into_iter().map(read).collect();
    Ok(Box::new(Recorded {
        lives: lives?.into(),
        next: 0,
    }))
}

/// A thread that does again what it did.
#[derive(Debug)]
struct Recorded {
    /// The steps of each thread of the group.
    lives: Arc<[Vec<Step>]>,
    next: usize,
}

impl Behaviour for Recorded {
    fn next(&mut self, cx: &mut WorkCx<'_>) -> Phase {
        let at = |number| Channel { port: PORT, number };
        let own = usize::try_from(cx.number).unwrap_or(0).saturating_sub(1);
        let Some(step) = self.lives.get(own).map(|steps| steps.get(self.next)) else {
            // A thread that was added later has done nothing.
            return Phase::Exit;
        };
        self.next += 1;
        match step.copied() {
            None => Phase::RunForever,
            Some(Step::Exit) => Phase::Exit,
            Some(Step::Yield) => Phase::Yield,
            Some(Step::Run(ns)) => Phase::Run(ns),
            Some(Step::Sleep(ns)) => Phase::Sleep {
                ns: ns.max(1),
                via: WakeVia::Timer,
            },
            Some(Step::Take(channel)) => Phase::Take {
                channel: at(channel),
                most: 1,
            },
            Some(Step::Post(channel)) => Phase::Post {
                channel: at(channel),
                tokens: 1,
                sync: false,
            },
            Some(Step::Rest) => Phase::Await(at(NOBODY)),
        }
    }

    fn save(&self, out: &mut Vec<u64>) {
        out.push(self.next as u64);
    }

    fn load(&mut self, words: &[u64]) {
        let next = words.first().and_then(|w| usize::try_from(*w).ok());
        self.next = next.unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_come_back_from_their_text_and_wrong_ones_are_told() {
        let steps = vec![
            Step::Run(5_000_000),
            Step::Post(3),
            Step::Sleep(0),
            Step::Take(70_000),
            Step::Yield,
            Step::Rest,
            Step::Exit,
        ];
        assert_eq!(read(&write(&steps)), Ok(steps));
        let told = |numbers: &[u64]| read(&packed::write(numbers.iter().copied())).unwrap_err();
        assert!(told(&[1, 7]).contains("0 to 6, got 7"));
        assert!(told(&[1, 2]).contains("step 1 has no number"));
        assert!(told(&[4, 1 << 33]).contains("below"));
    }
}
