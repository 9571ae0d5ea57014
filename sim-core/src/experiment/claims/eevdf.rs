//! CFS and EEVDF, 2023 to 2025: what kernel developers published about the change, as far as the workload is defined; and
//! the bound that the theory of EEVDF has.
//!
//! Not known from the sources: how long the half-idle threads compute between two sleeps (Zijlstra 2023), and who wakes
//! whom in the browser that plays a clip beside cyclictest and massive_intr (Galbraith 2024).
//!
//! Not run: what was measured of data bases and web servers (`notRun` in `scenarios/published/eevdf.json`).

use super::{Effort, Experiment, Measure, Page, Results, Seen};
use crate::experiment::change::{Change, WhatIf};
use crate::experiment::collect::{self, Setting, Values, json};
use crate::experiment::figure::{Figure, Frame, Kind, Moment, Scale, Series};
use crate::experiment::numbers::{all_seeds, key, keys, largest, mean, samples, sum};
use crate::experiment::published;
use crate::experiment::run::{Chosen, Run};
use crate::experiment::stats::Estimate;
use crate::metrics::real;

/// The experiment.
pub(super) const EEVDF: Experiment = Experiment {
    id: "EEVDF",
    pages: &[Page {
        id: "eevdf",
        more: |_| long_bursts(),
        figures,
        what_ifs,
    }],
    measures: &[
        Measure::at(
            "share",
            "share of the thread that always computes, %",
            "# ms bursts",
        ),
        Measure::at("turn", "mean turn of a hog, ms", "a request of # ms"),
        Measure::new("wait", "mean wait of cyclictest, with / without the rule"),
        Measure::new("turns", "turns of massive_intr, with / without the rule"),
        Measure::at(
            "owed",
            "most service that a thread is owed / its longest request",
            "# threads",
        ),
        Measure::at(
            "ahead",
            "most service that a thread is ahead / its longest request",
            "# threads",
        ),
        Measure::at(
            "aheadOfAsked",
            "most service that a thread is ahead / the slice that it asks for",
            "# threads",
        ),
    ],
    runs,
    values,
};

const MS: u64 = 1_000_000;
const SECOND: u64 = 1_000 * MS;
/// The scenario that the runs change.
const SCENARIO: &str = "cfs-eevdf";
const TABLE: &str = "eevdf";

/// The schedulers of the first claim. What was proposed in March 2023 is what 6.6 has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lane {
    Cfs,
    First,
    Now,
}

const LANES: [Lane; 3] = [Lane::Cfs, Lane::First, Lane::Now];

impl Lane {
    fn id(self) -> &'static str {
        match self {
            Self::Cfs => "cfs",
            Self::First => "6.6",
            Self::Now => "6.12",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Cfs => "CFS",
            Self::First => "EEVDF 6.6",
            Self::Now => "EEVDF 6.12",
        }
    }

    /// What the hog is said to get, in percent.
    fn stated(self) -> Option<f64> {
        let path = match self {
            Self::Cfs => "/half/cfs",
            Self::First => "/half/eevdf",
            Self::Now => return None,
        };
        Some(published::number(TABLE, path))
    }

    fn chosen(self) -> Chosen {
        let (id, era) = match self {
            Self::Cfs => ("cfs", "4.9"),
            Self::First => ("eevdf", "6.6"),
            Self::Now => ("eevdf", "6.12"),
        };
        Chosen {
            tunable: Some(("groupPerApplication", false.into())),
            ..super::choice(id, era)
        }
    }
}

/// Lengths of bursts and sleeps in µs.
const BURSTS: [u64; 6] = [300, 1_000, 5_000, 10_000, 20_000, 50_000];
/// So many of them, the first ones, a stress program may have: CFS credits a sleeper with 12 ms on eight CPUs and more,
/// and these are shorter. Of the others only the figure tells.
const JUDGED: usize = 4;

fn half_runs(lane: Lane) -> String {
    format!("EEVDF/half/{}", lane.id())
}

fn half_run(lane: Lane, burst: u64) -> Run {
    let key = key(&half_runs(lane), burst);
    let mut run = Run::new(key, SCENARIO, lane.chosen(), "threads");
    for &param in &["computeUs", "sleepUs"] {
        collect::param_number(&mut run, "half", param, burst);
    }
    // The first turns are those of new threads.
    run.at = vec![SECOND];
    collect::end(&mut run, 21 * SECOND);
    run
}

