//! What programs see and ask for while one of their functions is called. Languages only say it in their own values.

use crate::hook::Hook;
use crate::moment::{Column, Declared, Moved, NOTES, NUMBERS, Shared, position};
use crate::state::Whereabouts;
use crate::words;
use sim_contract::weight::weight_of_nice;
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::text::visible;

/// Attributes that each thread has.
pub const OF_THREADS: &[&str] = &[
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
pub const OF_CPUS: &[&str] = &[
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

/// Times by their names, in ns.
pub const TIMES: [(&str, i64); 4] = [
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
];

/// Most characters of a text that a program says.
const TEXT: usize = 200;

/// Columns of a program, all kinds together.
const COLUMNS: usize = 64;

/// What a program sees of a thread or a CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Nothing is there.
    None,
    /// Whether something is so.
    Flag(bool),
    /// A number.
    Number(i64),
    /// A thread.
    Thread(TaskId),
    /// A CPU.
    Cpu(CpuId),
    /// Threads, in their order.
    Threads(Vec<TaskId>),
    /// CPUs, in their order.
    Cpus(Vec<CpuId>),
}

/// What a number is kept of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Each thread.
    Threads,
    /// Each CPU.
    Cpus,
    /// The lane.
    Lane,
}

/// A number of nanoseconds as programs have it.
fn signed(x: u64) -> i64 {
    i64::try_from(x).unwrap_or(i64::MAX)
}

/// A text of a program, short enough to be shown.
#[must_use]
pub fn short(text: &str) -> String {
    match text.char_indices().nth(TEXT) {
        Some((end, _)) => format!("{}…", visible(&text[..end])),
        None => visible(text),
    }
}

/// Position of a column that a program may set.
fn settable(
    columns: &[Column],
    name: &str,
    (what, declare, fixed): (&str, &str, &[&str]),
) -> Result<usize, String> {
    position(columns, name).ok_or_else(|| {
        if fixed.contains(&name) {
            format!("`{name}` of {what} cannot be set: the machine says what it is")
        } else {
            format!("{what} has no `{name}`: declare it with {declare}(\"{name}\", 0)")
        }
    })
}

impl Shared {
    /// Whether a function of the program is being called.
    ///
    /// # Errors
    /// None is: then the function of the language that is named has no answer.
    pub fn called(&self, name: &str) -> Result<(), String> {
        let mut m = self.lock();
        m.looked = true;
        match m.hook {
            Some(_) => Ok(()),
            None => Err(format!(
                "`{name}` has no answer before the run: call it in a function"
            )),
        }
    }

    /// The call looks at one of its values.
    #[cfg(feature = "starlark")] // only our own language asks once where nothing is looked at
    pub(crate) fn look(&self) {
        self.lock().looked = true;
    }

    /// What the program has declared so far.
    #[must_use]
    pub fn declared(&self) -> Declared {
        self.lock().declared.clone()
    }

    /// An attribute of a thread; `None` if it has none of this name, or nothing is being called.
    #[must_use]
    pub fn thread(&self, task: TaskId, attribute: &str) -> Option<Seen> {
        let mut m = self.lock();
        m.looked = true;
        m.hook?;
        let t = m.st.threads.get(task.index())?;
        Some(match attribute {
            "nice" => Seen::Number(i64::from(t.nice)),
            "weight" => Seen::Number(signed(weight_of_nice(t.nice))),
            "group" => Seen::Number(i64::from(t.group)),
            "cpu" => match t.at {
                Whereabouts::Waits(at) | Whereabouts::Runs(at) => Seen::Cpu(at),
                Whereabouts::WaitsForAll | Whereabouts::Nowhere => Seen::None,
            },
            "last_cpu" => Seen::Cpu(t.last_cpu),
            "running" => Seen::Flag(matches!(t.at, Whereabouts::Runs(_))),
            "waits" => match t.at {
                Whereabouts::Waits(_) | Whereabouts::WaitsForAll => {
                    Seen::Number(signed(m.now.saturating_sub(t.since)))
                }
                Whereabouts::Runs(_) | Whereabouts::Nowhere => Seen::Number(0),
            },
            "background" => Seen::Flag(t.background),
            "allowed" => Seen::Cpus(t.allowed.among(m.st.cpus.len()).collect()),
            name => {
                let at = position(&m.declared.thread, name)?;
                let value = t.columns.get(at).copied()?;
                m.read.get_or_insert(at);
                Seen::Number(value)
            }
        })
    }

