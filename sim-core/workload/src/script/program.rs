//! The language of scripts: from text to statements.

use sim_ground::rng::Rng;
use sim_ground::text::quoted;

/// Longest time in a statement: four hours, the longest run.
const MAX_NS: u64 = 14_400_000_000_000;
/// Most rounds of a loop.
const MAX_ROUNDS: u64 = 1_000_000_000;
/// How deep loops may stand in each other.
const MAX_DEPTH: usize = 8;

/// A length of time, drawn anew each time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// Always this many ns.
    Fixed(u64),
    /// Exponential with this mean.
    Exponential(u64),
    /// Uniform between the two, both included.
    Uniform(u64, u64),
}

impl Length {
    /// A length in ns, at least 1. A fixed one may have a jitter, which the caller adds.
    pub(super) fn draw(self, rng: &mut Rng) -> u64 {
        match self {
            Self::Fixed(ns) => ns,
            Self::Exponential(mean) => rng.exponential(mean),
            Self::Uniform(least, most) => least + rng.below_u64(most - least + 1),
        }
        .max(1)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Statement {
    Run(Length),
    RunForever,
    Sleep(Length),
    /// Sleeps until the next point of a grid that begins with the thread.
    Every(u64),
    /// As `Every`, but a thread that comes too late begins the grid anew there.
    EveryAnew(u64),
    Yield,
    /// Has a device serve a request, and sleeps until it is served.
    Io(u32, Length),
    /// Waits for a token on a channel.
    Take(u32),
    /// Posts a token, with or without the hint that this thread is about to block.
    Post(u32, bool),
    /// Sleeps until another thread signals this condition.
    WaitOn(u32),
    /// Wakes one thread, or all that wait on this condition.
    Signal(u32),
    Broadcast(u32),
    /// Waits until so many threads are at this barrier.
    Barrier(u32, u32),
    /// Waits until all living threads of the group are here.
    Meet,
    /// Takes a lock. Whether it lends its priority to the holder while it waits.
    Lock(u32, bool),
    Unlock(u32),
    /// Starts a child with the program of this number.
    Fork(usize),
    /// Waits until all children have ended.
    WaitChildren,
    Exec,
    Exit,
    /// Begins so many rounds.
    Loop(u64),
    /// Ends a round; the next one begins at this statement.
    EndOfRound(usize),
}

impl Statement {
    /// Whether time goes on, or another thread has its turn: a program that repeats needs that.
    fn takes_time(self) -> bool {
        matches!(
            self,
            Self::Run(_)
                | Self::RunForever
                | Self::Sleep(_)
                | Self::EveryAnew(_)
                | Self::Yield
                | Self::Io(..)
        )
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) statements: Vec<Statement>,
    pub(super) repeat: bool,
}

/// The programs of children, which `|` separates.
pub(super) fn parse_children(text: &str) -> Result<Vec<Program>, String> {
    text.split('|').map(parse).collect()
}

/// Reads a program; the error names the statement and what is allowed.
pub(super) fn parse(text: &str) -> Result<Program, String> {
    let mut program = Program::default();
    // Where the bodies of open loops begin.
    let mut open: Vec<usize> = Vec::new();
    // Braces separate statements as semicolons do.
    let text = text.replace('{', "{;").replace('}', ";};");
    let parts = text
        .split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    for (i, part) in parts.enumerate() {
        let number = i + 1;
        if program.repeat {
            return Err("repeat must be the last statement".to_owned());
        }
        let statement = match part {
            "repeat" if open.is_empty() => {
                program.repeat = true;
                continue;
            }
            "repeat" => {
                return Err("repeat stands in a loop; it must be the last statement".to_owned());
            }
            "}" => end_of_round(&program, &mut open)?,
            _ => statement(part, number)?,
        };
        program.statements.push(statement);
        if matches!(statement, Statement::Loop(_)) {
            open.push(program.statements.len());
            if open.len() > MAX_DEPTH {
                return Err(format!(
                    "loops stand in each other at most {MAX_DEPTH} deep"
                ));
            }
        }
    }
    if !open.is_empty() {
        return Err("a loop has no } at its end".to_owned());
    }
    if program.repeat && !program.statements.iter().any(|s| s.takes_time()) {
        return Err("a repeated program must run, sleep, yield or use io".to_owned());
    }
    Ok(program)
}

fn end_of_round(program: &Program, open: &mut Vec<usize>) -> Result<Statement, String> {
    let Some(begin) = open.pop() else {
        return Err("a } ends no loop".to_owned());
    };
    let body = &program.statements[begin..];
    if !body.iter().any(|s| s.takes_time()) {
        return Err("a loop must run, sleep, yield or use io".to_owned());
    }
    Ok(Statement::EndOfRound(begin))
}

fn statement(part: &str, number: usize) -> Result<Statement, String> {
    let words: Vec<&str> = part.split_whitespace().collect();
    Ok(match words[..] {
        ["run"] => Statement::RunForever,
        ["run", ref length @ ..] => Statement::Run(length_of(length)?),
        ["sleep", ref length @ ..] => Statement::Sleep(length_of(length)?),
        ["every", t] => Statement::Every(duration(t)?),
        ["every", t, "anew"] => Statement::EveryAnew(duration(t)?),
        ["yield"] => Statement::Yield,
        ["io", n, ref length @ ..] => Statement::Io(channel(n)?, length_of(length)?),
        ["take", n] => Statement::Take(channel(n)?),
        ["post", n] => Statement::Post(channel(n)?, false),
        ["post", n, "sync"] => Statement::Post(channel(n)?, true),
        ["wait", "on", n] => Statement::WaitOn(channel(n)?),
        ["signal", n] => Statement::Signal(channel(n)?),
        ["broadcast", n] => Statement::Broadcast(channel(n)?),
        ["barrier"] => Statement::Meet,
        ["barrier", n, "of", k] => Statement::Barrier(channel(n)?, threads(k)?),
        ["lock", n] => Statement::Lock(channel(n)?, false),
        ["lock", n, "inherit"] => Statement::Lock(channel(n)?, true),
        ["unlock", n] => Statement::Unlock(channel(n)?),
        ["fork"] => Statement::Fork(1),
        ["fork", n] => Statement::Fork(child(n)?),
        ["wait"] => Statement::WaitChildren,
        ["exec"] => Statement::Exec,
        ["exit"] => Statement::Exit,
        ["loop", n, "{"] => Statement::Loop(rounds(n)?),
        ["loop", n] if n.ends_with('{') => Statement::Loop(rounds(n.trim_end_matches('{'))?),
        _ => {
            let got = quoted(part);
            return Err(format!(
                "statement {number} \"{got}\" is none of the right forms of run, sleep, every, yield, io, take, post, wait, signal, broadcast, barrier, lock, unlock, fork, exec, exit, loop, repeat"
            ));
        }
    })
}

/// A whole number of a range; `what` it is, for the message.
fn whole(text: &str, least: u64, most: u64, what: &str) -> Result<u64, String> {
    let number = text.parse::<u64>().ok();
    number
        .filter(|n| (least..=most).contains(n))
        .ok_or_else(|| {
            let got = quoted(text);
            format!("\"{got}\" is not {what} from {least} to {most}")
        })
}

fn small(text: &str, least: u64, most: u64, what: &str) -> Result<u32, String> {
    let number = whole(text, least, most, what)?;
    Ok(u32::try_from(number).unwrap_or(u32::MAX))
}

/// The number of a channel, a condition, a barrier, a lock or a device.
fn channel(text: &str) -> Result<u32, String> {
    small(text, 0, 65_535, "a channel")
}

fn threads(text: &str) -> Result<u32, String> {
    small(text, 1, 4_096, "a number of threads")
}

fn child(text: &str) -> Result<usize, String> {
    Ok(small(text, 1, 64, "a child's program")? as usize)
}

fn rounds(text: &str) -> Result<u64, String> {
    whole(text, 1, MAX_ROUNDS, "a number of rounds")
}

/// `5ms`, `exp 5ms`, or `uniform 1ms 3ms`.
fn length_of(words: &[&str]) -> Result<Length, String> {
    match words {
        ["exp", mean] => Ok(Length::Exponential(duration(mean)?)),
        ["uniform", least, most] => {
            let (from, to) = (duration(least)?, duration(most)?);
            if from > to {
                let (least, most) = (quoted(least), quoted(most));
                return Err(format!(
                    "uniform \"{least}\" \"{most}\": the first time must be the shorter one"
                ));
            }
            Ok(Length::Uniform(from, to))
        }
        [t] => Ok(Length::Fixed(duration(t)?)),
        _ => {
            let text = words.join(" ");
            let got = quoted(&text);
            Err(format!("\"{got}\" is none of: T, exp T, uniform T T"))
        }
    }
}

/// A time such as `5ms` or `2.7ms`, at least 1 ns.
fn duration(text: &str) -> Result<u64, String> {
    parse_duration(text).ok_or_else(|| {
        let got = quoted(text);
        format!("\"{got}\" is not a time from 1ns to 14400s (units ns, us, ms, s)")
    })
}

fn parse_duration(text: &str) -> Option<u64> {
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let digits = text.len() - text.trim_start_matches(is_number).len();
    let factor: u64 = match &text[digits..] {
        "ns" => 1,
        "us" | "µs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        _ => return None,
    };
    let (whole, part) = text[..digits]
        .split_once('.')
        .unwrap_or((&text[..digits], ""));
    let mut ns = whole.parse::<u64>().ok()?.checked_mul(factor)?;
    let mut place = factor;
    for digit in part.chars() {
        // A part of a nanosecond is no time.
        place = place.is_multiple_of(10).then_some(place / 10)?;
        ns = ns.checked_add(u64::from(digit.to_digit(10)?) * place)?;
    }
    (1..=MAX_NS).contains(&ns).then_some(ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_read() {
        let program = parse("run 5ms; sleep 20us; yield; repeat").expect("valid");
        let ms = |n: u64| Length::Fixed(n * 1_000_000);
        assert_eq!(
            program.statements,
            [
                Statement::Run(ms(5)),
                Statement::Sleep(Length::Fixed(20_000)),
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
        let program = parse("lock 7; unlock 7; lock 8 inherit").expect("valid");
        assert_eq!(
            program.statements,
            [
                Statement::Lock(7, false),
                Statement::Unlock(7),
                Statement::Lock(8, true)
            ]
        );
        let program = parse("loop 3 { run exp 2.7ms; loop 2{sleep uniform 1ms 3ms} }; wait on 4")
            .expect("valid");
        assert_eq!(
            program.statements,
            [
                Statement::Loop(3),
                Statement::Run(Length::Exponential(2_700_000)),
                Statement::Loop(2),
                Statement::Sleep(Length::Uniform(1_000_000, 3_000_000)),
                Statement::EndOfRound(3),
                Statement::EndOfRound(1),
                Statement::WaitOn(4),
            ]
        );
    }

    #[test]
    fn a_mistake_is_named_with_what_is_allowed() {
        for (text, told) in [
            ("post 70000", "not a channel from 0 to 65535"),
            ("take 1; post 1; repeat", "must run, sleep, yield or use io"),
            (
                "walk 5ms",
                "statement 1 \"walk 5ms\" is none of the right forms of run",
            ),
            ("run 5", "units ns, us, ms, s"),
            ("run 0.5ns", "not a time from 1ns"),
            ("run 1.2.3ms", "not a time from 1ns"),
            ("run 0ms", "not a time from 1ns"),
            (
                "run uniform 3ms 1ms",
                "the first time must be the shorter one",
            ),
            ("run normal 3ms", "none of: T, exp T, uniform T T"),
            ("repeat; run 1ms", "repeat must be the last statement"),
            ("loop 2 { run 1ms; repeat }", "repeat stands in a loop"),
            ("exit; repeat", "must run, sleep, yield or use io"),
            ("exec; repeat", "must run, sleep, yield or use io"),
            ("every 1ms; repeat", "must run, sleep, yield or use io"),
            ("loop 9 { post 1 }", "a loop must run"),
            ("loop 0 { run 1ms }", "not a number of rounds from 1"),
            ("loop 9 { run 1ms", "has no } at its end"),
            ("run 1ms }", "a } ends no loop"),
            ("barrier 1 of 0", "not a number of threads from 1 to 4096"),
            ("lock 1 inherits", "none of the right forms of run"),
            ("fork 0", "not a child's program from 1 to 64"),
        ] {
            let message = parse(text).expect_err(text);
            assert!(message.contains(told), "{text}: {message}");
        }
        let deep = "loop 2 { ".repeat(9) + "run 1ms" + &" }".repeat(9);
        assert!(parse(&deep).expect_err("deep").contains("at most 8 deep"));
    }

    #[test]
    fn drawn_lengths_stay_within_their_range() {
        let mut rng = Rng::stream(1, "script", 0);
        for _ in 0..1_000 {
            assert!((10..=12).contains(&Length::Uniform(10, 12).draw(&mut rng)));
            assert!(Length::Exponential(3).draw(&mut rng) >= 1);
        }
    }
}
