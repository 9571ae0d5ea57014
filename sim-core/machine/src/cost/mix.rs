//! The mix of an iteration: its computing and its waiting.

use super::LINE;
use super::hit;
use super::split::product;
use crate::rate::{DataUse, ONE};
use crate::spec::{Replacement, WorkSpec};
use serde::{Deserialize, Serialize};

/// An iteration of a thread on its CPU, before siblings and other users of the memory stretch it. Times are in fs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mix {
    /// Computing time at the nominal clock.
    pub compute: u64,
    /// Computing time at the clock of this core.
    pub at_clock: u64,
    /// Waiting for lines from the second level.
    pub l2: u64,
    /// Waiting for lines from outer levels.
    pub l3: u64,
    /// Waiting for lines from memory, as if it were local.
    pub memory: u64,
    /// Additional waiting because the memory is remote.
    pub remote: u64,
    /// Additional waiting while a cache is being filled.
    pub warm_up: u64,
    /// The part of the waiting that grows when bandwidth is short.
    pub scaled: u64,
    /// Bytes that it moves to and from memory, in units of 2^-20.
    pub traffic: u64,
    /// The level that serves most of its lines: 1, 2, 3; 4 is memory.
    pub served_by: u8,
    /// Whether a cache behind a shared port serves most of its lines.
    pub ported: bool,
}

impl Mix {
    /// All waiting.
    #[must_use]
    #[inline]
    pub fn waiting(&self) -> u64 {
        self.l2 + self.l3 + self.memory + self.remote + self.warm_up
    }

    /// Whether sums of it cannot overflow. A restored mix may fail this.
    pub fn is_possible(&self) -> bool {
        let times = [
            self.compute,
            self.at_clock,
            self.l2,
            self.l3,
            self.memory,
            self.remote,
            self.warm_up,
            self.scaled,
            self.traffic,
        ];
        times.iter().all(|t| *t < 1 << 50)
    }
}

/// A cache as one thread sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// 1, 2, 3.
    pub level: u8,
    /// Bytes of it that the thread gets.
    pub capacity: u64,
    /// Time for a line, in ps.
    pub line_ps: u64,
    /// How it drops lines.
    pub replacement: Replacement,
    /// Whether it lies behind a port that cores share.
    pub ported: bool,
}

/// The sweep of a thread, and the costs that apply to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// What it does with its data.
    pub data: DataUse,
    /// Its working set.
    pub bytes: u64,
    /// Compute time of an iteration at the nominal clock, in fs.
    pub compute: u64,
    /// Compute time of an iteration at the clock of its core.
    pub at_clock: u64,
    /// Time for a line from local memory, in ps.
    pub memory_ps: u64,
    /// Time for a line from the thread's own memory, relative to local memory, in thousandths.
    pub distance_milli: u64,
    /// Width of the LRU step, in thousandths.
    pub step_milli: u16,
}

sim_ground::constants! {
    /// Bytes of the array that one iteration of the array loop sweeps.
    SWEEP_BYTES: u64 = 8, "bytes", Assumed,
        "An array of doubles: the published loop of Jeremy 2013 is described in words only.";
    /// Bytes that memory moves for each byte of the array loop.
    SWEEP_TRAFFIC: u64 = 2, "", Assumed,
        "Each element is read and written back.";
}

/// Bytes that an iteration sweeps, and bytes of memory traffic for each of them.
#[must_use]
#[inline]
pub fn shape(data: DataUse) -> (u64, u64) {
    match data {
        DataUse::Footprint => (0, 0),
        DataUse::Sweep => (SWEEP_BYTES, SWEEP_TRAFFIC),
        DataUse::Chase => (LINE, 1),
    }
}

/// Compute time of an iteration at the nominal clock, in fs. For a class without data any number is right, because it
/// has no iteration of its own.
#[must_use]
#[inline]
pub fn compute_fs(data: DataUse, work: &WorkSpec, clock_mhz: u32) -> u64 {
    let milli_cycles = match data {
        DataUse::Footprint => return ONE,
        DataUse::Sweep => work.loop_milli_cycles,
        DataUse::Chase => work.chase_milli_cycles,
    };
    (u64::from(milli_cycles) * 1_000_000 / u64::from(clock_mhz).max(1)).max(1)
}

/// Share of the lines that each level serves, innermost first, in units of 2^-20; the rest comes from memory.
#[inline]
pub fn served<'a>(sweep: &'a Sweep, levels: &'a [Level]) -> impl Iterator<Item = u64> + use<'a> {
    let mut left = ONE;
    levels.iter().map(move |l| {
        let hit = hit::share(
            sweep.bytes,
            l.capacity,
            sweep.data,
            l.replacement,
            sweep.step_milli,
        );
        let served = product(left, hit, ONE);
        left -= served;
        served
    })
}

/// Waiting time of one iteration if each of its lines costs `line_ps`, in fs.
fn wait_fs(bytes: u64, line_ps: u64) -> u64 {
    bytes * line_ps * 1000 / LINE
}

/// Computes the mix of an iteration.
///
/// `filling` is set while the cache that will serve the sweep is being filled: the cost of a line from the source in
/// ps, and whether the source is memory. It is `None` if the cache holds the set.
#[must_use]
#[inline]
pub fn mix(sweep: &Sweep, levels: &[Level], filling: Option<(u64, bool)>) -> Mix {
    let mut mix = Mix {
        compute: sweep.compute,
        at_clock: sweep.at_clock,
        served_by: 1,
        ..Mix::default()
    };
    let (bytes, factor) = shape(sweep.data);
    if bytes == 0 {
        return mix;
    }
    let (mut left, mut most) = (ONE, 0);
    for (level, served) in levels.iter().zip(served(sweep, levels)) {
        left -= served;
        if served > most {
            most = served;
            mix.served_by = level.level;
            mix.ported = level.ported;
        }
        let wait = product(wait_fs(bytes, level.line_ps), served, ONE);
        match level.level {
            1 => {}
            2 => mix.l2 += wait,
            _ => mix.l3 += wait,
        }
    }
    if left > most {
        mix.served_by = 4;
        mix.ported = false;
    }
    let local = product(wait_fs(bytes, sweep.memory_ps), left, ONE);
    mix.memory = local;
    mix.remote = product(local, sweep.distance_milli.saturating_sub(1000), 1000);
    mix.scaled = mix.memory + mix.remote;
    mix.traffic = bytes * factor * left;
    if let Some((line_ps, from_memory)) = filling {
        let filled = wait_fs(bytes, line_ps);
        mix.warm_up = filled.saturating_sub(mix.waiting());
        if from_memory {
            mix.scaled = filled.max(mix.scaled);
            mix.traffic = bytes * factor * ONE;
        }
    }
    mix
}
