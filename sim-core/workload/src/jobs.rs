//! Jobs that arrive by themselves: a stream of arrivals, and threads that each serve one job at a time.
//!
//! This is the workload of queueing theory: Poisson arrivals, and service times that are exponential (M), always the
//! same (D) or one of two lengths. The stream belongs to the group and is no thread. An arrival hands its job to the
//! thread that has been free longest and wakes it, at its own time and without using a CPU.
//!
//! If there are more threads than jobs, each job has its own thread, and the scheduler alone decides which jobs wait
//! and which run. If all threads have a job, further jobs wait for a thread, first come, first served.
//!
//! The numbers come from two separate streams: every scheduler gets the same jobs at the same times, and a change of
//! the service times does not change the arrivals. [`Rng::exponential`] compares only integers.

use super::{Behaviour, BehaviourInfo, ORDINARY_SET, Phase, TYPICAL, WorkCx};
use sim_ground::params::{ParamSpec, Params};
use sim_ground::rng::Rng;

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "jobs",
    name: "Jobs that arrive",
    summary: "Jobs of random length arrive at random times. Each thread serves one at a time and sleeps when there is none. The workload of queueing theory.",
    uses_working_set: true,
    offered: true,
    working_set_bytes: ORDINARY_SET,
    class: TYPICAL,
    params: PARAMS,
    make,
};

const SHAPES: &[&str] = &["exponential", "fixed", "twoValued"];

const PARAMS: &[ParamSpec] = &[
    ParamSpec::int("interarrivalUs", 1, 60_000_000, 1_250)
        .label("time between arrivals")
        .unit("µs")
        .summary("Mean time from one arrival to the next, for the whole group; exponential, so arrivals are a Poisson process.")
        .assumed("a choice of the scenario")
        .log()
        .fixed(),
    ParamSpec::int("serviceUs", 1, 60_000_000, 1_000)
        .label("work of a job")
        .unit("µs")
        .summary("Mean work of a job at full speed; not used by twoValued.")
        .assumed("a choice of the scenario")
        .log()
        .fixed(),
    ParamSpec::choice("serviceShape", SHAPES, "exponential")
        .label("distribution of the work")
        .summary("exponential; fixed: all jobs alike; or twoValued: most are short and some are long.")
        .assumed("a choice of the scenario")
        .fixed(),
    ParamSpec::int("shortUs", 1, 60_000_000, 500)
        .label("short job")
        .unit("µs")
        .summary("Work of a short job; twoValued only.")
        .assumed("a choice of the scenario")
        .log()
        .fixed(),
    ParamSpec::int("longUs", 1, 60_000_000, 5_500)
        .label("long job")
        .unit("µs")
        .summary("Work of a long job; twoValued only.")
        .assumed("a choice of the scenario")
        .log()
        .fixed(),
    ParamSpec::int("longPercent", 0, 100, 10)
        .label("long jobs")
        .unit("%")
        .summary("How many of the jobs are long; twoValued only.")
        .assumed("a choice of the scenario")
        .fixed(),
];

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    let ns = |id: &str| params.get_u64(id) * 1_000;
    let service = match params.get("serviceShape") {
        0 => Service::Exponential {
            mean_ns: ns("serviceUs"),
        },
        1 => Service::Fixed {
            ns: ns("serviceUs"),
        },
        _ => Service::TwoValued {
            short_ns: ns("shortUs"),
            long_ns: ns("longUs"),
            long_percent: u32::try_from(params.get("longPercent")).unwrap_or(0),
        },
    };
    let stream = JobStream {
        interarrival_ns: ns("interarrivalUs"),
        service,
    };
    Ok(Box::new(Jobs {
        stream,
        serving: false,
    }))
}

/// When jobs arrive, and how long they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobStream {
    interarrival_ns: u64,
    service: Service,
}

/// Distribution of the work of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Service {
    Exponential {
        mean_ns: u64,
    },
    Fixed {
        ns: u64,
    },
    TwoValued {
        short_ns: u64,
        long_ns: u64,
        long_percent: u32,
    },
}

impl JobStream {
    /// Time from one arrival to the next in ns, at least 1.
    #[must_use]
    pub fn gap(&self, rng: &mut Rng) -> u64 {
        rng.exponential(self.interarrival_ns).max(1)
    }

    /// Work of a job in ns at full speed, at least 1.
    #[must_use]
    pub fn work(&self, rng: &mut Rng) -> u64 {
        let ns = match self.service {
            Service::Exponential { mean_ns } => rng.exponential(mean_ns),
            Service::Fixed { ns } => ns,
            Service::TwoValued {
                short_ns,
                long_ns,
                long_percent,
            } => {
                if rng.percent(long_percent) {
                    long_ns
                } else {
                    short_ns
                }
            }
        };
        ns.max(1)
    }
}

#[derive(Debug)]
struct Jobs {
    stream: JobStream,
    /// Whether it has asked for a job, and serves it in the next phase.
    serving: bool,
}

impl Behaviour for Jobs {
    fn next(&mut self, cx: &mut WorkCx<'_>) -> Phase {
        self.serving = !self.serving;
        if self.serving {
            Phase::NextJob
        } else {
            Phase::Run(cx.job_ns)
        }
    }

    fn jobs(&self) -> Option<JobStream> {
        Some(self.stream)
    }

    fn save(&self, out: &mut Vec<u64>) {
        out.push(u64::from(self.serving));
    }

    fn load(&mut self, words: &[u64]) {
        self.serving = words.first().is_some_and(|w| *w != 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean and variance of many draws.
    #[allow(clippy::cast_precision_loss)]
    fn moments(mut draw: impl FnMut() -> u64) -> (f64, f64) {
        let n = 400_000;
        let draws: Vec<f64> = (0..n).map(|_| draw() as f64).collect();
        let mean = draws.iter().sum::<f64>() / f64::from(n);
        let squares = draws.iter().map(|x| (x - mean) * (x - mean));
        (mean, squares.sum::<f64>() / f64::from(n - 1))
    }

    fn near(got: f64, wanted: f64, part: f64) {
        assert!((got / wanted - 1.0).abs() < part, "{got}, not {wanted}");
    }

    fn stream(service: Service) -> JobStream {
        JobStream {
            interarrival_ns: 250_000,
            service,
        }
    }

    #[test]
    fn gaps_and_exponential_work_have_their_mean_and_variance() {
        let jobs = stream(Service::Exponential { mean_ns: 1_000_000 });
        let mut rng = Rng::stream(1, "gaps", 0);
        let (mean, variance) = moments(|| jobs.gap(&mut rng));
        near(mean, 250_000.0, 0.006);
        near(variance, 250_000.0 * 250_000.0, 0.02);
        let mut rng = Rng::stream(1, "work", 0);
        let (mean, variance) = moments(|| jobs.work(&mut rng));
        near(mean, 1e6, 0.006);
        near(variance, 1e12, 0.02);
    }

    #[test]
    fn fixed_and_two_valued_work_have_their_mean_and_variance() {
        let mut rng = Rng::stream(2, "work", 0);
        let fixed = stream(Service::Fixed { ns: 1_520_000 });
        assert_eq!(fixed.work(&mut rng), 1_520_000);
        let jobs = stream(Service::TwoValued {
            short_ns: 500_000,
            long_ns: 5_500_000,
            long_percent: 10,
        });
        let (mean, variance) = moments(|| jobs.work(&mut rng));
        near(mean, 1e6, 0.006);
        // p (1 - p) (long - short)^2
        near(variance, 0.09 * 25e12, 0.01);
    }
}
