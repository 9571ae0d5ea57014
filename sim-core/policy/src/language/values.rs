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
use starlark::values::list::AllocList;
use starlark::values::{
    AllocValue, FrozenValueTyped, Heap, NoSerialize, ProvidesStaticType, StarlarkPagablePanic,
    StarlarkValue, UnpackValue, Value, ValueLike, starlark_value,
};
use std::fmt;
use std::hash::Hash;

/// What functions of the language find in their evaluator.
#[derive(Debug, ProvidesStaticType)]
pub(crate) struct Extra {
    pub(crate) here: Here,
}

/// The moment, among the values that a program keeps as long as it is there. So values of a call hold a pointer: they are
/// made and dropped with nothing to count.
#[derive(ProvidesStaticType, Allocative, Debug, NoSerialize, StarlarkPagablePanic)]
pub(crate) struct MomentValue {
    #[allocative(skip)]
    pub(crate) shared: Shared,
}

/// Where the moment is.
pub(crate) type Here = FrozenValueTyped<'static, MomentValue>;

/// A thread.
#[derive(ProvidesStaticType, Allocative, Debug, NoSerialize, StarlarkPagablePanic)]
pub(crate) struct ThreadValue {
    #[allocative(skip)]
    pub(crate) task: TaskId,
    #[allocative(skip)]
    here: Here,
}

/// A CPU.
#[derive(ProvidesStaticType, Allocative, Debug, NoSerialize, StarlarkPagablePanic)]
pub(crate) struct CpuValue {
    #[allocative(skip)]
    pub(crate) cpu: CpuId,
    #[allocative(skip)]
    here: Here,
}

/// The list of all CPUs.
#[derive(ProvidesStaticType, Allocative, Debug, NoSerialize, StarlarkPagablePanic)]
pub(crate) struct EveryoneValue;

starlark::starlark_simple_value!(EveryoneValue);
starlark::starlark_simple_value!(MomentValue);

impl ThreadValue {
    pub(crate) fn new(task: TaskId, here: Here) -> Self {
        Self { task, here }
    }
}

impl CpuValue {
    pub(crate) fn new(cpu: CpuId, here: Here) -> Self {
        Self { cpu, here }
    }
}

impl fmt::Display for MomentValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("moment")
    }
}

#[starlark_value(type = "moment")]
impl<'v> StarlarkValue<'v> for MomentValue {}

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
        self.here.shared.look();
        write!(f, "{{task {}}}", self.task.0)
    }
}

impl fmt::Display for CpuValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.here.shared.look();
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
    here: Here,
    heap: Heap<'v>,
) -> Value<'v> {
    let all = tasks.into_iter().map(|t| ThreadValue::new(t, here));
    heap.alloc(AllocList(all))
}

/// CPUs as a list.
pub(crate) fn cpus<'v>(
    all: impl IntoIterator<Item = CpuId>,
    here: Here,
    heap: Heap<'v>,
) -> Value<'v> {
    let all = all.into_iter().map(|c| CpuValue::new(c, here));
    heap.alloc(AllocList(all))
}

#[starlark_value(type = "thread")]
impl<'v> StarlarkValue<'v> for ThreadValue {
    fn get_attr(&self, attribute: &str, heap: Heap<'v>) -> Option<Value<'v>> {
        let seen = self.here.shared.thread(self.task, attribute)?;
        Some(value(seen, self.here, heap))
    }

    fn has_attr(&self, attribute: &str, _: Heap<'v>) -> bool {
        self.here.shared.of_threads().iter().any(|n| n == attribute)
    }

    fn dir_attr(&self) -> Vec<String> {
        self.here.shared.of_threads()
    }

    fn set_attr(&self, attribute: &str, value: Value<'v>) -> starlark::Result<()> {
        let number = || number(attribute, value);
        let set = self.here.shared.set_thread(self.task, attribute, number);
        set.map_err(native)
    }

    fn equals(&self, other: Value<'v>) -> starlark::Result<bool> {
        self.here.shared.look();
        Ok(other
            .downcast_ref::<Self>()
            .is_some_and(|o| o.task == self.task))
    }

    fn write_hash(&self, hasher: &mut StarlarkHasher) -> starlark::Result<()> {
        self.here.shared.look();
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
        let seen = self.here.shared.cpu(self.cpu, attribute)?;
        Some(value(seen, self.here, heap))
    }

    fn has_attr(&self, attribute: &str, _: Heap<'v>) -> bool {
        self.here.shared.of_cpus().iter().any(|n| n == attribute)
    }

    fn dir_attr(&self) -> Vec<String> {
        self.here.shared.of_cpus()
    }

    fn set_attr(&self, attribute: &str, value: Value<'v>) -> starlark::Result<()> {
        let number = || number(attribute, value);
        let set = self.here.shared.set_cpu(self.cpu, attribute, number);
        set.map_err(native)
    }

    fn equals(&self, other: Value<'v>) -> starlark::Result<bool> {
        self.here.shared.look();
        Ok(other
            .downcast_ref::<Self>()
            .is_some_and(|o| o.cpu == self.cpu))
    }

    fn write_hash(&self, hasher: &mut StarlarkHasher) -> starlark::Result<()> {
        self.here.shared.look();
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
fn value<'v>(seen: Seen, here: Here, heap: Heap<'v>) -> Value<'v> {
    match seen {
        Seen::None => Value::new_none(),
        Seen::Flag(flag) => Value::new_bool(flag),
        Seen::Number(number) => heap.alloc(number),
        Seen::Thread(task) => heap.alloc(ThreadValue::new(task, here)),
        Seen::Cpu(cpu) => heap.alloc(CpuValue::new(cpu, here)),
        Seen::Threads(all) => threads(all, here, heap),
        Seen::Cpus(all) => cpus(all, here, heap),
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
        Ok(this.here.shared.distance(this.cpu, other.cpu))
    }
}

starlark::methods_static!(CPU_METHODS = cpu_methods);
