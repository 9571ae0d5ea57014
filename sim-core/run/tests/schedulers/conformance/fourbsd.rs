//! Cases of 4BSD's arithmetic: estcpu, load averages, %CPU, priorities.

use serde::Deserialize;
use sim_run::sched::fourbsd::arithmetic::{
    Scale, after_sleep, decayed, hog_ticks, load_averages, percent_cpu, rr_interval,
};

/// A table of numbers. Load averages are raw: 2048 is one thread.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub(super) enum Table {
    /// Largest estcpu: pairs (CPUs, limit).
    Limit {
        era: String,
        limits: Vec<(u32, u32)>,
    },
    /// Priority after ticks without decay: triples (ticks, nice, priority).
    Priority {
        era: String,
        cpus: u32,
        after: Vec<(u64, i8, u8)>,
    },
    /// Seconds at a load average until estcpu is no more than a limit: triples (load, limit, seconds).
    Decay {
        from: u32,
        seconds: Vec<(u32, u32, u32)>,
    },
    /// Estcpu after sleeps: pairs (`slptime`, estcpu).
    Sleep {
        from: u32,
        load: u32,
        after: Vec<(u32, u32)>,
    },
    /// The load average of 1, 5 or 15 minutes: pairs (samples, average).
    Load {
        minutes: u8,
        from: u32,
        runnable: u32,
        after: Vec<(u32, u32)>,
    },
    /// The load average of 1 minute from 0 in threads, one value for each sample, rounded to a tenth.
    LoadInThreads { runnable: u32, after: Vec<f64> },
    /// %CPU, raw: pairs (seconds, value), with this many ticks charged each second.
    Percent {
        from: u32,
        stathz: u32,
        ticks: u32,
        after: Vec<(u32, u32)>,
    },
    /// Slices as user and kernel code read them: rows (slice, hz, stathz, round-robin interval, `hogticks`).
    RoundRobin {
        rows: Vec<(u32, u32, u32, u32, u32)>,
    },
    /// Estcpu of a parent after its child's exit: rows (parent, child, after).
    Exit {
        era: String,
        cpus: u32,
        rows: Vec<(u32, u32, u32)>,
    },
}

fn differ<T: PartialEq + std::fmt::Debug>(what: &str, expected: &T, seen: &T) -> Option<String> {
    (expected != seen).then(|| format!("{what}: expected {expected:?}, saw {seen:?}"))
}

/// The differences; empty if the facts hold.
pub(super) fn differences(table: &Table) -> Vec<String> {
    let all: Vec<Option<String>> = match table {
        Table::Limit { era, limits } => limits
            .iter()
            .map(|(cpus, limit)| {
                let seen = Scale::new(era, *cpus).limit;
                differ(&format!("limit on {cpus} CPUs"), limit, &seen)
            })
            .collect(),
        Table::Priority { era, cpus, after } => after
            .iter()
            .map(|(ticks, nice, priority)| {
                let scale = Scale::new(era, *cpus);
                let seen = scale.user_priority(scale.charged(0, *ticks), *nice);
                differ(&format!("{ticks} ticks at nice {nice}"), priority, &seen)
            })
            .collect(),
        Table::Decay { from, seconds } => seconds
            .iter()
            .map(|(load, at_most, wanted)| {
                let mut left = *from;
                let mut seen = 0;
                while left > *at_most && seen < 1_000 {
                    left = decayed(left, load * 2_048);
                    seen += 1;
                }
                differ(&format!("seconds at load {load}"), wanted, &seen)
            })
            .collect(),
        Table::Sleep { from, load, after } => after
            .iter()
            .map(|(slept, left)| {
                let seen = after_sleep(*from, *slept, *load);
                differ(&format!("asleep for {slept}"), left, &seen)
            })
            .collect(),
        Table::Load {
            minutes,
            from,
            runnable,
            after,
        } => after
            .iter()
            .map(|(samples, average)| {
                let seen = (0..*samples).fold([*from; 3], |l, _| load_averages(l, *runnable));
                let which = usize::from(*minutes / 5).min(2);
                differ(&format!("after {samples} samples"), average, &seen[which])
            })
            .collect(),
        Table::LoadInThreads { runnable, after } => {
            let mut load = [0; 3];
            let mut wrong = Vec::new();
            for (i, average) in after.iter().enumerate() {
                load = load_averages(load, *runnable);
                let seen = f64::from(load[0]) / 2_048.0;
                if (seen - average).abs() > 0.051 {
                    wrong.push(differ(&format!("sample {i}"), average, &seen));
                }
            }
            wrong
        }
        Table::Percent {
            from,
            stathz,
            ticks,
            after,
        } => after
            .iter()
            .map(|(seconds, value)| {
                let seen = (0..*seconds).fold(*from, |p, _| percent_cpu(p, *ticks, *stathz));
                differ(&format!("after {seconds} s"), value, &seen)
            })
            .collect(),
        Table::RoundRobin { rows } => rows
            .iter()
            .map(|(slice, hz, stathz, interval, hog)| {
                let seen = (
                    rr_interval(*slice, *hz, *stathz),
                    hog_ticks(*slice, *hz, *stathz),
                );
                differ(&format!("slice {slice}"), &(*interval, *hog), &seen)
            })
            .collect(),
        Table::Exit { era, cpus, rows } => rows
            .iter()
            .map(|(parent, child, after)| {
                let seen = Scale::new(era, *cpus).inherited(*parent, *child);
                differ(&format!("{parent} and {child}"), after, &seen)
            })
            .collect(),
    };
    all.into_iter().flatten().collect()
}
