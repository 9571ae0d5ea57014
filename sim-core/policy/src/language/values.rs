//! Threads, CPUs and the list of all CPUs as values of the language.

// `derive(ProvidesStaticType)` writes an implementation of an unsafe trait.
#![allow(unsafe_code)]

use crate::moment::Shared;
use crate::words;
use crate::world::Seen;
use allocative::Allocative;
use sim_ground::ids::{CpuId, TaskId};
use starlark::collections::StarlarkHasher;
use starlark::environment::{Methods, MethodsBuilder};
use starlark::starlark_module;
use starlark::values::{
    AllocValue, Heap, NoSerialize, ProvidesStaticType, StarlarkPagablePanic, StarlarkValue,
    UnpackValue, Value, ValueLike, starlark_value,
};
use std::fmt;
use std::hash::Hash;

/// What functions of the language find in their evaluator.
#[derive(Debug, ProvidesStaticType)]
pub(crate) struct Extra {
    pub(crate) moment: Shared,
}

/// A thread.
#[derive(ProvidesStaticType, Allocative, Debug, NoSerialize, StarlarkPagablePanic)]
pub(crate) struct ThreadValue {
    #[allocative(skip)]
    pub(crate) task: TaskId,
    #[allocative(skip)]
    moment: Shared,
}

/// A CPU.
#[derive(ProvidesStaticType, Allocative, Debug, NoSerialize, StarlarkPagablePanic)]
pub(crate) struct CpuValue {
    #[allocative(skip)]
    pub(crate) cpu: CpuId,
    #[allocative(skip)]
    moment: Shared,
}

/// The list of all CPUs.
#[derive(ProvidesStaticType, Allocative, Debug, NoSerialize, StarlarkPagablePanic)]
pub(crate) struct EveryoneValue;

starlark::starlark_simple_value!(EveryoneValue);

impl ThreadValue {
    pub(crate) fn new(task: TaskId, moment: &Shared) -> Self {
        let moment = moment.clone();
        Self { task, moment }
    }
}

impl CpuValue {
    pub(crate) fn new(cpu: CpuId, moment: &Shared) -> Self {
        let moment = moment.clone();
        Self { cpu, moment }
    }
}

impl<'v> AllocValue<'v> for ThreadValue {
    fn alloc_value(self, heap: Heap<'v>) -> Value<'v> {
        heap.alloc_simple(self)
    }
}

impl<'v> AllocValue<'v> for CpuValue {
    fn alloc_value(self, heap: Heap<'v>) -> Value<'v> {
        heap.alloc_simple(self)
    }
}

impl fmt::Display for ThreadValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{task {}}}", self.task.0)
    }
}

impl fmt::Display for CpuValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cpu {}", self.cpu.0)
    }
}

impl fmt::Display for EveryoneValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EVERYONE")
    }
}

/// Threads as a list.
pub(crate) fn threads<'v>(
    tasks: impl IntoIterator<Item = TaskId>,
    moment: &Shared,
    heap: Heap<'v>,
) -> Value<'v> {
    let all: Vec<Value<'v>> = tasks
        .into_iter()
        .map(|t| heap.alloc(ThreadValue::new(t, moment)))
        .collect();
    heap.alloc(all)
}

/// CPUs as a list.
pub(crate) fn cpus<'v>(
    all: impl IntoIterator<Item = CpuId>,
    moment: &Shared,
    heap: Heap<'v>,
) -> Value<'v> {
    let all: Vec<Value<'v>> = all
        .into_iter()
        .map(|c| heap.alloc(CpuValue::new(c, moment)))
        .collect();
    heap.alloc(all)
}