/// What only the figure shows: the release of today, and bursts that the credit does not cover.
fn long_bursts() -> Vec<Run> {
    let mut all = Vec::new();
    for &lane in &LANES {
        for &burst in &BURSTS {
            all.push(half_run(lane, burst));
        }
    }
    all
}

/// Share of the hog in percent, if the run was made.
fn share(results: &Results, lane: Lane, burst: u64) -> Option<f64> {
    let seen = results.find(&key(&half_runs(lane), burst))?;
    let (hog, half) = (seen.grown("thread/0/cpuNs"), seen.grown("thread/1/cpuNs"));
    Some(100.0 * hog / (hog + half))
}

/// Two hogs on one CPU of eight or more, at 1000 Hz: base slice before scaling in ns, ticks in a second, and what is said
/// of the tick.
const TURNS: [(u64, u64, &str); 4] = [
    (750_000, 1_001, "tick 0.1 % early"),
    (700_000, 1_001, "tick 0.1 % early"),
    (750_000, 1_000, "tick on time"),
    (700_000, 1_000, "tick on time"),
];

fn turn_key(slice: u64, hz: u64) -> String {
    key(&key("EEVDF/turn", slice), hz)
}

fn turn_run(slice: u64, hz: u64) -> Run {
    let mut run = Run::new(turn_key(slice, hz), SCENARIO, Lane::Now.chosen(), "sweep");
    let half = "half".to_owned();
    run.changes.push(Change::RemoveGroup { group: half });
    collect::group_number(&mut run, "hog", "count", 2);
    for (tunable, value) in [("baseSliceNs", slice), ("hz", hz)] {
        run.changes.push(Change::tunable("eevdf", tunable, value));
    }
    run.at = vec![SECOND];
    collect::end(&mut run, 11 * SECOND);
    run
}

/// The table about short slices, with and without the rule.
const RULE: [(bool, &str); 2] = [(false, "without"), (true, "with")];

fn short_runs(with: &str) -> String {
    format!("EEVDF/short/{with}")
}

/// At which intervals the threads of cyclictest wake, in µs: those of its defaults.
const CYCLIC: [u64; 4] = [1_000, 1_500, 2_000, 2_500];
/// CPU time of a wake-up of cyclictest in µs: 12.6 s for 640,000.
const WAKE_US: u64 = 20;

/// What plays the clip: threads, and their CPU time and turns in five minutes, as the mail has them. Each is taken for a
/// thread that sleeps at random; who wakes whom is not known. The player of sounds is in the real-time class.
const CLIP: [(&str, u64, u64, u64); 13] = [
    ("chromium-browse", 8, 51_307, 125_222),
    ("ThreadPoolForeg", 4, 26_422, 45_000),
    ("Chrome_ChildIOT", 5, 22_542, 131_172),
    ("mutter", 1, 21_835, 48_508),
    ("VizCompositorTh", 1, 14_531, 63_787),
    ("Xorg", 1, 14_497, 67_315),
    (SOUND, 1, 13_935, 33_111),
    ("Media", 1, 12_571, 67_187),
    ("V4L2DecoderThre", 1, 9_156, 66_378),
    ("ThreadPoolSingl", 4, 9_079, 46_187),
    ("VideoFrameCompo", 1, 8_104, 50_025),
    ("pulseaudio", 1, 6_576, 44_952),
    ("threaded-ml", 1, 5_368, 29_503),
];
const SOUND: &str = "alsa-sink";
/// How long was measured there, in µs.
const MEASURED_US: u64 = 300_000_000;

/// A group of sleepers, as a scenario writes it.
fn sleepers(name: &str, count: u64, more: &str, [compute, sleep]: [u64; 2], shape: &str) -> Change {
    let text = format!(
        r#"{{"name":"{name}","process":"{name}","count":{count},{more}"behaviour":{{"kind":"interactive","params":{{
            "computeUs":{compute},"computeShape":"{shape}","sleepUs":{sleep},"sleepShape":"{shape}"}}}}}}"#
    );
    Change::AddGroup { added: json(&text) }
}