    /// An attribute of a CPU; `None` if it has none of this name, or nothing is being called.
    #[must_use]
    pub fn cpu(&self, cpu: CpuId, attribute: &str) -> Option<Seen> {
        let mut m = self.lock();
        m.looked = true;
        m.hook?;
        let c = m.st.cpus.get(cpu.index())?;
        let place = m.places.get(cpu.index()).copied().unwrap_or_default();
        Some(match attribute {
            "id" => Seen::Number(i64::from(cpu.0)),
            "waiting" => Seen::Threads(m.st.candidates(cpu).collect()),
            "running" => c.running.map_or(Seen::None, Seen::Thread),
            "nr_running" => Seen::Number(i64::try_from(m.st.nr_running(cpu)).unwrap_or(i64::MAX)),
            "ran_for" => Seen::Number(
                c.running
                    .map_or(0, |_| signed(m.now.saturating_sub(c.started))),
            ),
            "idle" => Seen::Flag(m.st.is_idle(cpu)),
            "core" => Seen::Number(i64::from(place.core)),
            "llc" => Seen::Number(i64::from(place.llc)),
            "node" => Seen::Number(i64::from(place.node)),
            name => {
                let at = position(&m.declared.cpu, name)?;
                Seen::Number(c.columns.get(at).copied()?)
            }
        })
    }

    /// Names of the attributes of a thread.
    #[must_use]
    pub fn of_threads(&self) -> Vec<String> {
        names(OF_THREADS, &self.lock().declared.thread)
    }

    /// Names of the attributes of a CPU.
    #[must_use]
    pub fn of_cpus(&self) -> Vec<String> {
        names(OF_CPUS, &self.lock().declared.cpu)
    }

    /// Sets a column of a thread to what `value` gives.
    ///
    /// # Errors
    /// There is no such column that a program may set, or `value` has none.
    pub fn set_thread(
        &self,
        task: TaskId,
        name: &str,
        value: impl FnOnce() -> Result<i64, String>,
    ) -> Result<(), String> {
        let of = ("a thread", "thread_state", OF_THREADS);
        let at = settable(&self.lock().declared.thread, name, of)?;
        let value = value()?;
        let mut m = self.lock();
        m.looked = true;
        let thread = m.st.threads.get_mut(task.index());
        if let Some(place) = thread.and_then(|t| t.columns.get_mut(at)) {
            *place = value;
        }
        m.wrote(|| format!("{{task {}}}.{name}", task.0), value);
        Ok(())
    }

    /// The same for a CPU.
    ///
    /// # Errors
    /// As for threads.
    pub fn set_cpu(
        &self,
        cpu: CpuId,
        name: &str,
        value: impl FnOnce() -> Result<i64, String>,
    ) -> Result<(), String> {
        let at = settable(
            &self.lock().declared.cpu,
            name,
            ("a cpu", "cpu_state", OF_CPUS),
        )?;
        let value = value()?;
        let mut m = self.lock();
        m.looked = true;
        let of = m.st.cpus.get_mut(cpu.index());
        if let Some(place) = of.and_then(|c| c.columns.get_mut(at)) {
            *place = value;
        }
        m.wrote(|| format!("cpu {}.{name}", cpu.0), value);
        Ok(())
    }

    /// How far one CPU is from another: 0 for one of the same core, 1 of the same cache, 2 of the same node, 3 of another.
    #[must_use]
    pub fn distance(&self, a: CpuId, b: CpuId) -> i32 {
        let mut m = self.lock();
        m.looked = true;
        let place = |cpu: CpuId| m.places.get(cpu.index()).copied().unwrap_or_default();
        let (a, b) = (place(a), place(b));
        match (a.node == b.node, a.llc == b.llc, a.core == b.core) {
            (_, _, true) => 0,
            (_, true, _) => 1,
            (true, ..) => 2,
            _ => 3,
        }
    }

