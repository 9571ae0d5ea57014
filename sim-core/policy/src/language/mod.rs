//! Programs in Python's syntax, as Starlark: no loops without end, no recursion without end, no clock, nothing outside.

mod functions;
mod growth;
mod session;
mod source;
mod steps;
mod values;
mod words;
mod written_out;

use crate::hook::{ALL, Hook};
use crate::moment::{Shared, position};
use crate::program::{Argument, Described, Program, Reply};
use crate::words as said;
use sim_contract::ProgramError;
use starlark::environment::{FrozenModule, Globals, GlobalsBuilder, Module};
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect, DialectTypes};
use starlark::values::{FrozenHeapName, UnpackValue, Value, ValueLike};
use std::sync::{Arc, LazyLock, OnceLock};
use values::{CpuValue, EveryoneValue, Extra, Here, MomentValue, ThreadValue};
use written_out::Origin;

/// Steps that a call may always take, whoever waits.
const FEW: u64 = 1_000;

/// The name of programs in the language's own messages.
const NAME: &str = "policy.py";

/// Steps that reading a program may take.
const READING: u64 = 20_000;

/// Deepest nesting of calls.
const DEPTH: usize = 32;

/// Calls on the stack: the innermost function may use an operator, which is a call, too.
const STACK: usize = DEPTH + 1;

/// Largest memory of the values of a call, in bytes, as far as the language counts it: entries of dictionaries are not
/// among them, and an entry of a list takes half as much in WebAssembly as elsewhere.
const MEMORY: usize = 4 << 20;

/// Memory at which the language itself stops a call. It counts what it reserved ahead, which may be more than twice of what
/// values take.
const RESERVED: usize = 4 * MEMORY;

const DIALECT: Dialect = Dialect {
    enable_load: false,
    enable_types: DialectTypes::Disable,
    ..Dialect::Extended
};

/// A program that has been read.
pub(crate) struct Starlark {
    functions: Arc<session::Functions>,
    described: Described,
    here: Here,
    /// Answers of functions that looked at nothing: `return 3 * ms` answers the same each time.
    settled: [OnceLock<Reply>; ALL.len()],
}

/// What programs find besides their own names: the same for all.
static GLOBALS: LazyLock<Globals> = LazyLock::new(|| {
    GlobalsBuilder::standard()
        .with(functions::all)
        .with(growth::all)
        .with(functions::constants)
        .build()
});

/// An error of a place.
fn wrong(line: u32, column: u32, sentence: impl Into<String>) -> ProgramError {
    let sentence = sentence.into();
    ProgramError {
        line,
        column,
        sentence,
    }
}