fn short_run(rule: bool, with: &str, seed: u64) -> Run {
    let key = key(&short_runs(with), seed);
    let mut run = collect::run(key, SCENARIO, Lane::Now.chosen(), "sweep", seed);
    collect::machine(&mut run, "rpi4");
    for &(tunable, value) in &[("preemptShort", rule), ("preempt", true)] {
        run.changes.push(Change::tunable("eevdf", tunable, value));
    }
    for &group in &["hog", "half"] {
        let group = group.to_owned();
        run.changes.push(Change::RemoveGroup { group });
    }
    // Hogs that would use 88 % of a CPU each.
    let long = r#""sliceNs":100000000,"#;
    let hogs = sleepers("massive_intr", 4, long, [8_000, 1_000], "constant");
    run.changes.push(hogs);
    for &interval in &CYCLIC {
        let name = format!("cyclictest-{interval}");
        let times = [WAKE_US, interval - WAKE_US];
        let short = r#""sliceNs":500000,"#;
        run.changes
            .push(sleepers(&name, 1, short, times, "constant"));
    }
    for &(name, threads, cpu_ms, turns) in &CLIP {
        let burst = cpu_ms * 1_000 / turns;
        let period = MEASURED_US * threads / turns;
        let more = if name == SOUND {
            r#""policy":"fifo","rtPriority":5,"#
        } else {
            ""
        };
        let times = [burst, period - burst];
        run.changes
            .push(sleepers(name, threads, more, times, "exponential"));
    }
    run.at = vec![SECOND];
    collect::end(&mut run, 31 * SECOND);
    run
}

/// Something of all threads of cyclictest.
fn cyclic(seen: &Seen, column: &str) -> f64 {
    let mut all = Vec::new();
    for &interval in &CYCLIC {
        all.push(seen.grown(&format!("cyclictest-{interval}/{column}")));
    }
    sum(&all)
}

/// Mean wait of cyclictest before a turn in ms.
fn wait_ms(results: &Results, with: &str) -> Option<Estimate> {
    let seeds = results.effort().seeds;
    let runs = short_runs(with);
    let waits = samples(results, &runs, seeds, &|seen| cyclic(seen, "waitNs"));
    let turns = samples(results, &runs, seeds, &|seen| cyclic(seen, "switches"));
    (!waits.is_empty()).then(|| Estimate::ratio(&waits, &turns).times(1e-6))
}

/// A number with the rule over the same without it, over the seeds; here and there.
fn with_rule(results: &Results, of: &dyn Fn(&Seen) -> f64, path: &str) -> (Estimate, f64) {
    let seeds = results.effort().seeds;
    let without = samples(results, &short_runs(RULE[0].1), seeds, of);
    let with = samples(results, &short_runs(RULE[1].1), seeds, of);
    let there = published::rows(TABLE, path);
    (
        Estimate::ratio(&with, &without),
        mean(&there[1]) / mean(&there[0]),
    )
}

/// Runs in which nobody comes or goes: nice values of the hogs on one CPU, and ticks in a second.
const LAGS: [(&[i8], u64, &str); 6] = [
    (&[0, 0], 1_000, "1000 Hz"),
    (&[0, 0, 0, 0, 0], 1_000, "1000 Hz"),
    (&[-5, 0, 5], 1_000, "1000 Hz, nice -5, 0 and 5"),
    (&[0, 0], 250, "250 Hz"),
    (&[0, 0, 0, 0, 0], 250, "250 Hz"),
    (&[-5, 0, 5], 250, "250 Hz, nice -5, 0 and 5"),
];
/// Weights of nice -5, 0 and 5 (`sched_prio_to_weight`).
const WEIGHTS: [(i8, f64); 3] = [(-5, 3_121.0), (0, 1_024.0), (5, 335.0)];
/// The default request on eight CPUs and more, in ns.
const REQUEST: u64 = 2_800_000;
/// How many ticks are looked at.
const LOOKS: u64 = 400;

fn lag_key(nice: &[i8], hz: u64) -> String {
    let mut text = format!("EEVDF/lag/{hz}");
    for value in nice {
        text = text + "/" + &value.to_string();
    }
    text
}

fn lag_run(nice: &[i8], hz: u64) -> Run {
    let mut run = Run::new(lag_key(nice, hz), SCENARIO, Lane::Now.chosen(), "threads");
    let half = "half".to_owned();
    run.changes.push(Change::RemoveGroup { group: half });
    collect::group(&mut run, "hog", "nice", nice[0].into());
    collect::group_number(&mut run, "hog", "startSpacingNs", 0);
    for (i, value) in nice[1..].iter().enumerate() {
        let text = format!(
            r#"{{"name":"hog-{}","count":1,"nice":{value},"allowed":[0],"startSpacingNs":0,
                "behaviour":{{"kind":"dhrystone"}}}}"#,
            i + 2
        );
        run.changes.push(Change::AddGroup { added: json(&text) });
    }
    run.changes.push(Change::tunable("eevdf", "hz", hz));
    let tick = SECOND / hz;
    run.at = (1..LOOKS).map(|n| n * tick).collect();
    collect::end(&mut run, LOOKS * tick);
    run
}

