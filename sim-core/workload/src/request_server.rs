//! A server and its load generator: a single-threaded injector keeps requests in flight, and workers serve them.
//!
//! The injector sends requests, waits until there are answers, and sends as many new requests as it got answers. If
//! each request has its own connection, a worker is woken twice: when the connection arrives, and when the request
//! does.

use super::jitter::{BURST_JITTER, jittered};
use super::{Behaviour, BehaviourInfo, Channel, ORDINARY_SET, Phase, TYPICAL, WorkCx};
use sim_ground::params::{ParamSpec, Params};

pub(super) static INFO: BehaviourInfo = BehaviourInfo {
    id: "requestServer",
    name: "Request server",
    summary: "One thread sends requests and waits for answers. The others serve them, as a web server and its load generator do.",
    uses_working_set: true,
    offered: true,
    working_set_bytes: ORDINARY_SET,
    class: TYPICAL,
    params: PARAMS,
    make,
};

const ROLES: &[&str] = &["both", "injector", "workers"];

sim_ground::constants! {
    /// The connection's part of the injector's work for a request, if there is one: 1 / this number.
    CONNECT_PART: u64 = 2, "", Assumed, "A choice: sending and connecting weigh alike.";
    /// The connection's part of the worker's work for a request, if there is one: 1 / this number.
    ACCEPT_PART: u64 = 10, "", Assumed, "A choice: accepting is little beside the answer.";
}

const PARAMS: &[ParamSpec] = &[
    ParamSpec::choice("role", ROLES, "both")
        .label("role")
        .summary("both: the first thread sends and the others serve. Or one of the two, with the other in a group of its own.")
        .assumed("a choice of the scenario")
        .fixed(),
    ParamSpec::int("port", 0, 65_535, 0)
        .label("port")
        .summary("Injector and workers in different groups find each other by the same port; 0 stays within the group.")
        .assumed("a choice of the scenario")
        .fixed(),
    ParamSpec::int("inFlight", 1, 10_000, 100)
        .label("requests in flight")
        .summary("Requests that the injector keeps under way.")
        .published("ab -c 100 (Bouron et al. 2018)")
        .log()
        .fixed(),
    ParamSpec::int("requests", 0, 1_000_000_000, 0)
        .label("requests")
        .summary("Requests until the injector exits; 0 goes on for ever.")
        .assumed("a choice of the scenario")
        .log()
        .fixed(),
    ParamSpec::flag("connect", true)
        .label("a connection for each request")
        .summary("The injector opens a connection first and sends the request when the worker has accepted it.")
        .published("ab without -k: HTTP/1.0 without keep-alive")
        .fixed(),
    ParamSpec::int("injectUs", 1, 1_000_000, 40)
        .label("injector's work")
        .unit("µs")
        .summary("CPU time of the injector for a request, half of it for the connection if there is one.")
        .assumed("a choice of the scenario")
        .log()
        .fixed(),
    ParamSpec::int("serveUs", 1, 1_000_000, 120)
        .label("worker's work")
        .unit("µs")
        .summary("CPU time of a worker for a request, a tenth of it for the connection if there is one.")
        .assumed("a choice of the scenario")
        .log()
        .fixed(),
    BURST_JITTER,
];

fn make(params: &Params) -> Result<Box<dyn Behaviour>, String> {
    let (inject, serve) = (
        params.get_u64("injectUs") * 1_000,
        params.get_u64("serveUs") * 1_000,
    );
    let (connect_ns, accept_ns) = if params.flag("connect") {
        (inject / CONNECT_PART, serve / ACCEPT_PART)
    } else {
        (0, 0)
    };
    Ok(Box::new(RequestServer {
        role: params.get("role"),
        port: u16::try_from(params.get("port")).unwrap_or(0),
        in_flight: params.get_u64("inFlight"),
        requests: params.get_u64("requests"),
        connect_ns,
        send_ns: inject - connect_ns,
        accept_ns,
        serve_ns: serve - accept_ns,
        jitter: params.get_u64(BURST_JITTER.id),
        step: Step::Start,
        left: 0,
        begun: 0,
        answered: 0,
        opened: 0,
    }))
}

#[derive(Debug)]
struct RequestServer {
    role: i64,
    port: u16,
    in_flight: u64,
    requests: u64,
    connect_ns: u64,
    send_ns: u64,
    accept_ns: u64,
    serve_ns: u64,
    /// In thousandths.
    jitter: u64,
    step: Step,
    /// Number of requests to begin, or to send on their connections, in this turn.
    left: u64,
    /// Number of requests begun and answered so far.
    begun: u64,
    answered: u64,
    /// Number of connections opened in this turn.
    opened: u64,
}

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
enum Step {
    Start,
    // Steps of the injector.
    Connect,
    Connected,
    Send,
    Sent,
    Await,
    Answers,
    // Steps of a worker.
    Listen,
    Accept,
    Accepted,
    Serve,
    Served,
}