    /// Adds a number that the program keeps, with its first value.
    ///
    /// # Errors
    /// The name or the place is wrong, or `first` has no value.
    pub fn declare(
        &self,
        of: Of,
        name: &str,
        first: impl FnOnce() -> Result<i64, String>,
    ) -> Result<(), String> {
        let mut m = self.lock();
        let word = match of {
            Of::Threads => "thread_state",
            Of::Cpus => "cpu_state",
            Of::Lane => "state",
        };
        if m.hook.is_some() {
            let message = format!("`{word}` stands outside of functions, where the program begins");
            return Err(message);
        }
        let is_name = |name: &str| {
            let mut chars = name.chars();
            chars
                .next()
                .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
                && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if !is_name(name) || name.len() > 40 {
            let message =
                "a name has letters, digits and _, at most 40, and does not begin with a digit";
            return Err(message.to_owned());
        }
        if words::is_reserved(name) {
            return Err(format!("`{name}` is a word of Python: take another name"));
        }
        let (what, fixed) = match of {
            Of::Threads => ("a thread", OF_THREADS),
            Of::Cpus => ("a cpu", OF_CPUS),
            Of::Lane => ("", &[][..]),
        };
        if fixed.contains(&name) {
            return Err(format!("{what} has a `{name}` already: take another name"));
        }
        let first = first()?;
        let total: usize = m.declared.counts().iter().sum();
        if total >= COLUMNS {
            return Err(format!("a program keeps at most {COLUMNS} numbers"));
        }
        let list = match of {
            Of::Threads => &mut m.declared.thread,
            Of::Cpus => &mut m.declared.cpu,
            Of::Lane => &mut m.declared.lane,
        };
        if position(list, name).is_some() {
            return Err(format!("`{name}` is declared twice"));
        }
        list.push(Column {
            name: name.to_owned(),
            first,
        });
        Ok(())
    }

    /// Position of a variable of the lane.
    fn variable(&self, name: &str) -> Result<usize, String> {
        let m = self.lock();
        position(&m.declared.lane, name).ok_or_else(|| {
            let known: Vec<&str> = m.declared.lane.iter().map(|c| c.name.as_str()).collect();
            if known.is_empty() {
                format!("there is no variable `{name}`: declare it with state(\"{name}\", 0)")
            } else {
                format!(
                    "there is no variable `{name}`; there is {}",
                    words::list(&known)
                )
            }
        })
    }

    /// A number of the lane.
    ///
    /// # Errors
    /// Nothing is being called, or there is no such number.
    pub fn get(&self, name: &str) -> Result<i64, String> {
        self.called("get")?;
        let at = self.variable(name)?;
        Ok(self
            .lock()
            .st
            .variables
            .get(at)
            .copied()
            .unwrap_or_default())
    }

    /// Changes a number of the lane.
    ///
    /// # Errors
    /// Nothing is being called, there is no such number, or `value` has none.
    pub fn put(
        &self,
        name: &str,
        value: impl FnOnce() -> Result<i64, String>,
    ) -> Result<(), String> {
        self.called("put")?;
        let at = self.variable(name)?;
        let value = value()?;
        let mut m = self.lock();
        if let Some(place) = m.st.variables.get_mut(at) {
            *place = value;
        }
        m.wrote(|| name.to_owned(), value);
        Ok(())
    }

    /// Simulated time, in ns.
    ///
    /// # Errors
    /// Nothing is being called.
    pub fn now(&self) -> Result<i64, String> {
        self.called("now")?;
        Ok(signed(self.lock().now))
    }

    /// All CPUs.
    ///
    /// # Errors
    /// Nothing is being called.
    pub fn cpus(&self) -> Result<Vec<CpuId>, String> {
        self.called("cpus")?;
        Ok((0..self.lock().st.cpus.len()).map(CpuId::new).collect())
    }

    /// All threads that have started and not ended.
    ///
    /// # Errors
    /// Nothing is being called.
    pub fn threads(&self) -> Result<Vec<TaskId>, String> {
        self.called("threads")?;
        let m = self.lock();
        let all = m.st.threads.iter().enumerate();
        let all = all.filter(|(_, t)| t.known && !t.ended);
        Ok(all.map(|(i, _)| TaskId::new(i)).collect())
    }

    /// A number of the lane's random stream, from 0 to `n` - 1.
    ///
    /// # Errors
    /// Nothing is being called, or `n` is out of range.
    pub fn random(&self, n: i64) -> Result<i64, String> {
        self.called("random")?;
        let most = u64::from(u32::MAX);
        let n = u64::try_from(n).ok().filter(|n| (1..=most).contains(n));
        let n =
            n.ok_or_else(|| format!("`random(n)` draws from 0 to n - 1: n is from 1 to {most}"))?;
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        Ok(i64::from(self.lock().rng.below(n)))
    }

    /// Whether somebody asks why: then what the program says is kept.
    pub(crate) fn is_asked(&self) -> bool {
        self.lock().steps.is_some()
    }

    /// Says why the answer is what it is: a text, the values behind it, and those of them that are whole numbers.
    ///
    /// # Errors
    /// Nothing is being called.
    pub fn because(
        &self,
        text: &str,
        values: impl FnOnce() -> Vec<String>,
        numbers: impl Iterator<Item = i64>,
    ) -> Result<(), String> {
        self.called("because")?;
        let mut first = [0; NUMBERS];
        for (place, number) in first.iter_mut().zip(numbers) {
            *place = number;
        }
        let said = self.is_asked().then(|| {
            let mut said = short(text);
            for (i, value) in values().iter().enumerate() {
                said.push_str(if i == 0 { ": " } else { ", " });
                said.push_str(&short(value));
            }
            said
        });
        let mut m = self.lock();
        m.numbers = first;
        m.said = said;
        Ok(())
    }

    /// Keeps what is shown in the card; `name` is the function of the language.
    ///
    /// # Errors
    /// Nothing is being called, or there are too many.
    pub fn note(&self, name: &str, text: impl FnOnce() -> String) -> Result<(), String> {
        self.called(name)?;
        let mut m = self.lock();
        if m.noted >= NOTES {
            return Err(format!("a call has at most {NOTES} notes"));
        }
        m.noted += 1;
        drop(m);
        if self.is_asked() {
            let text = short(&text());
            self.lock().notes.push(text);
        }
        Ok(())
    }

    /// Moves a waiting thread to the list of a CPU.
    ///
    /// # Errors
    /// It does not wait, it may not, or this is not the time for it.
    pub fn move_to(&self, task: TaskId, to: CpuId) -> Result<(), String> {
        let mut m = self.lock();
        if !m.hook.is_some_and(Hook::may_move) {
            return Err("`move` is for `balance`, `tick` and `idle`".to_owned());
        }
        let from = match m.st.threads.get(task.index()).map(|t| t.at) {
            Some(Whereabouts::Waits(cpu)) => Some(cpu),
            Some(Whereabouts::WaitsForAll) => None,
            _ => {
                return Err(format!(
                    "`move` is for threads that wait, and {{task {}}} does not: {}",
                    task.0,
                    m.st.whereabouts(task)
                ));
            }
        };
        if !m.st.thread(task).allowed.contains(to) {
            return Err(format!("{{task {}}} may not use cpu {}", task.0, to.0));
        }
        if from == Some(to) {
            return Ok(());
        }
        m.st.remove(task);
        m.st.insert(task, Some(to), false);
        m.moves.push(Moved { task, from, to });
        Ok(())
    }
}

fn names(fixed: &[&str], own: &[Column]) -> Vec<String> {
    let own = own.iter().map(|c| c.name.clone());
    fixed.iter().map(|n| (*n).to_owned()).chain(own).collect()
}

/// The whole part of a logarithm.
///
/// # Errors
/// `x` has none.
pub fn log2(x: i64) -> Result<i64, String> {
    let x = u64::try_from(x).ok().filter(|x| *x > 0);
    x.map(|x| i64::from(x.ilog2()))
        .ok_or_else(|| "`log2(x)` is of numbers above 0".to_owned())
}

/// A number, or the nearest end of a range.
///
/// # Errors
/// The range is empty.
pub fn clamp(x: i64, least: i64, most: i64) -> Result<i64, String> {
    if least > most {
        return Err(format!(
            "`clamp(x, least, most)`: {least} is more than {most}"
        ));
    }
    Ok(x.clamp(least, most))
}
