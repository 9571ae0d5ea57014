//! Threads, CPUs and the list of all CPUs as values of the language.

// `derive(ProvidesStaticType)` writes an implementation of an unsafe trait.
#![allow(unsafe_code)]

use crate::moment::{Moment, Shared, position};
use crate::state::Whereabouts;
use allocative::Allocative;
use sim_contract::weight::weight_of_nice;
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

/// Attributes that each thread has.
pub(crate) const OF_THREADS: &[&str] = &[
    "nice",
    "weight",
    "group",
    "cpu",
    "last_cpu",
    "running",
    "waits",
    "background",
    "allowed",
];

/// Attributes that each CPU has.
pub(crate) const OF_CPUS: &[&str] = &[
    "id",
    "waiting",
    "running",
    "nr_running",
    "ran_for",
    "idle",
    "core",
    "llc",
    "node",
    "distance",
];

/// A number of nanoseconds as the language has it.
fn signed(x: u64) -> i64 {
    i64::try_from(x).unwrap_or(i64::MAX)
}

fn as_i64(x: usize) -> i64 {
    i64::try_from(x).unwrap_or(i64::MAX)
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
        let mut m = self.moment.lock();
        m.hook?;
        let cpu = |cpu: CpuId| heap.alloc(CpuValue::new(cpu, &self.moment));
        let t = m.st.threads.get(self.task.index())?;
        Some(match attribute {
            "nice" => heap.alloc(i32::from(t.nice)),
            "weight" => heap.alloc(signed(weight_of_nice(t.nice))),
            "group" => heap.alloc(i32::from(t.group)),
            "cpu" => match t.at {
                Whereabouts::Waits(at) | Whereabouts::Runs(at) => cpu(at),
                Whereabouts::WaitsForAll | Whereabouts::Nowhere => Value::new_none(),
            },
            "last_cpu" => cpu(t.last_cpu),
            "running" => Value::new_bool(matches!(t.at, Whereabouts::Runs(_))),
            "waits" => match t.at {
                Whereabouts::Waits(_) | Whereabouts::WaitsForAll => {
                    heap.alloc(signed(m.now.saturating_sub(t.since)))
                }
                Whereabouts::Runs(_) | Whereabouts::Nowhere => heap.alloc(0),
            },
            "background" => Value::new_bool(t.background),
            "allowed" => {
                let all = m.st.cpus.len();
                cpus(t.allowed.among(all), &self.moment, heap)
            }
            name => {
                let at = position(&m.declared.thread, name)?;
                let value = t.columns.get(at).copied()?;
                m.read.get_or_insert(at);
                heap.alloc(value)
            }
        })
    }

    fn has_attr(&self, attribute: &str, _: Heap<'v>) -> bool {
        let m = self.moment.lock();
        OF_THREADS.contains(&attribute) || position(&m.declared.thread, attribute).is_some()
    }

    fn dir_attr(&self) -> Vec<String> {
        names(OF_THREADS, &self.moment.lock(), |m| &m.declared.thread)
    }

    fn set_attr(&self, attribute: &str, value: Value<'v>) -> starlark::Result<()> {
        let mut m = self.moment.lock();
        let Some(at) = position(&m.declared.thread, attribute) else {
            return Err(not_own("a thread", "thread_state", attribute, OF_THREADS));
        };
        let number = number(attribute, value)?;
        let thread = m.st.threads.get_mut(self.task.index());
        if let Some(place) = thread.and_then(|t| t.columns.get_mut(at)) {
            *place = number;
        }
        Ok(())
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
        let m = self.moment.lock();
        m.hook?;
        let c = m.st.cpus.get(self.cpu.index())?;
        let place = m.places.get(self.cpu.index()).copied().unwrap_or_default();
        Some(match attribute {
            "id" => heap.alloc(i32::from(self.cpu.0)),
            "waiting" => threads(m.st.candidates(self.cpu), &self.moment, heap),
            "running" => match c.running {
                Some(task) => heap.alloc(ThreadValue::new(task, &self.moment)),
                None => Value::new_none(),
            },
            "nr_running" => heap.alloc(as_i64(m.st.nr_running(self.cpu))),
            "ran_for" => match c.running {
                Some(_) => heap.alloc(signed(m.now.saturating_sub(c.started))),
                None => heap.alloc(0),
            },
            "idle" => Value::new_bool(m.st.is_idle(self.cpu)),
            "core" => heap.alloc(i32::from(place.core)),
            "llc" => heap.alloc(i32::from(place.llc)),
            "node" => heap.alloc(i32::from(place.node)),
            name => {
                let at = position(&m.declared.cpu, name)?;
                heap.alloc(c.columns.get(at).copied()?)
            }
        })
    }

    fn has_attr(&self, attribute: &str, _: Heap<'v>) -> bool {
        let m = self.moment.lock();
        OF_CPUS.contains(&attribute) || position(&m.declared.cpu, attribute).is_some()
    }

    fn dir_attr(&self) -> Vec<String> {
        names(OF_CPUS, &self.moment.lock(), |m| &m.declared.cpu)
    }

    fn set_attr(&self, attribute: &str, value: Value<'v>) -> starlark::Result<()> {
        let mut m = self.moment.lock();
        let Some(at) = position(&m.declared.cpu, attribute) else {
            return Err(not_own("a cpu", "cpu_state", attribute, OF_CPUS));
        };
        let number = number(attribute, value)?;
        let cpu = m.st.cpus.get_mut(self.cpu.index());
        if let Some(place) = cpu.and_then(|c| c.columns.get_mut(at)) {
            *place = number;
        }
        Ok(())
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

fn names(
    fixed: &[&str],
    m: &Moment,
    own: impl Fn(&Moment) -> &Vec<crate::moment::Column>,
) -> Vec<String> {
    let own = own(m).iter().map(|c| c.name.clone());
    fixed.iter().map(|n| (*n).to_owned()).chain(own).collect()
}

/// The number that a column is to hold.
pub(crate) fn number(name: &str, value: Value<'_>) -> starlark::Result<i64> {
    match i64::unpack_value(value) {
        Ok(Some(number)) => Ok(number),
        _ if value.get_type() == "int" => {
            let message = format!("`{name}` holds 64 bits, and {value} has more");
            Err(starlark::Error::new_native(anyhow::anyhow!(message)))
        }
        _ => {
            let kind = super::words::kind(value.get_type());
            let message = format!("`{name}` holds a whole number, not {kind}");
            Err(starlark::Error::new_native(anyhow::anyhow!(message)))
        }
    }
}

fn not_own(what: &str, declare: &str, name: &str, fixed: &[&str]) -> starlark::Error {
    let message = if fixed.contains(&name) {
        format!("`{name}` of {what} cannot be set: the machine says what it is")
    } else {
        format!("{what} has no `{name}`: declare it with {declare}(\"{name}\", 0)")
    };
    starlark::Error::new_native(anyhow::anyhow!(message))
}

#[starlark_module]
fn cpu_methods(builder: &mut MethodsBuilder) {
    /// How far another CPU is: 0 for one of the same core, 1 of the same cache, 2 of the same node, 3 of another.
    fn distance<'v>(
        this: &CpuValue,
        #[starlark(require = pos)] other: Value<'v>,
    ) -> anyhow::Result<i32> {
        let Some(other) = other.downcast_ref::<CpuValue>() else {
            let kind = super::words::kind(other.get_type());
            anyhow::bail!("`distance` is asked of another CPU, not of {kind}");
        };
        let m = this.moment.lock();
        let place = |cpu: CpuId| m.places.get(cpu.index()).copied().unwrap_or_default();
        let (a, b) = (place(this.cpu), place(other.cpu));
        Ok(match (a.node == b.node, a.llc == b.llc, a.core == b.core) {
            (_, _, true) => 0,
            (_, true, _) => 1,
            (true, ..) => 2,
            _ => 3,
        })
    }
}

starlark::methods_static!(CPU_METHODS = cpu_methods);
