//! A small program written in the scenario: textbook examples, exact situations for tests, and programs that people know.
//!
//! Statements are separated by `;`. Units are ns, us, ms, s; a time may have a decimal point (`2.7ms`). Where a time stands,
//! `exp 5ms` draws one of that mean, and `uniform 1ms 3ms` one between the two.
//! - `run 5ms`, `run` (for ever), `sleep 20us`, `yield`, `exit`.
//! - `every 16667us` sleeps until the next point of a grid that begins with the thread. A thread that comes too late has
//!   missed a deadline; it goes on at once, and the grid stays. With `every 16667us anew` the grid begins anew there.
//! - `io 1 4ms` has device 1 serve a request that takes this long, and sleeps until that is done. A device serves one
//!   request at a time, first come first served.
//! - `take 1` blocks until another script says `post 1`, or `post 1 sync` with the kernel's hint that it is about to
//!   block.
//! - `wait on 1` blocks until another script says `signal 1`, which wakes the first, or `broadcast 1`, which wakes all. Who
//!   is not waiting yet misses it.
//! - `barrier 1 of 4` blocks until four threads are there; `barrier` until all living threads of the group are.
//! - `lock 1`, `unlock 1`: who unlocks hands the lock to the first that waits. A thread that ends does so, too.
//! - `lock 1 inherit`: a thread that waits lends its priority to the holder, where its system does that, and the best
//!   of those that wait is the first.
//! - `fork` starts a child that runs the `child` program; of several, which `|` separates, `fork 2` starts the second.
//!   `wait` blocks until all its children have ended.
//! - `exec` starts a new program with the same script: a system may move the thread then.
//! - `loop 10 { run 1ms; sleep 2ms }` goes round ten times. A final `repeat` starts again from the top.
//!
//! All scripts of a scenario share channels, conditions, barriers, locks and devices, each with numbers of its own.

mod program;

use super::jitter::{BURST_JITTER, jittered};
use super::{Behaviour, BehaviourInfo, Channel, Phase, TYPICAL, WakeVia, WorkCx};
use program::{Length, Program, Statement, parse, parse_children};
use sim_ground::params::{ParamSpec, Params};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "script",
    name: "Script",
    summary: "A small program: run 5ms; sleep 20ms; every 16ms; take 1; post 1; lock 1; fork; repeat.",
    uses_working_set: false,
    offered: true,
    working_set_bytes: 0,
    class: TYPICAL,
    params: PARAMS,
    make,
};

const PARAMS: &[ParamSpec] = &[
    ParamSpec::text("program", 20_000, "run 5ms; sleep 20ms; repeat")
        .label("program")
        .summary("Statements: run T, sleep T, every T, io N T, take N, post N, lock N, fork, repeat. The manual lists all.")
        .assumed("a choice of the scenario")
        .fixed(),
    ParamSpec::text("child", 20_000, "run 5ms")
        .label("child's program")
        .summary("What a forked child does. | separates several programs; fork 2 starts the second.")
        .assumed("a choice of the scenario")
        .fixed(),
    BURST_JITTER,
];

/// The port of all that scripts share.
const PORT: u16 = u16::MAX;

/// What scripts share: each kind has numbers of its own.
#[derive(Clone, Copy)]
enum Shared {
    Tokens,
    Condition,
    Barrier,
    Lock,
    Device,
}

impl Shared {
    fn at(self, number: u32) -> Channel {
        Channel {
            port: PORT,
            number: ((self as u32) << 16) + number,
        }
    }
}

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    Ok(Box::new(Script::new(
        params.get_text("program"),
        params.get_text("child"),
        params.get_u64(BURST_JITTER.id),
    )?))
}

/// A thread that follows a program.
#[derive(Clone, Debug)]
pub(super) struct Script {
    /// The program of the thread that the scenario names; then those of children.
    programs: Vec<Program>,
    /// Of what `run T` takes, in thousandths.
    jitter: u64,
    /// Which program it follows.
    own: usize,
    position: usize,
    /// Rounds that are left of each loop that it is in, the outermost first.
    rounds: Vec<u64>,
    /// How far it is on the grid of each period, in ns from its start, at the place of the first `every` with it.
    passed: Vec<u64>,
}

impl Script {
    /// A script from its texts; the error names the wrong parameter.
    pub(super) fn new(program: &str, child: &str, jitter: u64) -> Result<Self, String> {
        let wrong = |id: &str, message: String| format!("{id}: {message}");
        let mut programs = vec![parse(program).map_err(|m| wrong("program", m))?];
        programs.extend(parse_children(child).map_err(|m| wrong("child", m))?);
        let children = programs.len() - 1;
        for statement in programs.iter().flat_map(|p| &p.statements) {
            if let Statement::Fork(n) = statement
                && *n > children
            {
                return Err(format!(
                    "program: fork {n}, but the parameter child has {children} programs"
                ));
            }
        }
        Ok(Self {
            programs,
            jitter,
            own: 0,
            position: 0,
            rounds: Vec::new(),
            passed: Vec::new(),
        })
    }