#[starlark_value(type = "thread")]
impl<'v> StarlarkValue<'v> for ThreadValue {
    fn get_attr(&self, attribute: &str, heap: Heap<'v>) -> Option<Value<'v>> {
        let seen = self.moment.thread(self.task, attribute)?;
        Some(value(seen, &self.moment, heap))
    }

    fn has_attr(&self, attribute: &str, _: Heap<'v>) -> bool {
        self.moment.of_threads().iter().any(|n| n == attribute)
    }

    fn dir_attr(&self) -> Vec<String> {
        self.moment.of_threads()
    }

    fn set_attr(&self, attribute: &str, value: Value<'v>) -> starlark::Result<()> {
        let number = || number(attribute, value);
        let set = self.moment.set_thread(self.task, attribute, number);
        set.map_err(native)
    }

    fn equals(&self, other: Value<'v>) -> starlark::Result<bool> {
        Ok(other
            .downcast_ref::<Self>()
            .is_some_and(|o| o.task == self.task))
    }

    fn write_hash(&self, hasher: &mut StarlarkHasher) -> starlark::Result<()> {
        self.task.0.hash(hasher);
        Ok(())
    }
}

#[starlark_value(type = "cpu", UnpackValue, StarlarkTypeRepr)]
impl<'v> StarlarkValue<'v> for CpuValue {
    fn get_methods() -> Option<&'static Methods> {
        Some(CPU_METHODS.methods())
    }

    fn get_attr(&self, attribute: &str, heap: Heap<'v>) -> Option<Value<'v>> {
        let seen = self.moment.cpu(self.cpu, attribute)?;
        Some(value(seen, &self.moment, heap))
    }

    fn has_attr(&self, attribute: &str, _: Heap<'v>) -> bool {
        self.moment.of_cpus().iter().any(|n| n == attribute)
    }

    fn dir_attr(&self) -> Vec<String> {
        self.moment.of_cpus()
    }

    fn set_attr(&self, attribute: &str, value: Value<'v>) -> starlark::Result<()> {
        let number = || number(attribute, value);
        let set = self.moment.set_cpu(self.cpu, attribute, number);
        set.map_err(native)
    }

    fn equals(&self, other: Value<'v>) -> starlark::Result<bool> {
        Ok(other
            .downcast_ref::<Self>()
            .is_some_and(|o| o.cpu == self.cpu))
    }

    fn write_hash(&self, hasher: &mut StarlarkHasher) -> starlark::Result<()> {
        self.cpu.0.hash(hasher);
        Ok(())
    }
}

#[starlark_value(type = "everyone")]
impl<'v> StarlarkValue<'v> for EveryoneValue {
    fn equals(&self, other: Value<'v>) -> starlark::Result<bool> {
        Ok(other.downcast_ref::<Self>().is_some())
    }
}

/// What a program sees, as a value of the language.
fn value<'v>(seen: Seen, moment: &Shared, heap: Heap<'v>) -> Value<'v> {
    match seen {
        Seen::None => Value::new_none(),
        Seen::Flag(flag) => Value::new_bool(flag),
        Seen::Number(number) => heap.alloc(number),
        Seen::Thread(task) => heap.alloc(ThreadValue::new(task, moment)),
        Seen::Cpu(cpu) => heap.alloc(CpuValue::new(cpu, moment)),
        Seen::Threads(all) => threads(all, moment, heap),
        Seen::Cpus(all) => cpus(all, moment, heap),
    }
}

/// A sentence as an error of the language.
pub(crate) fn native(sentence: String) -> starlark::Error {
    starlark::Error::new_native(anyhow::Error::msg(sentence))
}

/// The number that a column is to hold.
pub(crate) fn number(name: &str, value: Value<'_>) -> Result<i64, String> {
    match i64::unpack_value(value) {
        Ok(Some(number)) => Ok(number),
        _ if value.get_type() == "int" => Err(words::too_large(name, &value.to_string())),
        _ => Err(words::not_whole(name, value.get_type())),
    }
}

#[starlark_module]
fn cpu_methods(builder: &mut MethodsBuilder) {
    /// How far another CPU is: 0 for one of the same core, 1 of the same cache, 2 of the same node, 3 of another.
    fn distance<'v>(
        this: &CpuValue,
        #[starlark(require = pos)] other: Value<'v>,
    ) -> anyhow::Result<i32> {
        let Some(other) = other.downcast_ref::<CpuValue>() else {
            let kind = words::kind(other.get_type());
            anyhow::bail!("`distance` is asked of another CPU, not of {kind}");
        };
        Ok(this.moment.distance(this.cpu, other.cpu))
    }
}

starlark::methods_static!(CPU_METHODS = cpu_methods);
