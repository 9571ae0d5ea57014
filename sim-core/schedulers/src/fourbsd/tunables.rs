//! Tunables of 4BSD by era, with their sources, and their current values.

use super::era::{Era, Quantum};
use crate::freebsd::clocks::Rates;
use crate::freebsd::sleep::{self, SleepChoice};
use serde::{Deserialize, Serialize};
use sim_contract::lending::INHERITANCE;
use sim_ground::params::{ParamSpec, Params};

const KERNEL: &str = "sched_4bsd.c";

const fn hz() -> ParamSpec {
    ParamSpec::int("hz", 100, 10_000, 1_000)
        .label("kern.hz")
        .unit("Hz")
        .summary("Rate of the clock that counts ticks; the statistics clock, which charges threads and ends quanta, follows from it.")
        .published("1000 on x86 and sparc64, 100 in a virtual machine from 8.0 on")
        .log()
        .fixed()
}

const fn quantum(default_us: i64) -> ParamSpec {
    ParamSpec::int("quantum", 1_000, 10_000_000, default_us)
        .unit("us")
        .published(KERNEL)
        .log()
}

const QUANTUM_TICKS: ParamSpec = quantum(100_000)
    .label("kern.sched.quantum")
    .summary("How long a thread runs before others of its list come. It is kept in ticks of hz, rounded down, and counted from the last switch on the CPU.");
const QUANTUM_OF_SLICE: ParamSpec = quantum(94_488)
    .label("kern.sched.quantum")
    .summary("The slice in microseconds; writing it sets the slice to the nearest tick.");
const QUANTUM_C: ParamSpec = QUANTUM_OF_SLICE.label("kern.sched.4bsd.quantum");

const SLICE: ParamSpec = ParamSpec::int("slice", 1, 1_270, 12)
    .label("kern.sched.slice")
    .unit("ticks")
    .summary("Ticks of the statistics clock that a thread runs before others of its list come.")
    .published(KERNEL);
const SLICE_C: ParamSpec = SLICE.label("kern.sched.4bsd.slice");

const FUZZ: ParamSpec = ParamSpec::int("runqFuzz", 0, 256, 1)
    .label("kern.sched.runq_fuzz")
    .unit("threads")
    .summary("How many threads of the best list a CPU looks at for one that last ran on it. At 0 and 1 it takes the first.")
    .published(KERNEL);
const FUZZ_C: ParamSpec = FUZZ.label("kern.sched.4bsd.runq_fuzz");

const WAKEUP: ParamSpec = ParamSpec::flag("ipiwakeup", true)
    .label("kern.sched.ipiwakeup.enabled")
    .summary("Whether idle CPUs are signalled when a thread is queued; else they find it at their next clock interrupt.")
    .published(KERNEL);
const WAKEUP_C: ParamSpec = WAKEUP.label("kern.sched.4bsd.ipiwakeup.enabled");
const USE_MASK: ParamSpec = ParamSpec::flag("ipiwakeupMask", true)
    .label("kern.sched.ipiwakeup.usemask")
    .summary("Whether the mask of idle CPUs says whom to signal.")
    .published(KERNEL);
const USE_MASK_C: ParamSpec = USE_MASK.label("kern.sched.4bsd.ipiwakeup.usemask");
const USE_LOOP: ParamSpec = ParamSpec::flag("ipiwakeupLoop", false)
    .label("kern.sched.ipiwakeup.useloop")
    .summary("Whether a loop over the CPUs that run their idle thread says whom to signal.")
    .published(KERNEL);
const USE_LOOP_C: ParamSpec = USE_LOOP.label("kern.sched.4bsd.ipiwakeup.useloop");
const ONE_CPU: ParamSpec = ParamSpec::flag("ipiwakeupOneCpu", false)
    .label("kern.sched.ipiwakeup.onecpu")
    .summary("Whether only the idle CPU of the lowest number is signalled.")
    .published("sched_4bsd.c @ 7.3, 8.0");
const HTT2: ParamSpec = ParamSpec::flag("ipiwakeupHtt2", false)
    .label("kern.sched.ipiwakeup.htt2")
    .summary("Whether the even CPUs of wholly idle pairs are preferred: the only notice that 4BSD ever took of hyper-threading.")
    .published("sched_4bsd.c @ 7.3, 8.0");

const PREEMPTION: ParamSpec = ParamSpec::flag("preemption", true)
    .label("PREEMPTION (kern.sched.preemption)")
    .summary("Kernel option: interrupt threads preempt what runs in the kernel, and anything preempts the idle class.")
    .published("on in GENERIC of x86; sparc64: off in 7.3 and 8.0, on in 9.3")
    .fixed();

const RACE: ParamSpec = ParamSpec::choice(
    "wakeRace",
    &["random", "lowest", "highest", "siblingFirst"],
    "random",
)
.label("who wins the race of woken CPUs")
.unit("rule")
.summary("All idle CPUs are signalled at once, and the first to get the lock takes the thread. Which one that is on hardware is not known.")
.assumed("a choice of the simulator: uniformly random");

