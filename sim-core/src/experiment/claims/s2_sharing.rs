//! One core: interactive threads beside a batch thread (S2a), a server and its load generator (S2b).

use super::old::{Old as Measure, raw};
use super::s2_runs::{Lane, MS, SECOND, every, key, mean, run};
use super::{Effort, Results};
use crate::experiment::run::Run;
use crate::metrics::real;

/// Interactive threads of S2a.
const INTERACTIVE: f64 = 80.0;
/// Two rounds of 80 threads that get half of the CPU and leave it at ticks of 4 ms.
const TWO_ROUNDS_S: f64 = 1.28;
const BATCH_LANES: [Lane; 3] = [Lane::Cfs, Lane::CfsPlain, Lane::Port];
/// The probe `groups` looks this often, until all lanes are through.
const LOOK: u64 = 50 * MS;
const ALL_ENDED: u64 = 45 * SECOND;

pub(super) fn batch_runs(effort: Effort) -> Vec<Run> {
    let seeds = |lane| (1..=effort.seeds).map(move |seed| (lane, seed));
    let all = BATCH_LANES.into_iter().flat_map(seeds);
    all.map(|(lane, seed)| {
        let key = key('a', lane, "", seed);
        let mut run = run(key, "s2a-interactive-batch", lane, "groups", seed);
        run.at = every(LOOK, LOOK, ALL_ENDED).collect();
        run
    })
    .collect()
}

/// What the probe `groups` saw at one moment, of the interactive application and of the batch application.
#[derive(Clone, Copy, Debug)]
struct Look {
    at: f64,
    cpu: [f64; 2],
    ended: [f64; 2],
    last_exit: [f64; 2],
    longest_wait: f64,
}

impl Look {
    fn all(values: &[f64]) -> Vec<Self> {
        let read = |v: &[f64]| Self {
            at: v[0],
            cpu: [v[1], v[5]],
            ended: [v[2], v[6]],
            last_exit: [v[3], v[7]],
            longest_wait: v[4],
        };
        values.chunks_exact(9).map(read).collect()
    }
}

/// What a run of S2a gave; times in s.
#[derive(Clone, Copy, Debug)]
struct Batch {
    /// Share of the batch thread while all threads of both applications live.
    shared: f64,
    /// Its share from when the interactive application has ended until it ends.
    alone: f64,
    /// When the interactive application has ended, and both.
    interactive_s: f64,
    both_s: f64,
    /// Longest wait of an interactive thread.
    longest_wait_s: f64,
}

fn batch_seen(values: &[f64]) -> Option<Batch> {
    let looks = Look::all(values);
    let all_live = |l: &&Look| l.ended.iter().sum::<f64>() < 0.5;
    let shared = looks.iter().rev().find(all_live)?;
    let first_alone = looks.iter().find(|l| l.ended[0] > INTERACTIVE - 0.5)?;
    let end = looks.last().filter(|l| l.ended[1] > 0.5)?;
    let left = end.last_exit[1] - first_alone.at;
    Some(Batch {
        shared: shared.cpu[1] / (shared.cpu[0] + shared.cpu[1]),
        alone: if left > 0.0 {
            (end.cpu[1] - first_alone.cpu[1]) / left
        } else {
            1.0
        },
        interactive_s: end.last_exit[0] / 1e9,
        both_s: end.last_exit[0].max(end.last_exit[1]) / 1e9,
        longest_wait_s: end.longest_wait / 1e9,
    })
}

pub(super) fn batch(results: &Results) -> Vec<Measure> {
    let seen = |lane, value: fn(&Batch) -> f64| {
        let seeds = 1..=results.effort().seeds;
        mean(seeds.map(|seed| {
            let seen = batch_seen(raw(results, &key('a', lane, "", seed)));
            seen.as_ref().map_or(f64::NAN, value)
        }))
    };
    let ratio =
        |value: fn(&Batch) -> f64| -> f64 { seen(Lane::Port, value) / seen(Lane::Cfs, value) };
    let cfs = seen(Lane::Cfs, |b| b.shared);
    vec![
        Measure::about(
            "CFS, a group for each application: share of the batch thread",
            cfs,
            0.5,
            0.05,
        ),
        Measure::about(
            "CFS, a group for each application: share of the interactive threads",
            1.0 - cfs,
            0.5,
            0.05,
        ),
        Measure::within(
            "CFS, no groups: share of the batch thread",
            seen(Lane::CfsPlain, |b| b.shared),
            1.0 / 81.0,
            0.0,
            0.03,
        ),
        Measure::within(
            "ULE: share of the batch thread",
            seen(Lane::Port, |b| b.shared),
            0.0,
            0.0,
            0.03,
        ),
        Measure::within(
            "ULE: share of the batch thread, then alone",
            seen(Lane::Port, |b| b.alone),
            1.0,
            0.97,
            1.0,
        ),
        Measure::within(
            "interactive application, time of ULE / CFS",
            ratio(|b| b.interactive_s),
            0.5,
            0.0,
            0.65,
        ),
        Measure::about(
            "both applications, time of ULE / CFS",
            ratio(|b| b.both_s),
            1.0,
            0.05,
        ),
        Measure::within(
            "ULE: longest wait of an interactive thread, s",
            seen(Lane::Port, |b| b.longest_wait_s),
            10.0,
            5.0,
            f64::INFINITY,
        ),
        Measure::within(
            "CFS: longest wait of an interactive thread, s",
            seen(Lane::Cfs, |b| b.longest_wait_s),
            0.64,
            0.0,
            TWO_ROUNDS_S,
        ),
    ]
}

/// Requests of a run of S2b: the source had a million.
const REQUESTS: u64 = 20_000;
/// When the injector begins: the server is there before its client.
const INJECTOR_NS: u64 = 100 * MS;

pub(super) fn request_runs() -> Vec<Run> {
    let one = |lane| {
        let mut run = run(
            key('b', lane, "", 1),
            "s2b-request-server",
            lane,
            "preemptions",
            1,
        );
        run.at = every(500 * MS, 500 * MS, 6 * SECOND).collect();
        run.param("ab", "requests", REQUESTS)
            .group("ab", "startNs", INJECTOR_NS)
    };
    [Lane::Cfs, Lane::Port].map(one).into()
}

pub(super) fn requests(results: &Results) -> Vec<Measure> {
    // Time and preemptions of the injector for a request.
    let seen = |lane| {
        let values = raw(results, &key('b', lane, "", 1));
        // The last look: time, the server's four values, the injector's.
        let Some([_, ended, preempted, _]) = values.last_chunk::<4>() else {
            return (f64::NAN, f64::NAN);
        };
        let n = real(REQUESTS);
        let took = if *ended > 0.0 {
            ended - real(INJECTOR_NS)
        } else {
            f64::NAN
        };
        (took / n / 1e3, preempted / n)
    };
    let ((cfs_us, cfs_preempted), (ule_us, ule_preempted)) = (seen(Lane::Cfs), seen(Lane::Port));
    vec![
        Measure::within(
            "CFS: preemptions of the injector for each request",
            cfs_preempted,
            2.0,
            1.5,
            3.0,
        ),
        Measure::about(
            "ULE: preemptions of the injector for each request",
            ule_preempted,
            0.0,
            0.0,
        ),
        Measure::about("requests/s, ULE / CFS", cfs_us / ule_us, 1.39, 0.12),
        Measure::about("CFS: time for a request, µs", cfs_us, 257.0, 257.0 * 0.15),
        Measure::about(
            "ULE: time for a request, µs (calibrated)",
            ule_us,
            185.0,
            185.0 * 0.15,
        ),
    ]
}
