//! A small program written in the scenario: textbook examples, and exact situations for tests.
//!
//! Statements are separated by `;`. Units are ns, us, ms, s.
//! - `run 5ms`, `run` (for ever), `sleep 20us`, `yield`, `exit`.
//! - `fork` starts a child that runs the `child` program.
//! - `exec` starts a new program with the same script: a system may move the thread then.
//! - `take 1` blocks until another script says `post 1`, or `post 1 sync` with the kernel's hint that it is about to
//!   block. All scripts share these numbers.
//! - A final `repeat` starts again from the top.

use super::jitter::{BURST_JITTER, jittered};
use super::{Behaviour, BehaviourInfo, Channel, Phase, TYPICAL, WakeVia, WorkCx};
use sim_ground::params::{ParamSpec, Params};
use sim_ground::text::quoted;

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "script",
    name: "Script",
    summary: "A small program: run 5ms; sleep 20ms; yield; fork; exec; exit; repeat.",
    uses_working_set: false,
    offered: true,
    working_set_bytes: 0,
    class: TYPICAL,
    params: PARAMS,
    make,
};

const PARAMS: &[ParamSpec] = &[
    ParamSpec::text("program", 2_000, "run 5ms; sleep 20ms; repeat")
        .label("program")
        .summary("Statements: run T, run, sleep T, yield, fork, exec, take N, post N, post N sync, exit, repeat (last).")
        .assumed("a choice of the scenario")
        .fixed(),
    ParamSpec::text("child", 2_000, "run 5ms")
        .label("child's program")
        .summary("What a forked child does.")
        .assumed("a choice of the scenario")
        .fixed(),
    BURST_JITTER,
];

/// The port of the channels of all scripts.
const PORT: u16 = u16::MAX;

/// Longest time in a statement: four hours, the longest run.
const MAX_NS: u64 = 14_400_000_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Statement {
    Run(u64),
    RunForever,
    Sleep(u64),
    Yield,
    Fork,
    Exec,
    /// Waits for a token on a channel.
    Take(u32),
    /// Posts a token, with or without the hint that this thread is about to block.
    Post(u32, bool),
    Exit,
}

#[derive(Clone, Debug, Default)]
struct Program {
    statements: Vec<Statement>,
    repeat: bool,
}

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    let parse_param =
        |id: &str| parse(params.get_text(id)).map_err(|message| format!("{id}: {message}"));
    Ok(Box::new(Script {
        program: parse_param("program")?,
        child: parse_param("child")?,
        jitter: params.get_u64(BURST_JITTER.id),
        is_child: false,
        position: 0,
    }))
}

fn parse(text: &str) -> Result<Program, String> {
    let mut program = Program::default();
    for (i, part) in text.split(';').map(str::trim).enumerate() {
        if part.is_empty() {
            continue;
        }
        if program.repeat {
            return Err("repeat must be the last statement".to_owned());
        }
        let mut words = part.split_whitespace();
        let statement = match (words.next(), words.next(), words.next()) {
            (Some("take"), Some(n), None) => Statement::Take(channel(n)?),
            (Some("post"), Some(n), None) => Statement::Post(channel(n)?, false),
            (Some("post"), Some(n), Some("sync")) => Statement::Post(channel(n)?, true),
            (Some("run"), None, None) => Statement::RunForever,
            (Some("run"), Some(t), None) => Statement::Run(duration(t)?),
            (Some("sleep"), Some(t), None) => Statement::Sleep(duration(t)?),
            (Some("yield"), None, None) => Statement::Yield,
            (Some("fork"), None, None) => Statement::Fork,
            (Some("exec"), None, None) => Statement::Exec,
            (Some("exit"), None, None) => Statement::Exit,
            (Some("repeat"), None, None) => {
                program.repeat = true;
                continue;
            }
            _ => {
                return Err(format!(
                    "statement {} \"{}\" is none of: run T, run, sleep T, yield, fork, exec, take N, post N, post N sync, exit, repeat",
                    i + 1,
                    quoted(part)
                ));
            }
        };
        program.statements.push(statement);
    }
    let takes_time = program.statements.iter().any(|s| {
        matches!(
            s,
            Statement::Run(_) | Statement::Sleep(_) | Statement::Yield
        )
    });
    if program.repeat && !takes_time {
        return Err("a repeated program must run, sleep or yield".to_owned());
    }
    Ok(program)
}