    /// The next statement, after those that only lead to it.
    fn statement(&mut self) -> Option<Statement> {
        loop {
            let program = &self.programs[self.own];
            if self.position >= program.statements.len() {
                if !program.repeat {
                    return None;
                }
                self.position = 0;
            }
            let statement = program.statements[self.position];
            self.position += 1;
            match statement {
                Statement::Loop(rounds) => self.rounds.push(rounds),
                Statement::EndOfRound(begin) => match self.rounds.last_mut() {
                    Some(left) if *left > 1 => {
                        *left -= 1;
                        self.position = begin;
                    }
                    _ => {
                        self.rounds.pop();
                    }
                },
                other => return Some(other),
            }
        }
    }

    /// The next point of the grid of a period, which all equal statements share. A late thread begins it `anew`.
    fn next_point(&mut self, statement: Statement, cx: &WorkCx<'_>) -> u64 {
        let (period, anew) = match statement {
            Statement::EveryAnew(period) => (period, true),
            Statement::Every(period) => (period, false),
            _ => (0, false),
        };
        let statements = &self.programs[self.own].statements;
        let grid = statements.iter().position(|s| *s == statement).unwrap_or(0);
        if self.passed.len() <= grid {
            self.passed.resize(grid + 1, 0);
        }
        let point = self.passed[grid].saturating_add(period);
        let now = cx.now_ns.saturating_sub(cx.started_ns);
        self.passed[grid] = if anew { point.max(now) } else { point };
        cx.started_ns.saturating_add(point)
    }
}

impl Behaviour for Script {
    fn forks(&self) -> bool {
        let mut statements = self.programs.iter().flat_map(|p| &p.statements);
        statements.any(|s| matches!(s, Statement::Fork(_)))
    }

    fn lends(&self) -> bool {
        let mut statements = self.programs.iter().flat_map(|p| &p.statements);
        statements.any(|s| matches!(s, Statement::Lock(_, true)))
    }

    fn next(&mut self, cx: &mut WorkCx<'_>) -> Phase {
        let Some(statement) = self.statement() else {
            return Phase::Exit;
        };
        match statement {
            Statement::Run(Length::Fixed(ns)) => Phase::Run(jittered(ns, self.jitter, cx.rng)),
            Statement::Run(length) => Phase::Run(length.draw(cx.rng)),
            Statement::RunForever => Phase::RunForever,
            Statement::Sleep(length) => Phase::Sleep {
                ns: length.draw(cx.rng),
                via: WakeVia::Timer,
            },
            Statement::Every(_) | Statement::EveryAnew(_) => Phase::Until {
                at_ns: self.next_point(statement, cx),
            },
            Statement::Yield => Phase::Yield,
            Statement::Io(device, length) => Phase::Io {
                device: Shared::Device.at(device),
                ns: length.draw(cx.rng),
            },
            Statement::Take(number) => Phase::Take {
                channel: Shared::Tokens.at(number),
                most: 1,
            },
            Statement::Post(number, sync) => Phase::Post {
                channel: Shared::Tokens.at(number),
                tokens: 1,
                sync,
            },
            Statement::WaitOn(number) => Phase::Await(Shared::Condition.at(number)),
            Statement::Signal(number) => Phase::Wake {
                channel: Shared::Condition.at(number),
                most: 1,
            },
            Statement::Broadcast(number) => Phase::Wake {
                channel: Shared::Condition.at(number),
                most: u32::MAX,
            },
            Statement::Barrier(number, threads) => Phase::MeetAt {
                channel: Shared::Barrier.at(number),
                threads,
            },
            Statement::Meet => Phase::Meet,
            Statement::Lock(number, lends) => Phase::Lock {
                channel: Shared::Lock.at(number),
                lends,
            },
            Statement::Unlock(number) => Phase::Unlock(Shared::Lock.at(number)),
            Statement::Exec => Phase::Exec,
            Statement::Exit => Phase::Exit,
            Statement::WaitChildren => Phase::WaitChildren,
            Statement::Fork(child) => Phase::Fork(Box::new(Self {
                own: child,
                position: 0,
                rounds: Vec::new(),
                passed: Vec::new(),
                ..self.clone()
            })),
            Statement::Loop(_) | Statement::EndOfRound(_) => {
                unreachable!("they lead to a statement")
            }
        }
    }

    fn save(&self, out: &mut Vec<u64>) {
        out.extend([
            self.own as u64,
            self.position as u64,
            self.rounds.len() as u64,
        ]);
        out.extend(&self.rounds);
        out.extend(&self.passed);
    }

    fn load(&mut self, words: &[u64]) {
        let number = |i: usize| {
            words
                .get(i)
                .and_then(|w| usize::try_from(*w).ok())
                .unwrap_or(0)
        };
        self.own = number(0).min(self.programs.len() - 1);
        self.position = number(1);
        let rest = words.get(3..).unwrap_or_default();
        let (rounds, passed) = rest.split_at(number(2).min(rest.len()));
        self.rounds = rounds.to_vec();
        self.passed = passed.to_vec();
    }
}
