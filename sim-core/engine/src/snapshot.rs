//! Snapshots: versioned bytes of the whole state, fixed-width integers only; and the digest of a run.

use super::clockwork::Clockwork;
use super::hardware::Hardware;
use super::kernel::{Kernel, Task, TaskState};
use super::ledger::Totals;
use super::{Sim, UpToDate, around};
use serde::{Deserialize, Serialize, Serializer};
use sim_contract::state_bytes::{save_state, take_state};
use sim_contract::tally::TallyMark;
use sim_ground::error::SnapshotError;
use sim_ground::hash;
use sim_ground::ids::TaskId;
use sim_machine::rate::Cause;
use sim_trace::TraceMark;
use sim_workload::Behaviour;

const VERSION: u32 = 13;

/// The state is borrowed when a snapshot is written.
#[derive(Serialize, Deserialize)]
struct Snapshot<C = Clockwork, H = Hardware, K = Kernel, L = Totals> {
    version: u32,
    /// Digest of scenario and lane, so that a snapshot is not restored into another run.
    scenario: u64,
    clock: C,
    hardware: H,
    kernel: K,
    ledger: L,
    #[serde(serialize_with = "in_one_piece")]
    scheduler: Vec<u8>,
    behaviours: Vec<Vec<u64>>,
    params: Vec<i64>,
    trace: TraceMark,
    decisions: (u64, u64),
    tally: TallyMark,
}

/// Writes bytes at once. They are read as the list that they are: the format is the same.
fn in_one_piece<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_bytes(bytes)
}

/// Decodes a snapshot. A seal at its end detects bytes that were changed or cut off.
fn open(bytes: &[u8]) -> Result<Snapshot, SnapshotError> {
    let (data, seal) = bytes.split_last_chunk().ok_or(SnapshotError::Malformed)?;
    if hash::bytes(hash::START, data) != u64::from_le_bytes(*seal) {
        return Err(SnapshotError::Malformed);
    }
    // The version is read first and alone: other versions may have another layout.
    let (found, _) = take_state::<u32>(data).ok_or(SnapshotError::Malformed)?;
    if found != VERSION {
        return Err(SnapshotError::Version {
            found,
            expected: VERSION,
        });
    }
    let (mut snapshot, rest): (Snapshot, _) = take_state(data).ok_or(SnapshotError::Malformed)?;
    snapshot.clock.count_cpus();
    if rest.is_empty() {
        Ok(snapshot)
    } else {
        Err(SnapshotError::Malformed)
    }
}

