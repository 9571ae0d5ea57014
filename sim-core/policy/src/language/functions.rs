//! The functions and constants of the language besides those that Python has.

use super::values::{CpuValue, EveryoneValue, Extra, OF_CPUS, OF_THREADS, ThreadValue};
use super::{values, words};
use crate::moment::{Column, Moved, NOTES, Shared, position};
use crate::state::Whereabouts;
use anyhow::{anyhow, bail};
use sim_ground::bounds;
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::text::visible;
use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::none::NoneType;
use starlark::values::tuple::UnpackTuple;
use starlark::values::{UnpackValue, Value, ValueLike};

/// Most characters of a text that a program says.
const TEXT: usize = 200;

/// Columns of a program, all kinds together.
const COLUMNS: usize = 64;

fn shared(eval: &Evaluator<'_, '_, '_>) -> anyhow::Result<Shared> {
    let extra = eval.extra.and_then(|e| e.downcast_ref::<Extra>());
    let extra = extra.ok_or_else(|| anyhow!("there is no lane here"))?;
    Ok(extra.moment.clone())
}

/// The moment, if a function of the program is being called.
fn called(eval: &Evaluator<'_, '_, '_>, name: &str) -> anyhow::Result<Shared> {
    let shared = shared(eval)?;
    if shared.lock().hook.is_none() {
        bail!("`{name}` has no answer before the run: call it in a function");
    }
    Ok(shared)
}

/// A whole number of a parameter.
fn number(name: &str, value: Value<'_>) -> anyhow::Result<i64> {
    values::number(name, value).map_err(starlark::Error::into_anyhow)
}

/// A text of a program, short enough to be shown.
fn short(text: &str) -> String {
    match text.char_indices().nth(TEXT) {
        Some((end, _)) => format!("{}…", visible(&text[..end])),
        None => visible(text),
    }
}

/// A value in a text.
fn shown(value: Value<'_>) -> String {
    short(&value.to_str())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Threads,
    Cpus,
    Lane,
}