const BOOT_LOAD: ParamSpec = ParamSpec::int("bootLoad", 0, 1_000, 0)
    .label("load average at the start")
    .unit("threads")
    .summary("The load averages from which the run starts; the kernel's need a minute or more to follow.")
    .assumed("a choice of the simulator: a machine that was idle")
    .fixed();

const LOAD_SPREAD: ParamSpec = ParamSpec::int("loadSpread", 0, 1_000, 1_000)
    .label("spread of load samples")
    .unit("ms")
    .summary("The load is sampled every five seconds, earlier or later by up to this much.")
    .published("loadav, kern_synch.c: 4 to 6 s")
    .fixed();

/// October 2007 and 8.0.
pub(super) const UNTIL_2010: &[ParamSpec] = &[
    QUANTUM_TICKS,
    FUZZ,
    WAKEUP,
    USE_MASK,
    USE_LOOP,
    ONE_CPU,
    HTT2,
    PREEMPTION,
    INHERITANCE,
    hz(),
    sleep::param(),
    RACE,
    BOOT_LOAD,
    LOAD_SPREAD,
];

/// November 2011.
pub(super) const IN_2011: &[ParamSpec] = &[
    QUANTUM_TICKS,
    FUZZ,
    WAKEUP,
    USE_MASK,
    USE_LOOP,
    PREEMPTION,
    INHERITANCE,
    hz(),
    sleep::param(),
    RACE,
    BOOT_LOAD,
    LOAD_SPREAD,
];

/// From the slices of August 2012 on.
pub(super) const FROM_2012: &[ParamSpec] = &[
    QUANTUM_OF_SLICE,
    SLICE,
    FUZZ,
    WAKEUP,
    USE_MASK,
    USE_LOOP,
    PREEMPTION,
    INHERITANCE,
    hz(),
    sleep::param(),
    RACE,
    BOOT_LOAD,
    LOAD_SPREAD,
];

/// 16-CURRENT, where the schedulers have their own sysctl names.
pub(super) const IN_16: &[ParamSpec] = &[
    QUANTUM_C,
    SLICE_C,
    FUZZ_C,
    WAKEUP_C,
    USE_MASK_C,
    USE_LOOP_C,
    PREEMPTION,
    INHERITANCE,
    hz(),
    sleep::param(),
    RACE,
    BOOT_LOAD,
    LOAD_SPREAD,
];

/// Which of the woken CPUs wins the race.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Race {
    Random,
    Lowest,
    Highest,
    SiblingFirst,
}

/// The current values.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Settings {
    /// Quantum in ticks of hz, where quanta are counted from the switch.
    pub(super) quantum_ticks: u64,
    /// Slice in ticks of the statistics clock, where there are slices.
    pub(super) slice: i32,
    pub(super) fuzz: usize,
    pub(super) wakeup: bool,
    pub(super) use_mask: bool,
    pub(super) use_loop: bool,
    pub(super) one_cpu: bool,
    pub(super) htt2: bool,
    pub(super) preemption: bool,
    pub(super) race: Race,
    pub(super) load_spread_ms: u64,
    pub(super) sleep_end: SleepChoice,
    /// The values written last: they show which of two names of the same setting is new.
    written: (i64, i64),
}

/// A parameter that only some eras have.
fn optional(params: &Params, id: &str) -> Option<i64> {
    let declared = params.specs().iter().any(|s| s.id == id);
    declared.then(|| params.get(id))
}

impl Settings {
    pub(super) fn new(era: &Era, rates: Rates, params: &Params) -> Self {
        let default = |id: &str| {
            let spec = params.specs().iter().find(|s| s.id == id);
            spec.map_or(0, ParamSpec::default_value)
        };
        let mut settings = Self {
            quantum_ticks: u64::from(rates.hz / 10).max(1),
            slice: i32::try_from(rates.stathz / 10).unwrap_or(12),
            fuzz: 1,
            wakeup: true,
            use_mask: true,
            use_loop: false,
            one_cpu: false,
            htt2: false,
            preemption: params.flag("preemption"),
            race: Race::Random,
            load_spread_ms: params.get_u64("loadSpread"),
            sleep_end: SleepChoice::from(params.get("sleepEnd")),
            written: (default("quantum"), default("slice")),
        };
        settings.write(era, rates, params);
        settings
    }

