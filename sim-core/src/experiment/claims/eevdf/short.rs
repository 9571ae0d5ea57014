//! Short slices among long ones (Galbraith 2024).

use super::{SCENARIO, SECOND, TABLE, now};
use crate::experiment::claims::{Effort, Results, Seen, Value};
use crate::experiment::collect::{self, Values, json};
use crate::experiment::figure::{Figure, Frame, Kind, Scale, Series, TimeOfX};
use crate::experiment::numbers::{all_seeds, key, keys, mean, samples, sum};
use crate::experiment::published;
use crate::experiment::run::Run;
use crate::experiment::stats::Estimate;
use crate::metrics::real;
use crate::property::Set;

/// The table about short slices, with and without the rule.
const RULE: [(bool, &str); 2] = [(false, "without"), (true, "with")];

fn runs_of(with: &str) -> String {
    format!("EEVDF/short/{with}")
}

/// The intervals at which the threads of cyclictest wake, in µs: its defaults.
const CYCLIC: [u64; 4] = [1_000, 1_500, 2_000, 2_500];
/// CPU time of a wake-up of cyclictest in µs: 12.6 s for 640,000.
const WAKE_US: u64 = 20;

/// The programs that play the clip: threads, and their CPU time and turns in five minutes, as in the mail. Each is
/// modelled as a thread that sleeps at random, because it is not known which threads wake which. The player of sounds
/// is in the real-time class.
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
/// Duration of the measurement there, in µs.
const MEASURED_US: u64 = 300_000_000;

/// A group of sleepers, as a scenario writes it.
fn sleepers(name: &str, count: u64, more: &str, [compute, sleep]: [u64; 2], shape: &str) -> Set {
    let text = format!(
        r#"{{"process":"{name}","count":{count},{more}"behaviour":{{"kind":"interactive","params":{{
            "computeUs":{compute},"computeShape":"{shape}","sleepUs":{sleep},"sleepShape":"{shape}"}}}}}}"#
    );
    Set::new(format!("groups.{name}"), json(&text))
}

fn run(rule: bool, with: &str, seed: u64) -> Run {
    let key = key(&runs_of(with), seed);
    let mut run = collect::run(key, SCENARIO, now(), "sweep", seed);
    run.set("machine", "rpi4");
    for &(tunable, value) in &[("preemptShort", rule), ("preempt", true)] {
        run.set(format!("lanes.eevdf.{tunable}"), value);
    }
    for &group in &["hog", "half"] {
        run.set(format!("groups.{group}"), serde_json::Value::Null);
    }
    // Hogs that would each use 88 % of a CPU.
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
    run.set("end.atNs", 31 * SECOND);
    run
}

/// The growth of a column, summed over all threads of cyclictest.
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
    let runs = runs_of(with);
    let waits = samples(results, &runs, seeds, |seen| cyclic(seen, "waitNs"));
    let turns = samples(results, &runs, seeds, |seen| cyclic(seen, "switches"));
    (!waits.is_empty()).then(|| Estimate::ratio(&waits, &turns).times(1e-6))
}

/// A number with the rule divided by the same number without it, over the seeds; simulated and published.
fn with_rule(results: &Results, of: &dyn Fn(&Seen) -> f64, path: &str) -> (Estimate, f64) {
    let seeds = results.effort().seeds;
    let without = samples(results, &runs_of(RULE[0].1), seeds, of);
    let with = samples(results, &runs_of(RULE[1].1), seeds, of);
    let there = published::rows(TABLE, path);
    (
        Estimate::ratio(&with, &without),
        mean(&there[1]) / mean(&there[0]),
    )
}

pub(super) fn runs(effort: Effort) -> Vec<Run> {
    let mut all = Vec::new();
    for &(rule, with) in &RULE {
        for seed in all_seeds(effort.seeds) {
            all.push(run(rule, with, seed));
        }
    }
    all
}

pub(super) fn values(results: &Results) -> Vec<Value> {
    let mut values = Values::new();
    let wait = |seen: &Seen| cyclic(seen, "waitNs") / cyclic(seen, "switches");
    let (here, there) = with_rule(results, &wait, "/short/waits");
    values.add("wait", here).published(there);
    let turns = |seen: &Seen| seen.grown("massive_intr/switches");
    let (here, there) = with_rule(results, &turns, "/short/turnsOfMassiveIntr");
    values.add("turns", here).published(there);
    values.all()
}

const WAITS: Frame = Frame {
    id: "waits",
    title: "Short slices among long ones",
    definition: "Mean wait of the threads of cyclictest before a turn, without (0) and with (1) the rule that a short slice \
                 preempts.",
    kind: Kind::Curves,
    x: Scale::new("rule", ""),
    y: Scale::new("mean wait", "ms"),
    moment: Some(TimeOfX {
        origin_ns: 1e9,
        per_x_ns: 0.0,
    }),
};

pub(super) fn figure(results: &Results) -> Figure {
    let mut waits = Figure::new(&WAITS);
    let mut line = Series::new("cyclictest", "cyclictest", "eevdf", "ms");
    let there = published::rows(TABLE, "/short/waits");
    for (i, (_, with)) in RULE.iter().enumerate() {
        let x = real(i as u64);
        if let Some(wait) = wait_ms(results, with) {
            let seeds = results.effort().seeds;
            line.add(x, wait, keys(results, &runs_of(with), seeds));
        }
        line.published.push((x, mean(&there[i])));
    }
    line.provenance = "measured";
    waits.series.push(line);
    waits
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mail says this: four hogs of 88 % each leave little of four CPUs.
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
}