/// The number of a channel.
fn channel(text: &str) -> Result<u32, String> {
    let number = text.parse::<u16>().map_err(|_| {
        let got = quoted(text);
        format!("\"{got}\" is not a channel from 0 to 65535")
    });
    number.map(u32::from)
}

/// A time such as `5ms`, at least 1 ns.
fn duration(text: &str) -> Result<u64, String> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let factor = match &text[digits..] {
        "ns" => 1,
        "us" | "µs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        _ => 0,
    };
    text[..digits]
        .parse::<u64>()
        .ok()
        .and_then(|n| n.checked_mul(factor))
        .filter(|ns| (1..=MAX_NS).contains(ns))
        .ok_or_else(|| {
            let got = quoted(text);
            format!("\"{got}\" is not a time from 1ns to 14400s (units ns, us, ms, s)")
        })
}

#[derive(Clone, Debug)]
struct Script {
    program: Program,
    child: Program,
    /// Of what `run T` takes, in thousandths.
    jitter: u64,
    is_child: bool,
    position: usize,
}

impl Behaviour for Script {
    fn forks(&self) -> bool {
        let programs = [&self.program, &self.child];
        let mut statements = programs.into_iter().flat_map(|p| &p.statements);
        statements.any(|s| matches!(s, Statement::Fork))
    }

    fn next(&mut self, cx: &mut WorkCx<'_>) -> Phase {
        let program = if self.is_child {
            &self.child
        } else {
            &self.program
        };
        if self.position >= program.statements.len() {
            if !program.repeat {
                return Phase::Exit;
            }
            self.position = 0;
        }
        let statement = program.statements[self.position];
        self.position += 1;
        match statement {
            Statement::Run(ns) => Phase::Run(jittered(ns, self.jitter, cx.rng)),
            Statement::RunForever => Phase::RunForever,
            Statement::Sleep(ns) => Phase::Sleep {
                ns,
                via: WakeVia::Timer,
            },
            Statement::Yield => Phase::Yield,
            Statement::Take(number) => Phase::Take {
                channel: Channel { port: PORT, number },
                most: 1,
            },
            Statement::Post(number, sync) => Phase::Post {
                channel: Channel { port: PORT, number },
                tokens: 1,
                sync,
            },
            Statement::Exec => Phase::Exec,
            Statement::Exit => Phase::Exit,
            Statement::Fork => Phase::Fork(Box::new(Self {
                is_child: true,
                position: 0,
                ..self.clone()
            })),
        }
    }

    fn save(&self, out: &mut Vec<u64>) {
        out.extend([u64::from(self.is_child), self.position as u64]);
    }

    fn load(&mut self, words: &[u64]) {
        self.is_child = words.first().is_some_and(|w| *w != 0);
        self.position = words
            .get(1)
            .and_then(|w| usize::try_from(*w).ok())
            .unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_read_and_its_mistakes_are_named() {
        let program = parse("run 5ms; sleep 20us; yield; repeat").expect("valid");
        assert_eq!(
            program.statements,
            [
                Statement::Run(5_000_000),
                Statement::Sleep(20_000),
                Statement::Yield
            ]
        );
        assert!(program.repeat);
        let program = parse("take 1; post 2; post 3 sync").expect("valid");
        assert_eq!(
            program.statements,
            [
                Statement::Take(1),
                Statement::Post(2, false),
                Statement::Post(3, true)
            ]
        );
        assert!(
            parse("post 70000")
                .expect_err("too large")
                .contains("65535")
        );
        assert!(
            parse("take 1; post 1; repeat").is_err(),
            "need not take time"
        );
        assert!(parse("walk 5ms").expect_err("unknown").contains("walk"));
        assert!(parse("run 5").expect_err("no unit").contains("units"));
        assert!(parse("repeat; run 1ms").is_err());
        assert!(parse("exit; repeat").is_err(), "would never take time");
        assert!(parse("exec; repeat").is_err(), "would never take time");
    }
}