impl Starlark {
    /// Reads a program.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub(crate) fn read(source: &str) -> Result<Self, ProgramError> {
        if functions::is_too_long(source) {
            return Err(wrong(1, 1, "a program has at most 16,384 bytes"));
        }
        source::check(source)?;
        let moment = Shared::new();
        let told = |e: starlark::Error, origin| words::told(&e, origin, &moment, (1, 1));
        let same = Origin::default();
        let parse = |text| AstModule::parse(NAME, text, &DIALECT).map_err(|e| told(e, &same));
        let (ast, origin) = growth::bounded(source, parse)?;
        let (module, here) = Module::with_temp_heap(|module| {
            let shared = moment.clone();
            let here = module.frozen_heap().alloc(MomentValue { shared });
            let here = Here::new(here).expect("invariant: a value has its own type");
            let extra = Extra { here };
            {
                let mut eval = Evaluator::new(&module);
                // Each is set once, to a number above 0: then none is refused.
                let _ = eval.set_max_tick_count(READING);
                let _ = eval.set_max_callstack_size(STACK);
                let _ = eval.set_max_heap_size(MEMORY);
                eval.extra = Some(&extra);
                eval.eval_module(ast, &GLOBALS)
                    .map_err(|e| told(e, &origin))?;
            }
            let names = module.names().map(|name| name.as_str().to_owned());
            let names = names.filter(|name| !written_out::is_ours(name));
            let constants: Vec<Value<'_>> = names.filter_map(|name| module.get(&name)).collect();
            if !growth::are_plain(constants.into_iter()) {
                return Err(wrong(1, 1, words::Limit::Constants.sentence()));
            }
            let name = FrozenHeapName::User(Box::new(NAME.to_owned()));
            let frozen = module.freeze_named(name);
            let frozen = frozen.map_err(|e| wrong(1, 1, e.err_msg.clone()))?;
            Ok((frozen, here))
        })?;
        let declared = moment.declared();
        let order = source::chooses_by(source, "pick");
        let order = order.and_then(|name| position(&declared.thread, &name));
        let mut read = Self {
            functions: Arc::default(),
            described: Described {
                declared,
                lines: [None; ALL.len()],
                constants: Vec::new(),
                shares_a_list: source::speaks_of(source, "EVERYONE"),
                order,
                moment,
            },
            here,
            settled: [const { OnceLock::new() }; ALL.len()],
        };
        read.find_functions(&module, source, origin)?;
        read.find_constants(&module, source)?;
        Ok(read)
    }

    fn find_functions(
        &mut self,
        module: &FrozenModule,
        source: &str,
        origin: Origin,
    ) -> Result<(), ProgramError> {
        let names: Vec<String> = module.names().map(|n| n.as_str().to_owned()).collect();
        let mut functions = session::Functions {
            origin,
            ..Default::default()
        };
        for (i, (hook, name, parameters)) in ALL.iter().enumerate() {
            let Ok(Some(value)) = module.get_option(name) else {
                continue;
            };
            let (line, column) = source::definition(source, name);
            let Some(spec) = value.value().parameters_spec() else {
                return Err(wrong(line, column, said::no_function(name)));
            };
            if !spec.can_fill_with_args(parameters.len(), &[]) {
                return Err(wrong(line, column, said::called_as(name, parameters)));
            }
            self.described.lines[*hook as usize] = Some(line);
            functions.of[i] = Some(value);
        }
        self.functions = Arc::new(functions);
        if !self.described.has(Hook::Pick) {
            let (message, close) = said::no_pick(names.iter().map(String::as_str));
            let (line, column) = close.map_or((1, 1), |n| source::definition(source, n));
            return Err(wrong(line, column, message));
        }
        Ok(())
    }

    fn find_constants(&mut self, module: &FrozenModule, source: &str) -> Result<(), ProgramError> {
        for (name, least, most, unit, function) in said::CONSTANTS {
            let Ok(Some(value)) = module.get_option(name) else {
                continue;
            };
            let (line, column) = source::definition(source, name);
            let number = i64::unpack_value(value.value()).ok().flatten();
            let Some(number) = number.filter(|n| (least..=most).contains(n)) else {
                let got = growth::repr_of(value.value());
                let message = said::outside(name, least, most, unit, &got);
                return Err(wrong(line, column, message));
            };
            if !self.described.has(function) {
                return Err(wrong(line, column, said::without(name, function)));
            }
            self.described.constants.push((name, number));
        }
        Ok(())
    }
}

impl Program for Starlark {
    fn described(&self) -> &Described {
        &self.described
    }

    fn call(&self, hook: Hook, arguments: &[Argument], fuel: u64) -> Result<Reply, ProgramError> {
        let moment = &self.described.moment;
        let settled = &self.settled[hook as usize];
        if let Some(reply) = settled.get().filter(|_| !moment.is_asked()) {
            return Ok(reply.clone());
        }
        let call = session::Call {
            hook,
            arguments: std::array::from_fn(|i| arguments.get(i).copied()),
            fuel,
            line: self.described.line(hook),
        };
        let outcome = session::call(&self.functions, self.here, call);
        let reply = outcome.reply?;
        let same = !moment.lock().looked && outcome.steps <= FEW;
        if same && arguments.iter().all(Argument::is_somebody) && !reply.is_somebody() {
            // Whoever sets it sets the same.
            let _ = settled.set(reply.clone());
        }
        Ok(reply)
    }
}

