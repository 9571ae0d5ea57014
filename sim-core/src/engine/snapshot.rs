//! Snapshots: versioned bytes of the whole state, fixed-width integers only; and the digest of a run.

use super::Sim;
use super::state::State;
use crate::error::SnapshotError;
use crate::hash;
use crate::ids::TaskId;
use crate::trace::TraceMark;
use crate::workload::Behaviour;
use serde::{Deserialize, Serialize};

const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Snapshot {
    version: u32,
    /// Digest of scenario and lane, so that a snapshot is not restored into another run.
    scenario: u64,
    state: State,
    scheduler: Vec<u8>,
    behaviours: Vec<Vec<u64>>,
    params: Vec<i64>,
    trace: TraceMark,
    decisions: (u64, u64),
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
            state: self.st.clone(),
            scheduler: self.sched.save(),
            behaviours: self.behaviours.iter().map(|b| save(&**b)).collect(),
            params: self.params.values().to_vec(),
            trace: self.trace.mark(),
            decisions: (self.log.next_id(), self.log.hash()),
        };
        postcard::to_stdvec(&snapshot).expect("invariant: plain data is serialisable")
    }

    /// Takes a state back that [`Sim::snapshot`] wrote for the same scenario and lane.
    ///
    /// # Errors
    /// If the bytes are not such a snapshot; the run is unchanged.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        let snapshot: Snapshot =
            postcard::from_bytes(bytes).map_err(|_| SnapshotError::Malformed)?;
        if snapshot.version != VERSION {
            return Err(SnapshotError::Version {
                found: snapshot.version,
                expected: VERSION,
            });
        }
        if snapshot.scenario != self.scenario_hash() {
            return Err(SnapshotError::OtherScenario);
        }
        self.check_shape(&snapshot)?;
        let mut behaviours = Vec::new();
        for (info, words) in snapshot.state.infos.iter().zip(&snapshot.behaviours) {
            let group = &self.plan.groups[info.group.index()];
            let mut behaviour =
                (group.behaviour.make)(&group.params).map_err(|_| SnapshotError::Malformed)?;
            behaviour.load(words);
            behaviours.push(behaviour);
        }
        if !self.sched.load(&snapshot.scheduler) {
            return Err(SnapshotError::Malformed);
        }
        self.behaviours = behaviours;
        self.params.restore(&snapshot.params);
        self.trace.rewind(&snapshot.trace);
        self.log.rewind(snapshot.decisions.0, snapshot.decisions.1);
        let revision = self.st.layout_revision.max(snapshot.state.layout_revision);
        self.st = snapshot.state;
        // Readers that keep names must look again whichever way the run jumped.
        self.st.layout_revision = revision;
        self.stuck = 0;
        self.schedule_next_edit();
        Ok(())
    }

    /// What could make later code index out of range.
    fn check_shape(&self, s: &Snapshot) -> Result<(), SnapshotError> {
        let cpus = self.st.cpus.len();
        let tasks = s.state.tasks.len();
        let fits = s.state.cpus.len() == cpus
            && s.state.curr.len() == cpus
            && s.state.infos.len() == tasks
            && s.behaviours.len() == tasks
            && s.state.group_sizes.len() == self.plan.groups.len()
            && s.state
                .infos
                .iter()
                .all(|i| i.group.index() < self.plan.groups.len() && i.last_cpu.index() < cpus)
            && s.state.curr.iter().flatten().all(|t| t.index() < tasks);
        if fits {
            Ok(())
        } else {
            Err(SnapshotError::Malformed)
        }
    }

    fn scenario_hash(&self) -> u64 {
        let mut scenario = self.plan.scenario.clone();
        // Edits are input of their own: a snapshot outlives those that are made later.
        scenario.edits.clear();
        let json = serde_json::to_vec(&scenario).unwrap_or_default();
        hash::word(hash::bytes(hash::START, &json), self.lane as u64)
    }

    /// Digest of everything that has happened up to now: records, decisions, totals, scheduler state.
    ///
    /// The same scenario, seed and edits give the same digest natively and in every browser, whether
    /// quiet ticks are skipped or not.
    pub fn digest(&mut self) -> u64 {
        self.bring_up_to_date();
        let mut h = hash::word(self.trace.hash(), self.log.hash());
        h = hash::word(h, self.st.now.0);
        for i in 0..self.st.tasks.len() {
            let t = self.task(TaskId::new(i));
            let a = &t.account;
            let words = [
                t.state as u64,
                a.run_ns,
                a.wait_ns,
                a.sleep_ns,
                a.switches,
                a.migrations,
                a.involuntary,
            ];
            h = words.into_iter().chain(a.by_cause).fold(h, hash::word);
        }
        for c in &self.st.cpus {
            h = hash::word(hash::word(h, c.account.busy_ns), c.account.switch_ns);
        }
        hash::bytes(h, &self.sched.save())
    }
}