/// A request as the kernel serves it: it looks at ticks alone, so that a turn is a whole number of them.
fn served(hz: u64) -> u64 {
    let tick = SECOND / hz;
    REQUEST.div_ceil(tick) * tick
}

/// The most that a thread of the run is owed, and is ahead, in requests: what its weight gives it of the time that passed,
/// less what it had.
fn extremes(results: &Results, nice: &[i8], hz: u64) -> [f64; 2] {
    let seen = results.find(&lag_key(nice, hz));
    let seen = seen.expect("invariant: all runs are there");
    let mut weights = Vec::new();
    for value in nice {
        for (known, weight) in &WEIGHTS {
            if known == value {
                weights.push(*weight);
            }
        }
    }
    let mut had = Vec::new();
    for thread in 0..nice.len() {
        had.push(seen.looks(&format!("thread/{thread}/cpuNs")));
    }
    let (mut owed, mut ahead) = (Vec::new(), Vec::new());
    for look in 0..had[0].len() {
        let mut all = 0.0;
        for thread in &had {
            all += thread[look];
        }
        for (thread, weight) in weights.iter().enumerate() {
            let lag = all * weight / sum(&weights) - had[thread][look];
            owed.push(lag.max(0.0));
            ahead.push((-lag).max(0.0));
        }
    }
    let request = real(served(hz));
    [largest(&owed) / request, largest(&ahead) / request]
}

fn runs(claim: &str, effort: Effort) -> Vec<Run> {
    let mut all = Vec::new();
    match claim {
        "E-half" => {
            for &lane in &[Lane::Cfs, Lane::First] {
                for &burst in &BURSTS[..JUDGED] {
                    all.push(half_run(lane, burst));
                }
            }
        }
        "E-tick" => {
            for &(slice, hz, _) in &TURNS {
                all.push(turn_run(slice, hz));
            }
        }
        "E-short" | "E-short-size" => {
            for &(rule, with) in &RULE {
                for seed in all_seeds(effort.seeds) {
                    all.push(short_run(rule, with, seed));
                }
            }
        }
        _ => {
            for &(nice, hz, _) in &LAGS {
                all.push(lag_run(nice, hz));
            }
        }
    }
    all
}

fn values(claim: &str, results: &Results) -> Vec<super::Value> {
    let mut values = Values::new();
    match claim {
        "E-half" => {
            for &lane in &[Lane::Cfs, Lane::First] {
                let there = lane.stated().unwrap_or(f64::NAN);
                for &burst in &BURSTS[..JUDGED] {
                    let here = share(results, lane, burst);
                    let value = values.exact("share", here.unwrap_or(f64::NAN));
                    let value = value.of(lane.name()).at(real(burst) / 1e3);
                    value.published(there);
                }
            }
        }
        "E-tick" => {
            for &(slice, hz, tick) in &TURNS {
                let seen = results.find(&turn_key(slice, hz));
                let seen = seen.expect("invariant: all runs are there");
                let turn = seen.grown("hog/cpuNs") / seen.grown("hog/switches");
                let value = values.exact("turn", turn / 1e6);
                // 1 + log2 of eight CPUs.
                value.of(tick).at(real(slice) * 4.0 / 1e6);
            }
        }
        "E-short" | "E-short-size" => {
            let wait = |seen: &Seen| cyclic(seen, "waitNs") / cyclic(seen, "switches");
            let (here, there) = with_rule(results, &wait, "/short/waits");
            values.add("wait", here).published(there);
            let turns = |seen: &Seen| seen.grown("massive_intr/switches");
            let (here, there) = with_rule(results, &turns, "/short/turnsOfMassiveIntr");
            values.add("turns", here).published(there);
        }
        _ => {
            for &(nice, hz, what) in &LAGS {
                let [owed, ahead] = extremes(results, nice, hz);
                let threads = real(nice.len() as u64);
                if claim == "E-lag-asked" {
                    let asked = ahead * real(served(hz)) / real(REQUEST);
                    values.exact("aheadOfAsked", asked).of(what).at(threads);
                    continue;
                }
                for (measure, value) in [("owed", owed), ("ahead", ahead)] {
                    values.exact(measure, value).of(what).at(threads);
                }
            }
        }
    }
    values.all()
}