impl Sim {
    /// The whole state as bytes.
    ///
    /// # Panics
    /// Never: plain data is serialisable.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let save = |b: &dyn Behaviour| {
            let mut words = Vec::new();
            b.save(&mut words);
            words
        };
        let snapshot = Snapshot {
            version: VERSION,
            scenario: self.scenario_hash(),
            clock: &self.clock,
            hardware: &self.hardware,
            kernel: &self.kernel,
            ledger: self.ledger.totals(),
            scheduler: self.sched.save(),
            behaviours: self.behaviours.iter().map(|b| save(&**b)).collect(),
            params: self.params.values().to_vec(),
            trace: self.ledger.trace().mark(),
            decisions: (self.log.next_id(), self.log.hash()),
            tally: self.log.tally().mark(),
        };
        let mut bytes = save_state(&snapshot);
        let seal = hash::bytes(hash::START, &bytes);
        bytes.extend(seal.to_le_bytes());
        bytes
    }

    /// Restores a state that [`Sim::snapshot`] wrote for the same scenario and lane.
    ///
    /// # Errors
    /// If the bytes are not such a snapshot; the run is unchanged.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        let snapshot = open(bytes)?;
        if snapshot.scenario != self.scenario_hash() {
            return Err(SnapshotError::OtherScenario);
        }
        if !self.fits(&snapshot) {
            return Err(SnapshotError::Malformed);
        }
        let mut behaviours = Vec::new();
        for (info, words) in snapshot.kernel.infos().iter().zip(&snapshot.behaviours) {
            let group = &self.plan.groups[info.group.index()];
            let mut behaviour =
                (group.behaviour.make)(&group.params).map_err(|_| SnapshotError::Malformed)?;
            behaviour.load(words);
            behaviours.push(behaviour);
        }
        let tasks = snapshot.kernel.tasks().len();
        let Some(tally) = self.log.tally().from_mark(&snapshot.tally, tasks) else {
            return Err(SnapshotError::Malformed);
        };
        if !self.load_scheduler(&snapshot) {
            return Err(SnapshotError::Malformed);
        }
        self.behaviours = behaviours;
        self.params.restore(&snapshot.params);
        self.ledger.restore(snapshot.ledger, &snapshot.trace);
        self.log
            .rewind(snapshot.decisions.0, snapshot.decisions.1, tally);
        self.clock.restore(snapshot.clock);
        self.hardware.restore(snapshot.hardware);
        self.kernel.restore(snapshot.kernel);
        self.hardware.rebuild_streams(&around!(self));
        self.find_timers();
        self.find_limits();
        self.schedule_next_edit();
        Ok(())
    }

    /// Restores the scheduler's state, with the program that was in force; `false`, and nothing changes, if it is none.
    fn load_scheduler(&mut self, snapshot: &Snapshot) -> bool {
        let program = |sim: &Self, edits: usize| sim.program_after(edits).map(str::to_owned);
        let (now, then) = (
            program(self, self.kernel.edits_done()),
            program(self, snapshot.kernel.edits_done()),
        );
        self.sched.load_program(then.as_deref());
        let is_loaded = self.sched.load(&snapshot.scheduler);
        if !is_loaded {
            self.sched.load_program(now.as_deref());
        }
        is_loaded
    }

    /// Whether this may be a state of this run: all its indices are in range, and counts agree with what they count.
    ///
    /// The scheduler checks its own state.
    fn fits(&self, s: &Snapshot) -> bool {
        let now = s.clock.now();
        let (cpus, tasks) = (self.cpu_count(), s.kernel.tasks().len());
        let queued = |t: &&Task| t.state == TaskState::Queued;
        let waiting = s.kernel.tasks().iter().filter(queued).count();
        let idle = s.kernel.on_cpus().iter().filter(|c| c.is_none()).count();
        s.behaviours.len() == tasks
            && s.params.len() == self.params.values().len()
            && self.clock.accepts(&s.clock, tasks, self.end())
            && self.kernel.accepts(&s.kernel, self.edits.len(), now)
            && (self.hardware).accepts(
                &self.plan.machine,
                &s.hardware,
                tasks,
                s.kernel.on_cpus(),
                now,
            )
            && s.ledger.fits(now, cpus, waiting, idle)
    }

    fn scenario_hash(&self) -> u64 {
        let mut scenario = self.plan.scenario.clone();
        // Edits are not part of the scenario's digest: a snapshot stays valid after later edits.
        scenario.edits.clear();
        // Nor is the version of the format: it was 1 when the first snapshots were made.
        scenario.version = 1;
        let json = serde_json::to_vec(&scenario).unwrap_or_default();
        hash::word(hash::bytes(hash::START, &json), self.lane as u64)
    }

    /// Digest of everything that has happened up to now, as [`UpToDate::digest`].
    pub fn digest(&mut self) -> u64 {
        self.refresh().digest()
    }
}

impl UpToDate<'_> {
    /// Digest of everything that has happened up to now: records, decisions, totals, scheduler state.
    ///
    /// The same scenario, seed and edits give the same digest natively and in every browser, whether
    /// quiet ticks are skipped or not.
    #[must_use]
    pub fn digest(self) -> u64 {
        let mut h = hash::word(self.ledger.trace().hash(), self.log.hash());
        h = hash::word(h, self.clock.now().0);
        for task in (0..self.task_count()).map(TaskId::new) {
            let a = self.account(task);
            let words = [
                self.kernel.digest_word(task),
                a.run_ns,
                a.wait_ns,
                a.sleep_ns,
                a.switches,
                a.migrations,
                a.involuntary,
            ];
            let work = std::iter::once(a.work);
            // If no memory follows its thread, pages are left out of the digest.
            let (causes, pages) = a.by_cause.split_at(Cause::Pages as usize);
            h = words
                .into_iter()
                .chain(causes.iter().copied())
                .chain(pages.iter().copied().filter(|ns| *ns > 0))
                .chain(work)
                .fold(h, hash::word);
            let page_groups = self.memory(task).page_groups().iter();
            for group in page_groups.filter(|c| c.last.is_some()) {
                h = hash::word(h, u64::from(group.on.0) << 48 ^ group.pages);
            }
        }
        for account in self.ledger.cpu_accounts() {
            h = hash::word(hash::word(h, account.busy_ns), account.switch_ns);
        }
        hash::bytes(h, &self.sched.save())
    }
}