    /// Applies new values as the `sysctl` handlers do.
    pub(super) fn write(&mut self, era: &Era, rates: Rates, params: &Params) {
        let quantum = params.get_u64("quantum");
        let slice = optional(params, "slice").unwrap_or(0);
        let written = (params.get("quantum"), slice);
        match era.quantum {
            Quantum::SinceSwitch if written.0 != self.written.0 => {
                // A quantum below one tick is refused (EINVAL): the old value stays.
                let ticks = quantum * 1_000 / rates.hz_period();
                if ticks >= 1 {
                    self.quantum_ticks = ticks;
                }
            }
            Quantum::OfThread if written.1 != self.written.1 => {
                self.slice = i32::try_from(slice).unwrap_or(12);
            }
            Quantum::OfThread if written.0 != self.written.0 => {
                let tick = 1_000_000 / u64::from(rates.stathz);
                let nearest = ((quantum + tick / 2) / tick).max(1);
                self.slice = i32::try_from(nearest).unwrap_or(12);
            }
            Quantum::SinceSwitch | Quantum::OfThread => {}
        }
        self.written = written;
        self.fuzz = usize::try_from(params.get_u64("runqFuzz")).unwrap_or(1);
        self.wakeup = params.flag("ipiwakeup");
        self.use_mask = params.flag("ipiwakeupMask");
        self.use_loop = params.flag("ipiwakeupLoop");
        self.one_cpu = optional(params, "ipiwakeupOneCpu").is_some_and(|v| v != 0);
        self.htt2 = optional(params, "ipiwakeupHtt2").is_some_and(|v| v != 0);
        self.race = match params.get("wakeRace") {
            1 => Race::Lowest,
            2 => Race::Highest,
            3 => Race::SiblingFirst,
            _ => Race::Random,
        };
    }

    /// The value that `kern.sched.quantum` reads, in µs.
    pub(super) fn quantum_us(&self, era: &Era, rates: Rates) -> u64 {
        match era.quantum {
            Quantum::SinceSwitch => self.quantum_ticks * rates.hz_period() / 1_000,
            Quantum::OfThread => {
                let slice = u64::try_from(self.slice).unwrap_or(0);
                slice * (1_000_000 / u64::from(rates.stathz))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::era;
    use super::*;
    use sim_ground::params::ParamValue;

    fn rates(era: &Era) -> Rates {
        Rates {
            hz: 1_000,
            stathz: (era.stathz)(1_000),
        }
    }

    fn after_write(era: &Era, specs: &'static [ParamSpec], us: i64) -> Settings {
        let mut params = Params::defaults(specs);
        let mut settings = Settings::new(era, rates(era), &params);
        params
            .set("quantum", &ParamValue::Int(us))
            .expect("in range");
        settings.write(era, rates(era), &params);
        settings
    }

    #[test]
    fn the_defaults_are_those_of_the_kernels() {
        let a = Settings::new(&era::A, rates(&era::A), &Params::defaults(UNTIL_2010));
        assert_eq!(
            (a.quantum_ticks, a.quantum_us(&era::A, rates(&era::A))),
            (100, 100_000)
        );
        let b = Settings::new(&era::B2, rates(&era::B2), &Params::defaults(FROM_2012));
        assert_eq!(
            (b.slice, b.quantum_us(&era::B2, rates(&era::B2))),
            (12, 94_488)
        );
    }

    #[test]
    fn a_quantum_is_kept_in_whole_ticks() {
        let a = after_write(&era::A, UNTIL_2010, 1_500);
        assert_eq!(a.quantum_us(&era::A, rates(&era::A)), 1_000);
        for (us, slice) in [
            (10_000, 1),
            (20_000, 3),
            (50_000, 6),
            (100_000, 13),
            (200_000, 25),
        ] {
            let b = after_write(&era::B2, FROM_2012, us);
            assert_eq!(b.slice, slice);
            let read = b.quantum_us(&era::B2, rates(&era::B2));
            assert_eq!(
                i64::try_from(read).expect("small"),
                7_874 * i64::from(slice)
            );
        }
    }

    #[test]
    fn a_quantum_of_less_than_a_tick_is_refused() {
        let slow = Rates {
            hz: 100,
            stathz: 133,
        };
        let mut params = Params::defaults(UNTIL_2010);
        let mut settings = Settings::new(&era::A, slow, &params);
        params
            .set("quantum", &ParamValue::Int(9_999))
            .expect("in range");
        settings.write(&era::A, slow, &params);
        assert_eq!(settings.quantum_ticks, 10, "as before");
    }

    #[test]
    fn slice_and_quantum_are_two_names_of_one_thing() {
        let mut params = Params::defaults(FROM_2012);
        let mut settings = Settings::new(&era::B2, rates(&era::B2), &params);
        params.set("slice", &ParamValue::Int(4)).expect("in range");
        settings.write(&era::B2, rates(&era::B2), &params);
        assert_eq!(settings.slice, 4);
        params
            .set("quantum", &ParamValue::Int(100_000))
            .expect("in range");
        settings.write(&era::B2, rates(&era::B2), &params);
        assert_eq!(settings.slice, 13, "the one written last counts");
        settings.write(&era::B2, rates(&era::B2), &params);
        assert_eq!(settings.slice, 13, "nothing new");
    }
}