const SHARE: Frame = Frame {
    id: "share",
    title: "A thread that always computes beside one that sleeps half the time",
    definition: "CPU time of the first ÷ CPU time of both, over 20 simulated seconds on one CPU. The other computes as long as it \
                 sleeps.",
    kind: Kind::Curves,
    x: Scale::log("burst and sleep", "ms"),
    y: Scale::new("share of the first", "%"),
    moment: Some(Moment {
        origin_ns: 1e9,
        per_x_ns: 0.0,
    }),
};

const WAITS: Frame = Frame {
    id: "waits",
    title: "Short slices among long ones",
    definition: "Mean wait of the threads of cyclictest before a turn, without (0) and with (1) the rule that a short slice \
                 preempts.",
    kind: Kind::Curves,
    x: Scale::new("rule", ""),
    y: Scale::new("mean wait", "ms"),
    moment: Some(Moment {
        origin_ns: 1e9,
        per_x_ns: 0.0,
    }),
};

fn figures(results: &Results) -> Vec<Figure> {
    let mut shares = Figure::new(&SHARE);
    for &lane in &LANES {
        let mut line = Series::new(lane.id(), lane.name(), lane.chosen().id, "%");
        for &burst in &BURSTS {
            let x = real(burst) / 1e3;
            if let Some(here) = share(results, lane, burst) {
                line.add(x, Estimate::exact(here), vec![key(&half_runs(lane), burst)]);
            }
            if let Some(there) = lane.stated() {
                line.published.push((x, there));
            }
        }
        line.provenance = "stated";
        shares.series.push(line);
    }
    let mut waits = Figure::new(&WAITS);
    let mut line = Series::new("cyclictest", "cyclictest", "eevdf", "ms");
    let there = published::rows(TABLE, "/short/waits");
    for (i, (_, with)) in RULE.iter().enumerate() {
        let x = real(i as u64);
        if let Some(wait) = wait_ms(results, with) {
            let seeds = results.effort().seeds;
            line.add(x, wait, keys(results, &short_runs(with), seeds));
        }
        line.published.push((x, mean(&there[i])));
    }
    line.provenance = "measured";
    waits.series.push(line);
    vec![shares, waits]
}

fn what_ifs() -> Vec<WhatIf> {
    let mut all = Vec::new();
    let mut on = |id, label, tunable| {
        all.push(collect::what_if(
            id,
            label,
            Change::tunable("eevdf", tunable, false),
        ));
    };
    on("no-delay", "without delayed dequeue", "delayDequeue");
    on("no-lag", "without the lag of sleepers", "placeLag");
    on("no-parity", "without protection of a turn", "runToParity");
    collect::tunables(
        &mut all,
        &[(
            "hz-1000",
            "EEVDF at 1000 Hz",
            "eevdf",
            "hz",
            Setting::Int(1_000),
        )],
    );
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_served_in_whole_ticks() {
        assert_eq!([served(1_000), served(250)], [3 * MS, 4 * MS]);
        assert_eq!(served(10_000), REQUEST);
    }

    /// The mail says so: four hogs of 88 % each, and little is left of four CPUs.
    #[test]
    fn the_load_of_the_table_fills_four_cpus_nearly() {
        let mut cpu_ms = 12_600;
        for (name, threads, cpu, turns) in CLIP {
            cpu_ms += cpu;
            let burst = cpu * 1_000 / turns;
            assert!(burst < MEASURED_US * threads / turns, "{name}");
        }
        let hogs = 4.0 * 8.0 / 9.0;
        let used = hogs + real(cpu_ms) * 1e3 / real(MEASURED_US);
        assert!((3.9..4.4).contains(&used), "{used}");
    }

    #[test]
    fn a_credit_of_twelve_ms_covers_the_bursts_that_are_judged() {
        let credit_us = 6_000 * 4 / 2;
        let (judged, long) = BURSTS.split_at(JUDGED);
        assert!(judged.iter().all(|burst| *burst < credit_us));
        assert!(long.iter().all(|burst| *burst > credit_us));
    }
}