const STEPS: [Step; 12] = [
    Step::Start,
    Step::Connect,
    Step::Connected,
    Step::Send,
    Step::Sent,
    Step::Await,
    Step::Answers,
    Step::Listen,
    Step::Accept,
    Step::Accepted,
    Step::Serve,
    Step::Served,
];

impl RequestServer {
    fn channel(&self, number: u32) -> Channel {
        Channel {
            port: self.port,
            number,
        }
    }

    fn connections(&self) -> Channel {
        self.channel(0)
    }

    fn sent(&self) -> Channel {
        self.channel(1)
    }

    fn answers(&self) -> Channel {
        self.channel(2)
    }

    fn post(channel: Channel) -> Phase {
        Phase::Post {
            channel,
            tokens: 1,
            sync: false,
        }
    }

    fn take(channel: Channel, most: u32) -> Phase {
        Phase::Take { channel, most }
    }

    /// Begins as many requests as there are answers, within the number of requests wanted.
    fn turn(&mut self, answers: u64) -> Step {
        let wanted = match self.requests {
            0 => u64::MAX,
            n => n - self.begun,
        };
        self.left = answers.min(wanted);
        self.begun += self.left;
        self.opened = 0;
        if self.left == 0 {
            Step::Await
        } else if self.connect_ns > 0 {
            Step::Connect
        } else {
            Step::Send
        }
    }
}

impl Behaviour for RequestServer {
    fn next(&mut self, cx: &mut WorkCx<'_>) -> Phase {
        loop {
            match self.step {
                Step::Start => {
                    let injects = self.role == 1 || (self.role == 0 && cx.number == 1);
                    self.step = if injects {
                        self.turn(self.in_flight)
                    } else {
                        Step::Listen
                    };
                }
                Step::Connect if self.left == 0 => {
                    self.left = std::mem::take(&mut self.opened);
                    self.step = Step::Send;
                }
                Step::Connect => {
                    self.step = Step::Connected;
                    return Phase::Run(jittered(self.connect_ns, self.jitter, cx.rng));
                }
                Step::Connected => {
                    self.left -= 1;
                    self.opened += 1;
                    self.step = Step::Connect;
                    return Self::post(self.connections());
                }
                Step::Send if self.left == 0 => self.step = Step::Await,
                Step::Send => {
                    self.step = Step::Sent;
                    return Phase::Run(jittered(self.send_ns, self.jitter, cx.rng));
                }
                Step::Sent => {
                    self.left -= 1;
                    self.step = Step::Send;
                    return Self::post(self.sent());
                }
                Step::Await if self.requests != 0 && self.answered >= self.requests => {
                    return Phase::Exit;
                }
                Step::Await => {
                    self.step = Step::Answers;
                    return Self::take(self.answers(), u32::MAX);
                }
                Step::Answers => {
                    self.answered += u64::from(cx.taken);
                    self.step = self.turn(u64::from(cx.taken));
                }
                Step::Listen => {
                    let connects = self.accept_ns > 0;
                    self.step = if connects { Step::Accept } else { Step::Serve };
                    let first = if connects {
                        self.connections()
                    } else {
                        self.sent()
                    };
                    return Self::take(first, 1);
                }
                Step::Accept => {
                    self.step = Step::Accepted;
                    return Phase::Run(jittered(self.accept_ns, self.jitter, cx.rng));
                }
                Step::Accepted => {
                    self.step = Step::Serve;
                    return Self::take(self.sent(), 1);
                }
                Step::Serve => {
                    self.step = Step::Served;
                    return Phase::Run(jittered(self.serve_ns, self.jitter, cx.rng));
                }
                Step::Served => {
                    self.step = Step::Listen;
                    return Self::post(self.answers());
                }
            }
        }
    }

    fn save(&self, out: &mut Vec<u64>) {
        out.extend([
            self.step as u64,
            self.left,
            self.begun,
            self.answered,
            self.opened,
        ]);
    }

    fn load(&mut self, words: &[u64]) {
        let word = |i: usize| words.get(i).copied().unwrap_or(0);
        let step = usize::try_from(word(0)).unwrap_or(0);
        self.step = STEPS.get(step).copied().unwrap_or(Step::Start);
        self.left = word(1);
        self.begun = word(2);
        self.answered = word(3);
        self.opened = word(4);
    }
}
