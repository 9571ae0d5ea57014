//! The functions and constants of the language besides those that Python has.

use super::growth::text_of;
use super::values;
use super::values::{CpuValue, EveryoneValue, Extra, Here, ThreadValue, number};
use crate::moment::Shared;
use crate::words;
use crate::world::{self, Of, TIMES};
use anyhow::{Error, anyhow, bail};
use sim_ground::bounds;
use starlark::environment::GlobalsBuilder;
use starlark::eval::Evaluator;
use starlark::starlark_module;
use starlark::values::none::NoneType;
use starlark::values::tuple::UnpackTuple;
use starlark::values::{UnpackValue, Value, ValueLike};

fn here(eval: &Evaluator<'_, '_, '_>) -> anyhow::Result<Here> {
    let extra = eval.extra.and_then(|e| e.downcast_ref::<Extra>());
    Ok(extra.ok_or_else(|| anyhow!("there is no lane here"))?.here)
}

fn shared(eval: &Evaluator<'_, '_, '_>) -> anyhow::Result<&'static Shared> {
    Ok(&here(eval)?.as_ref().shared)
}

/// Adds a number that the program keeps.
fn declare(
    eval: &Evaluator<'_, '_, '_>,
    of: Of,
    name: &str,
    first: Value<'_>,
) -> anyhow::Result<NoneType> {
    let declared = shared(eval)?.declare(of, name, || number(name, first));
    declared.map_err(Error::msg)?;
    Ok(NoneType)
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
        shared(eval)?.get(name).map_err(Error::msg)
    }

    /// Changes a number of the lane.
    fn put<'v>(
        #[starlark(require = pos)] name: &str,
        #[starlark(require = pos)] value: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> anyhow::Result<NoneType> {
        let put = shared(eval)?.put(name, || number(name, value));
        put.map_err(Error::msg)?;
        Ok(NoneType)
    }

    /// Simulated time, in ns.
    fn now(eval: &mut Evaluator<'_, '_, '_>) -> anyhow::Result<i64> {
        shared(eval)?.now().map_err(Error::msg)
    }

    /// All CPUs.
    fn cpus<'v>(eval: &mut Evaluator<'v, '_, '_>) -> anyhow::Result<Value<'v>> {
        let all = shared(eval)?.cpus().map_err(Error::msg)?;
        Ok(values::cpus(all, here(eval)?, eval.heap()))
    }

    /// All threads that have started and not ended.
    fn threads<'v>(eval: &mut Evaluator<'v, '_, '_>) -> anyhow::Result<Value<'v>> {
        let all = shared(eval)?.threads().map_err(Error::msg)?;
        Ok(values::threads(all, here(eval)?, eval.heap()))
    }

    /// A random number from 0 to n - 1.
    fn random<'v>(
        #[starlark(require = pos)] n: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> anyhow::Result<i64> {
        let shared = shared(eval)?;
        let drawn = number("n", n).and_then(|n| shared.random(n));
        drawn.map_err(Error::msg)
    }

    /// Says why the answer is what it is.
    fn because<'v>(
        #[starlark(require = pos)] text: &str,
        #[starlark(args)] values: UnpackTuple<Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> anyhow::Result<NoneType> {
        let all = || values.items.iter().map(|v| text_of(*v)).collect();
        let numbers = values.items.iter();
        let numbers = numbers.filter_map(|v| i64::unpack_value(*v).ok()?);
        let said = shared(eval)?.because(text, all, numbers);
        said.map_err(Error::msg)?;
        Ok(NoneType)
    }

    /// Moves a waiting thread to the list of a CPU.
    fn r#move<'v>(
        #[starlark(require = pos)] t: Value<'v>,
        #[starlark(require = pos)] cpu: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> anyhow::Result<NoneType> {
        let shared = shared(eval)?;
        shared.called("move").map_err(Error::msg)?;
        let kind = |v: Value<'_>| words::kind(v.get_type());
        let Some(t) = t.downcast_ref::<ThreadValue>() else {
            bail!("`move(t, cpu)` moves a thread, not {}", kind(t));
        };
        let Some(cpu) = cpu.downcast_ref::<CpuValue>() else {
            bail!("`move(t, cpu)` moves to a cpu, not to {}", kind(cpu));
        };
        shared.move_to(t.task, cpu.cpu).map_err(Error::msg)?;
        Ok(NoneType)
    }

    /// Shows a value in the card.
    fn note<'v>(
        #[starlark(require = pos)] x: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> anyhow::Result<NoneType> {
        let noted = shared(eval)?.note("note", || text_of(x));
        noted.map_err(Error::msg)?;
        Ok(NoneType)
    }

    /// As `note`.
    fn print<'v>(
        #[starlark(args)] values: UnpackTuple<Value<'v>>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> anyhow::Result<NoneType> {
        let all = || {
            let all: Vec<String> = values.items.iter().map(|v| text_of(*v)).collect();
            all.join(" ")
        };
        let noted = shared(eval)?.note("print", all);
        noted.map_err(Error::msg)?;
        Ok(NoneType)
    }

    /// The whole part of a logarithm.
    fn log2<'v>(#[starlark(require = pos)] x: Value<'v>) -> anyhow::Result<i64> {
        number("x", x).and_then(world::log2).map_err(Error::msg)
    }

    /// A number, or the nearest end of a range.
    fn clamp<'v>(
        #[starlark(require = pos)] x: Value<'v>,
        #[starlark(require = pos)] least: Value<'v>,
        #[starlark(require = pos)] most: Value<'v>,
    ) -> anyhow::Result<i64> {
        let all = [("x", x), ("least", least), ("most", most)].map(|(n, v)| number(n, v));
        let [x, least, most] = all;
        let end = (|| world::clamp(x?, least?, most?))();
        end.map_err(Error::msg)
    }

    /// The sum of whole numbers.
    fn sum<'v>(
        #[starlark(require = pos)] values: Value<'v>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<i64> {
        let mut total = 0_i64;
        for value in values.iterate(eval.heap())? {
            let more = number("sum", value).map_err(values::native)?;
            let sum = total.checked_add(more);
            let too_much = || "`sum` holds 64 bits, and this is more".to_owned();
            total = sum.ok_or_else(too_much).map_err(values::native)?;
        }
        Ok(total)
    }
}

/// Constants: times in ns, and the list of all CPUs.
pub(super) fn constants(builder: &mut GlobalsBuilder) {
    for (name, ns) in TIMES {
        builder.set(name, ns);
    }
    builder.set("EVERYONE", EveryoneValue);
}

/// Longest program that is read.
pub(super) fn is_too_long(source: &str) -> bool {
    !bounds::PROGRAM.holds(source.len())
}