/// Adds a number that the program keeps.
fn declare(
    eval: &Evaluator<'_, '_, '_>,
    of: Of,
    name: &str,
    first: Value<'_>,
) -> anyhow::Result<NoneType> {
    let shared = shared(eval)?;
    let mut m = shared.lock();
    let word = match of {
        Of::Threads => "thread_state",
        Of::Cpus => "cpu_state",
        Of::Lane => "state",
    };
    if m.hook.is_some() {
        bail!("`{word}` stands outside of functions, where the program begins");
    }
    let is_name = |name: &str| {
        let mut chars = name.chars();
        chars
            .next()
            .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
            && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if !is_name(name) || name.len() > 40 {
        bail!("a name has letters, digits and _, at most 40, and does not begin with a digit");
    }
    if words::is_reserved(name) {
        bail!("`{name}` is a word of Python: take another name");
    }
    let (what, fixed) = match of {
        Of::Threads => ("a thread", OF_THREADS),
        Of::Cpus => ("a cpu", OF_CPUS),
        Of::Lane => ("", &[][..]),
    };
    if fixed.contains(&name) {
        bail!("{what} has a `{name}` already: take another name");
    }
    let first = number(name, first)?;
    let total: usize = m.declared.counts().iter().sum();
    if total >= COLUMNS {
        bail!("a program keeps at most {COLUMNS} numbers");
    }
    let list = match of {
        Of::Threads => &mut m.declared.thread,
        Of::Cpus => &mut m.declared.cpu,
        Of::Lane => &mut m.declared.lane,
    };
    if position(list, name).is_some() {
        bail!("`{name}` is declared twice");
    }
    list.push(Column {
        name: name.to_owned(),
        first,
    });
    Ok(NoneType)
}

/// Position of a variable of the lane.
fn variable(shared: &Shared, name: &str) -> anyhow::Result<usize> {
    let m = shared.lock();
    position(&m.declared.lane, name).ok_or_else(|| {
        let known: Vec<&str> = m.declared.lane.iter().map(|c| c.name.as_str()).collect();
        if known.is_empty() {
            anyhow!("there is no variable `{name}`: declare it with state(\"{name}\", 0)")
        } else {
            anyhow!(
                "there is no variable `{name}`; there is {}",
                words::list(&known)
            )
        }
    })
}

/// A number of the lane's random stream, from 0 to `n` - 1.
fn draw(shared: &Shared, n: i64) -> anyhow::Result<i64> {
    let most = u64::from(u32::MAX);
    let n = u64::try_from(n).ok().filter(|n| (1..=most).contains(n));
    let n = n.ok_or_else(|| anyhow!("`random(n)` draws from 0 to n - 1: n is from 1 to {most}"))?;
    let n = u32::try_from(n).unwrap_or(u32::MAX);
    Ok(i64::from(shared.lock().rng.below(n)))
}

/// Moves a waiting thread.
fn move_to(shared: &Shared, task: TaskId, to: CpuId) -> anyhow::Result<()> {
    let mut m = shared.lock();
    let may = m.hook.is_some_and(crate::hook::Hook::may_move);
    if !may {
        bail!("`move` is for `balance`, `tick` and `idle`");
    }
    let from = match m.st.threads.get(task.index()).map(|t| t.at) {
        Some(Whereabouts::Waits(cpu)) => Some(cpu),
        Some(Whereabouts::WaitsForAll) => None,
        _ => bail!(
            "`move` is for threads that wait, and {{task {}}} does not: {}",
            task.0,
            m.st.whereabouts(task)
        ),
    };
    if !m.st.thread(task).allowed.contains(to) {
        bail!("{{task {}}} may not use cpu {}", task.0, to.0);
    }
    if from == Some(to) {
        return Ok(());
    }
    m.st.remove(task);
    m.st.insert(task, Some(to), false);
    m.moves.push(Moved { task, from, to });
    Ok(())
}

/// Keeps what is shown in the card.
fn keep(shared: &Shared, text: String) -> anyhow::Result<()> {
    let mut m = shared.lock();
    if m.notes.len() >= NOTES {
        bail!("a call has at most {NOTES} notes");
    }
    m.notes.push(text);
    Ok(())
}

/// Functions and constants.
#[starlark_module]
pub(super) fn all(builder: &mut GlobalsBuilder) {
    /// Declares a number of each thread.
    fn thread_state<'v>(
        #[starlark(require = pos)] name: &str,
        #[starlark(require = pos)] first: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> anyhow::Result<NoneType> {
        declare(eval, Of::Threads, name, first)
    }

    /// Declares a number of each CPU.
    fn cpu_state<'v>(
        #[starlark(require = pos)] name: &str,
        #[starlark(require = pos)] first: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> anyhow::Result<NoneType> {
        declare(eval, Of::Cpus, name, first)
    }

    /// Declares a number of the lane.
    fn state<'v>(
        #[starlark(require = pos)] name: &str,
        #[starlark(require = pos)] first: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> anyhow::Result<NoneType> {
        declare(eval, Of::Lane, name, first)
    }

    /// A number of the lane.
    fn get(
        #[starlark(require = pos)] name: &str,
        eval: &mut Evaluator<'_, '_, '_>,
    ) -> anyhow::Result<i64> {
        let shared = called(eval, "get")?;
        let at = variable(&shared, name)?;
        let m = shared.lock();
        Ok(m.st.variables.get(at).copied().unwrap_or_default())
    }

    /// Changes a number of the lane.
    fn put<'v>(
        #[starlark(require = pos)] name: &str,
        #[starlark(require = pos)] value: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> anyhow::Result<NoneType> {
        let shared = called(eval, "put")?;
        let at = variable(&shared, name)?;
        let value = number(name, value)?;
        if let Some(place) = shared.lock().st.variables.get_mut(at) {
            *place = value;
        }
        Ok(NoneType)
    }

    /// Simulated time, in ns.
    fn now(eval: &mut Evaluator<'_, '_, '_>) -> anyhow::Result<i64> {
        let shared = called(eval, "now")?;
        let now = shared.lock().now;
        Ok(i64::try_from(now).unwrap_or(i64::MAX))
    }

    /// All CPUs.
    fn cpus<'v>(eval: &mut Evaluator<'v, '_, '_>) -> anyhow::Result<Value<'v>> {
        let shared = called(eval, "cpus")?;
        let n = shared.lock().st.cpus.len();
        Ok(values::cpus((0..n).map(CpuId::new), &shared, eval.heap()))
    }

    /// All threads that have started and not ended.
    fn threads<'v>(eval: &mut Evaluator<'v, '_, '_>) -> anyhow::Result<Value<'v>> {
        let shared = called(eval, "threads")?;
        let m = shared.lock();
        let all = m.st.threads.iter().enumerate();
        let all = all.filter(|(_, t)| t.known && !t.ended);
        let all = all.map(|(i, _)| TaskId::new(i));
        Ok(values::threads(all, &shared, eval.heap()))
    }

    /// A random number from 0 to n - 1.
    fn random<'v>(
        #[starlark(require = pos)] n: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> anyhow::Result<i64> {
        let shared = called(eval, "random")?;
        draw(&shared, number("n", n)?)
    }

    /// Says why the answer is what it is.
    fn because<'v>(
        #[starlark(require = pos)] text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> anyhow::Result<NoneType> {
        let shared = called(eval, "because")?;
        let mut said = short(text);
        for (i, value) in values.items.iter().enumerate() {
            said.push_str(if i == 0 { ": " } else { ", " });
            said.push_str(&shown(*value));
        }
        let numbers = values
            .items
            .iter()
            .filter_map(|v| i64::unpack_value(*v).ok()?);
        let mut m = shared.lock();
        m.numbers = numbers.collect();
        m.said = Some(said);
        Ok(NoneType)
    }

    /// Moves a waiting thread to the list of a CPU.
    fn r#move<'v>(
        #[starlark(require = pos)] t: Value<'v>,
        #[starlark(require = pos)] cpu: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> anyhow::Result<NoneType> {
        let shared = called(eval, "move")?;
        let kind = |v: Value<'_>| words::kind(v.get_type());
        let Some(t) = t.downcast_ref::<ThreadValue>() else {
            bail!("`move(t, cpu)` moves a thread, not {}", kind(t));
        };
        let Some(cpu) = cpu.downcast_ref::<CpuValue>() else {
            bail!("`move(t, cpu)` moves to a cpu, not to {}", kind(cpu));
        };
        move_to(&shared, t.task, cpu.cpu)?;
        Ok(NoneType)
    }

    /// Shows a value in the card.
    fn note<'v>(
        #[starlark(require = pos)] x: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> anyhow::Result<NoneType> {
        keep(&called(eval, "note")?, shown(x))?;
        Ok(NoneType)
    }

    /// As `note`.
    fn print<'v>(
        #[starlark(args)] values: UnpackTuple<Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> anyhow::Result<NoneType> {
        let shared = called(eval, "print")?;
        let all: Vec<String> = values.items.iter().map(|v| shown(*v)).collect();
        keep(&shared, short(&all.join(" ")))?;
        Ok(NoneType)
    }

    /// The whole part of a logarithm.
    fn log2<'v>(#[starlark(require = pos)] x: Value<'v>) -> anyhow::Result<i64> {
        let x = number("x", x)?;
        let x = u64::try_from(x).ok().filter(|x| *x > 0);
        let x = x.ok_or_else(|| anyhow!("`log2(x)` is of numbers above 0"))?;
        Ok(i64::from(x.ilog2()))
    }

    /// A number, or the nearest end of a range.
    fn clamp<'v>(
        #[starlark(require = pos)] x: Value<'v>,
        #[starlark(require = pos)] least: Value<'v>,
        #[starlark(require = pos)] most: Value<'v>,
    ) -> anyhow::Result<i64> {
        let (x, least, most) = (
            number("x", x)?,
            number("least", least)?,
            number("most", most)?,
        );
        if least > most {
            bail!("`clamp(x, least, most)`: {least} is more than {most}");
        }
        Ok(x.clamp(least, most))
    }

    /// The sum of whole numbers.
    fn sum<'v>(
        #[starlark(require = pos)] values: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<i64> {
        let mut total = 0_i64;
        for value in values.iterate(eval.heap())? {
            let more = values::number("sum", value)?;
            total = total.checked_add(more).ok_or_else(|| {
                starlark::Error::new_native(anyhow!("`sum` holds 64 bits, and this is more"))
            })?;
        }
        Ok(total)
    }
}

/// Constants: times in ns, and the list of all CPUs.
pub(super) fn constants(builder: &mut GlobalsBuilder) {
    builder.set("ns", 1);
    builder.set("us", 1_000);
    builder.set("ms", 1_000_000);
    builder.set("s", 1_000_000_000);
    builder.set("EVERYONE", EveryoneValue);
}

/// Longest program that is read.
pub(super) fn is_too_long(source: &str) -> bool {
    !bounds::PROGRAM.holds(source.len())
}
