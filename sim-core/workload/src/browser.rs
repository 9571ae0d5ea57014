//! A browser in use: five kinds of threads that sleep most of the time and wake each other.
//!
//! | kind | wakes | by |
//! |---|---|---|
//! | interface | at intervals | its user; hands most events to the page |
//! | network | often | a device's interrupt on any CPU; hands data to the page |
//! | page | | interface and network; hands each change to the compositor |
//! | compositor | | the page |
//! | media | 60 times a second | a timer of its CPU |
//!
//! The kinds are those that a published simulation of browsing took from traces, each a single-threaded process. Its
//! times are not published; the times here are choices.

use super::{Behaviour, BehaviourInfo, Channel, Phase, TYPICAL, WakeVia, WorkCx};
use sim_ground::ids::CpuId;
use sim_ground::params::{ParamSpec, Params};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "browser",
    name: "Browser",
    summary: "Threads of five kinds (interface, network, page, compositor, media) that sleep most of the time and wake each other.",
    uses_working_set: true,
    offered: true,
    working_set_bytes: SET,
    class: TYPICAL,
    params: PARAMS,
    make,
};

sim_ground::constants! {
    /// Working set if the scenario gives none.
    SET: u64 = 262_144, "bytes", Assumed, "A choice: within the second-level cache of most presets.";
    /// Mean length of a burst of work of interface, network, page, compositor, media.
    BURST_US: [u64; KINDS as usize] = [800, 150, 3_000, 1_500, 2_000], "µs", Assumed,
        "Choices: the kinds of threads are those of a published simulation of browsing, its times are not published.";
    /// Time between two frames.
    FRAME_NS: u64 = 16_666_667, "ns", Assumed, "60 frames a second, as most screens of the time.";
}

const PARAMS: &[ParamSpec] = &[
    ParamSpec::int("workPercent", 1, 1_000, 100)
        .label("work")
        .unit("%")
        .summary("Length of all bursts of work against the default; 200 is a page twice as heavy.")
        .assumed("a choice of the scenario")
        .log(),
    ParamSpec::int("eventsPerSecond", 1, 1_000, 20)
        .label("events of the user")
        .unit("1/s")
        .summary("How often the user clicks, types or scrolls, on average.")
        .assumed("a choice of the scenario")
        .log(),
    ParamSpec::int("packetsPerSecond", 1, 10_000, 60)
        .label("data from the network")
        .unit("1/s")
        .summary("How often data arrive, on average.")
        .assumed("a choice of the scenario")
        .log(),
];

/// Kinds of threads, in the order of their numbers.
const KINDS: u32 = 5;
const INTERFACE: u32 = 0;
const NETWORK: u32 = 1;
const PAGE: u32 = 2;
const COMPOSITOR: u32 = 3;

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    Ok(Box::new(Browser {
        work_percent: params.get_u64("workPercent"),
        event_ns: 1_000_000_000 / params.get_u64("eventsPerSecond").max(1),
        packet_ns: 1_000_000_000 / params.get_u64("packetsPerSecond").max(1),
        step: Step::Wait,
    }))
}

#[derive(Debug)]
struct Browser {
    work_percent: u64,
    event_ns: u64,
    packet_ns: u64,
    step: Step,
}

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Wait,
    Work,
    HandOn,
}

impl Browser {
    fn wait(&self, kind: u32, channel: impl Fn(u32) -> Channel, cx: &mut WorkCx<'_>) -> Phase {
        match kind {
            INTERFACE => Phase::Sleep {
                ns: cx.rng.exponential(self.event_ns).max(1),
                via: WakeVia::Timer,
            },
            NETWORK => {
                let cpu = cx.rng.below(u32::from(cx.cpus));
                Phase::Sleep {
                    ns: cx.rng.exponential(self.packet_ns).max(1),
                    via: WakeVia::Interrupt(CpuId(u16::try_from(cpu).unwrap_or(0))),
                }
            }
            // A thread handles everything that has arrived at once, as it would handle a queue of events.
            PAGE | COMPOSITOR => Phase::Take {
                channel: channel(kind),
                most: u32::MAX,
            },
            _ => Phase::Sleep {
                ns: FRAME_NS,
                via: WakeVia::Timer,
            },
        }
    }
}

impl Behaviour for Browser {
    fn next(&mut self, cx: &mut WorkCx<'_>) -> Phase {
        let position = cx.number.saturating_sub(1);
        let kind = position % KINDS;
        // The channels connect the threads of one browser.
        let channel = |kind: u32| Channel {
            port: 0,
            number: position / KINDS * KINDS + kind,
        };
        loop {
            match self.step {
                Step::Wait => {
                    self.step = Step::Work;
                    return self.wait(kind, channel, cx);
                }
                Step::Work => {
                    self.step = Step::HandOn;
                    let mean = BURST_US[kind as usize] * 10 * self.work_percent;
                    return Phase::Run(cx.rng.exponential(mean).max(1));
                }
                Step::HandOn => {
                    self.step = Step::Wait;
                    let to = match kind {
                        INTERFACE | NETWORK => PAGE,
                        PAGE => COMPOSITOR,
                        _ => continue,
                    };
                    return Phase::Post {
                        channel: channel(to),
                        tokens: 1,
                        sync: false,
                    };
                }
            }
        }
    }

    fn save(&self, out: &mut Vec<u64>) {
        out.push(match self.step {
            Step::Wait => 0,
            Step::Work => 1,
            Step::HandOn => 2,
        });
    }

    fn load(&mut self, words: &[u64]) {
        self.step = match words.first() {
            Some(1) => Step::Work,
            Some(2) => Step::HandOn,
            _ => Step::Wait,
        };
    }
}