fn reply(value: Value<'_>) -> Reply {
    if value.is_none() {
        Reply::None
    } else if let Some(flag) = value.unpack_bool() {
        Reply::Flag(flag)
    } else if let Some(t) = value.downcast_ref::<ThreadValue>() {
        Reply::Thread(t.task)
    } else if let Some(c) = value.downcast_ref::<CpuValue>() {
        Reply::Cpu(c.cpu)
    } else if value.downcast_ref::<EveryoneValue>().is_some() {
        Reply::Everyone
    } else if let Ok(Some(number)) = i64::unpack_value(value) {
        Reply::Number(number)
    } else {
        Reply::Other(said::kind(value.get_type()).to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_ground::ids::{CpuId, TaskId};

    const PICK: &str = "def pick(cpu):\n    return None\n\n";

    fn read(source: &str) -> Starlark {
        Starlark::read(&format!("{PICK}{source}")).expect("readable")
    }

    /// What a function answers, with what the host does around a call.
    fn ask(program: &Starlark, hook: Hook, arguments: &[Argument]) -> Result<Reply, ProgramError> {
        let mut m = program.described.moment.lock();
        m.hook = Some(hook);
        m.looked = false;
        drop(m);
        program.call(hook, arguments, 20_000)
    }

    fn thread(n: u32) -> Argument {
        Argument::Thread(TaskId(n))
    }

    #[test]
    fn only_what_looks_at_nothing_is_settled() {
        let program = read("def slice(t):\n    return 3 * ms\n");
        for n in [1, 10] {
            let reply = ask(&program, Hook::Slice, &[thread(n)]);
            assert_eq!(reply, Ok(Reply::Number(3_000_000)));
        }
        assert!(program.settled[Hook::Slice as usize].get().is_some());

        // The text of a thread has its number.
        let program = read("def slice(t):\n    return len(str(t))\n");
        for (n, length) in [(1, 8), (10, 9)] {
            let reply = ask(&program, Hook::Slice, &[thread(n)]);
            assert_eq!(reply, Ok(Reply::Number(length)));
        }
        let program = read("def slice(t):\n    return now() + random(9)\n");
        assert!(ask(&program, Hook::Slice, &[thread(1)]).is_ok());
        assert!(program.settled[Hook::Slice as usize].get().is_none());

        // What a function was given is another one next time.
        let program = read("def ran(t, time):\n    return time\n\ndef place(t):\n    return t\n");
        for n in [3, 4] {
            let time = Argument::Number(i64::from(n));
            let ran = ask(&program, Hook::Ran, &[thread(n), time]);
            assert_eq!(ran, Ok(Reply::Number(n.into())));
            let placed = ask(&program, Hook::Place, &[thread(n)]);
            assert_eq!(placed, Ok(Reply::Thread(TaskId(n))));
        }
    }

    #[test]
    fn steps_and_memory_are_those_of_a_call_whatever_came_before() {
        let loops = "def ran(t, time):\n    for i in range(time):\n        pass\n\n";
        let list = "def renice(t, old):\n    return len([[0] * 16000 for i in range(old)])\n\n";
        let ran = |program: &Starlark, steps: i64| {
            ask(program, Hook::Ran, &[thread(1), Argument::Number(steps)])
        };
        for before in [0, 1, 700, 999, 19_000] {
            let program = read(loops);
            assert_eq!(ran(&program, before), Ok(Reply::None));
            for _ in 0..3 {
                assert_eq!(ran(&program, 19_990), Ok(Reply::None));
            }
            let told = ran(&program, 20_001).expect_err("too many");
            assert_eq!(
                (told.line, told.sentence.as_str()),
                (4, words::Limit::Steps.sentence())
            );
            assert_eq!(ran(&program, before), Ok(Reply::None), "after it");
        }
        let program = read(list);
        for _ in 0..9 {
            let reply = ask(&program, Hook::Renice, &[thread(1), Argument::Number(12)]);
            assert_eq!(reply, Ok(Reply::Number(12)));
        }
        // Lists of 4 MB and what stands around them: the last one that is small enough, after whatever came before.
        let renice = |program: &Starlark, n: i64| {
            ask(program, Hook::Renice, &[thread(1), Argument::Number(n)])
        };
        for before in [0, 1, 3, 7, 30] {
            for (n, fits) in [(32, true), (33, false)] {
                let program = read(list);
                for _ in 0..before {
                    assert!(renice(&program, before).is_ok());
                }
                let told = renice(&program, n).map_err(|e| (e.line, e.sentence));
                let too_large = (4, words::Limit::Memory.sentence().to_owned());
                let wanted = if fits {
                    Ok(Reply::Number(n))
                } else {
                    Err(too_large)
                };
                assert_eq!(told, wanted, "{n} after {before}");
            }
        }
    }

    #[test]
    fn an_index_was_worked_out_twice() {
        let text = "def slice(t):
    items = [1, 2, 3]
    calls = [0]
    def next():
        calls[0] += 1
        return calls[0]
    items[next()] *= 5
    items[next()] += 1
    return items[1] * 100 + items[2] * 10 + calls[0]
";
        let reply = ask(&read(text), Hook::Slice, &[thread(1)]);
        assert_eq!(reply, Ok(Reply::Number(1_042)));
    }

    #[test]
    fn programs_take_turns() {
        let program = |n| read(&format!("def slice(t):\n    return {n} * ms + now()\n"));
        let both = [program(1), program(2)];
        for _ in 0..3 {
            for (n, program) in (1..).zip(&both) {
                let reply = ask(program, Hook::Slice, &[thread(1)]);
                assert_eq!(reply, Ok(Reply::Number(n * 1_000_000)));
            }
        }
        let cpu = Argument::Cpu(CpuId(0));
        assert_eq!(ask(&both[0], Hook::Pick, &[cpu]), Ok(Reply::None));
    }
}
