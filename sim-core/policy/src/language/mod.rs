//! Programs in Python's syntax, as Starlark: no loops without end, no recursion without end, no clock, nothing outside.

mod functions;
mod source;
mod steps;
mod values;
mod words;

use crate::hook::{ALL, Hook};
use crate::moment::{Shared, position};
use crate::program::{Argument, Described, Program, Reply};
use crate::words as said;
use sim_contract::ProgramError;
use starlark::environment::{FrozenModule, Globals, GlobalsBuilder, Module};
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect, DialectTypes};
use starlark::values::{FrozenHeapName, Heap, OwnedFrozenValue, UnpackValue, Value, ValueLike};
use values::{CpuValue, EveryoneValue, Extra, Here, MomentValue, ThreadValue};

/// The name of programs in the language's own messages.
const NAME: &str = "policy.py";

/// Steps that reading a program may take.
const READING: u64 = 20_000;

/// Deepest nesting of calls.
const DEPTH: usize = 32;

/// Largest memory of the values of a call, in bytes, as far as the language counts it.
const MEMORY: usize = 4 << 20;

const DIALECT: Dialect = Dialect {
    enable_load: false,
    enable_types: DialectTypes::Disable,
    ..Dialect::Extended
};

/// A program that has been read.
pub(crate) struct Starlark {
    module: FrozenModule,
    functions: [Option<OwnedFrozenValue>; ALL.len()],
    described: Described,
    extra: Extra,
}

fn globals() -> Globals {
    GlobalsBuilder::standard()
        .with(functions::all)
        .with(functions::constants)
        .build()
}

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
        let told = |e: starlark::Error| words::told(&e, &moment, (1, 1));
        let ast = AstModule::parse(NAME, source.to_owned(), &DIALECT).map_err(told)?;
        let (module, extra) = Module::with_temp_heap(|module| {
            let shared = moment.clone();
            let here = module.frozen_heap().alloc(MomentValue { shared });
            let here = Here::new(here).expect("invariant: a value has its own type");
            let extra = Extra { here };
            {
                let mut eval = Evaluator::new(&module);
                limit(&mut eval, READING);
                eval.extra = Some(&extra);
                eval.eval_module(ast, &globals()).map_err(told)?;
            }
            let name = FrozenHeapName::User(Box::new(NAME.to_owned()));
            let frozen = module.freeze_named(name);
            let frozen = frozen.map_err(|e| wrong(1, 1, e.err_msg.clone()))?;
            Ok((frozen, extra))
        })?;
        let declared = moment.declared();
        let order = source::chooses_by(source, "pick");
        let order = order.and_then(|name| position(&declared.thread, &name));
        let mut read = Self {
            module,
            functions: std::array::from_fn(|_| None),
            described: Described {
                declared,
                lines: [None; ALL.len()],
                constants: Vec::new(),
                shares_a_list: source::speaks_of(source, "EVERYONE"),
                order,
                moment,
            },
            extra,
        };
        read.find_functions(source)?;
        read.find_constants(source)?;
        Ok(read)
    }

    fn find_functions(&mut self, source: &str) -> Result<(), ProgramError> {
        let names: Vec<String> = self.module.names().map(|n| n.as_str().to_owned()).collect();
        for (i, (hook, name, parameters)) in ALL.iter().enumerate() {
            let Ok(Some(value)) = self.module.get_option(name) else {
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
            self.functions[i] = Some(value);
        }
        if !self.described.has(Hook::Pick) {
            let (message, close) = said::no_pick(names.iter().map(String::as_str));
            let (line, column) = close.map_or((1, 1), |n| source::definition(source, n));
            return Err(wrong(line, column, message));
        }
        Ok(())
    }

    fn find_constants(&mut self, source: &str) -> Result<(), ProgramError> {
        for (name, least, most, unit, function) in said::CONSTANTS {
            let Ok(Some(value)) = self.module.get_option(name) else {
                continue;
            };
            let (line, column) = source::definition(source, name);
            let number = i64::unpack_value(value.value()).ok().flatten();
            let Some(number) = number.filter(|n| (least..=most).contains(n)) else {
                let got = value.value().to_repr();
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

fn limit(eval: &mut Evaluator<'_, '_, '_>, steps: u64) {
    // Each is set once, to a number above 0: then none is refused.
    let _ = eval.set_max_tick_count(steps);
    let _ = eval.set_max_callstack_size(DEPTH);
    let _ = eval.set_max_heap_size(MEMORY);
}

impl Program for Starlark {
    fn described(&self) -> &Described {
        &self.described
    }

    fn call(&self, hook: Hook, arguments: &[Argument], fuel: u64) -> Result<Reply, ProgramError> {
        let Some(function) = &self.functions[hook as usize] else {
            return Ok(Reply::None);
        };
        let moment = &self.described.moment;
        Module::with_temp_heap(|module| {
            let mut eval = Evaluator::new(&module);
            eval.extra = Some(&self.extra);
            limit(&mut eval, fuel);
            if moment.is_asked() {
                steps::record(&mut eval, moment);
            }
            let heap = module.heap();
            let function = heap.access_owned_frozen_value(function);
            let mut values = [Value::new_none(); 2];
            for (place, argument) in values.iter_mut().zip(arguments) {
                *place = self.value(*argument, heap);
            }
            let values = &values[..arguments.len().min(2)];
            let answer = eval.eval_function(function, values, &[]);
            match answer {
                Ok(value) => Ok(reply(value)),
                Err(e) => Err(words::told(&e, moment, (self.described.line(hook), 1))),
            }
        })
    }
}

impl Starlark {
    fn value<'v>(&self, argument: Argument, heap: Heap<'v>) -> Value<'v> {
        match argument {
            Argument::Thread(task) => heap.alloc(ThreadValue::new(task, self.extra.here)),
            Argument::Cpu(cpu) => heap.alloc(CpuValue::new(cpu, self.extra.here)),
            Argument::Everyone => heap.alloc(EveryoneValue),
            Argument::Number(number) => heap.alloc(number),
        }
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
