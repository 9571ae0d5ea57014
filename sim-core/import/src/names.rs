//! The table of threads: number → name, and process where a trace tells it.

use crate::event::{IDLE, Pid};
use std::collections::BTreeMap;

/// Longest name that is kept, in bytes. Linux has 15, FreeBSD 19 and the name of the thread behind it.
const LONGEST: usize = 64;
/// Entries of the shortcut, a power of two.
const RECENT: usize = 1024;

/// What is known of one thread.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    name: String,
    process: Option<Pid>,
}

/// Names of all threads that were seen so far. A name that changes is the latest one.
#[derive(Clone, Debug)]
pub struct Names {
    known: Vec<Known>,
    places: BTreeMap<Pid, u32>,
    /// By the low bits of the number: the last thread with them, and its place. Most lines name the same few threads.
    recent: Vec<(Pid, u32)>,
    /// Who was seen first or got another name, in the order of the lines.
    changes: Vec<Pid>,
}

impl Default for Names {
    fn default() -> Self {
        let mut names = Self {
            known: Vec::new(),
            places: BTreeMap::new(),
            recent: vec![(IDLE, 0); RECENT],
            changes: Vec::new(),
        };
        names.add(IDLE, "idle");
        names
    }
}

impl Names {
    /// Number of threads, with the idle one.
    #[must_use]
    pub fn count(&self) -> usize {
        self.known.len()
    }

    /// The latest name of a thread; empty if no line named it.
    #[must_use]
    pub fn of(&self, pid: Pid) -> &str {
        self.places
            .get(&pid)
            .map_or("", |place| &self.known[*place as usize].name)
    }

    /// The process (thread group) of a thread, where the trace tells it.
    #[must_use]
    pub fn process(&self, pid: Pid) -> Option<Pid> {
        let place = self.places.get(&pid)?;
        self.known[*place as usize].process
    }

    /// All threads with their names, by number.
    pub fn all(&self) -> impl Iterator<Item = (Pid, &str)> {
        self.places
            .iter()
            .map(|(pid, place)| (*pid, self.known[*place as usize].name.as_str()))
    }

    /// The threads that were seen first or got another name, from a number of such changes on. So whoever follows names
    /// need not look at each thread of each line.
    #[must_use]
    pub fn changed_since(&self, changes: usize) -> &[Pid] {
        self.changes.get(changes..).unwrap_or(&[])
    }

    /// A line names a thread. An empty name and `<...>` say only that there is such a thread.
    pub(crate) fn see(&mut self, pid: Pid, name: &[u8]) {
        let place = self.place(pid);
        let known = &mut self.known[place];
        if pid == IDLE || known.name.as_bytes() == name || name.is_empty() || name == b"<...>" {
            return;
        }
        let name = &name[..name.len().min(LONGEST)];
        let name = sim_ground::text::visible(&String::from_utf8_lossy(name));
        if known.name != name {
            known.name = name;
            self.changes.push(pid);
        }
    }

    /// A line tells the process of a thread.
    pub(crate) fn belongs(&mut self, pid: Pid, process: Pid) {
        let place = self.place(pid);
        self.known[place].process = Some(process);
    }

    fn place(&mut self, pid: Pid) -> usize {
        let slot = pid as usize % RECENT;
        let (last, place) = self.recent[slot];
        if last == pid {
            return place as usize;
        }
        let place = match self.places.get(&pid) {
            Some(place) => *place,
            None => self.add(pid, ""),
        };
        self.recent[slot] = (pid, place);
        place as usize
    }

    fn add(&mut self, pid: Pid, name: &str) -> u32 {
        let place = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        self.known.push(Known {
            name: name.to_owned(),
            process: None,
        });
        self.places.insert(pid, place);
        self.changes.push(pid);
        place
    }
}
