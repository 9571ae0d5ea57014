//! One run in every layout: all of them give one lane.

use sim_import::lane::{Lane, Stretch};
use sim_import::{Context, Event, IDLE, Kind, Pid, Reading, State, Trace};
use std::fmt::Write;

/// A machine with two CPUs and five threads that preempt, sleep, wake each other and end, by random numbers.
fn run() -> Vec<Event> {
    let mut seed = 7_u64;
    let mut random = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % below
    };
    let (mut on, mut waits, mut asleep) =
        ([IDLE; 2], vec![], vec![1_001, 1_002, 1_003, 1_004, 1_005]);
    let (mut at, mut events) = (5_000_000_000_u64, Vec::new());
    for step in 0..600 {
        at += 1_000 * (1 + random(400));
        let cpu = random(2);
        let i = usize::from(cpu == 1);
        let cpu = u16::from(cpu == 1);
        let mut tell = |irq: bool, kind: Kind, pid: Pid| {
            let context = Context {
                pid,
                irq: Some(irq),
            };
            events.push(Event {
                at,
                cpu,
                context,
                kind,
            });
        };
        let current = on[i];
        if !asleep.is_empty() && random(2) == 0 {
            let pid = asleep.remove(usize::try_from(random(asleep.len() as u64)).expect("small"));
            let irq = current == IDLE || random(3) > 0;
            let (prio, target) = (120, Some(cpu));
            tell(irq, Kind::Waking { pid, prio, target }, current);
            let twin = true;
            tell(
                irq,
                Kind::Wakeup {
                    pid,
                    prio,
                    target,
                    twin,
                },
                current,
            );
            waits.push(pid);
            continue;
        }
        let prev_state = match random(6) {
            _ if current == IDLE => State::Runnable,
            0 | 1 => State::Preempted,
            2 => State::Blocked,
            3 if step > 500 => State::Ended,
            _ => State::Sleeping,
        };
        let next = if waits.is_empty() {
            IDLE
        } else {
            waits.remove(0)
        };
        if next == current {
            continue;
        }
        if prev_state == State::Ended {
            tell(false, Kind::Exit { pid: current }, current);
        }
        let kind = Kind::Switch {
            prev: current,
            prev_prio: 120,
            prev_state,
            next,
            next_prio: 120,
        };
        tell(false, kind, current);
        match prev_state {
            State::Preempted => waits.push(current),
            State::Sleeping | State::Blocked => asleep.push(current),
            _ => {}
        }
        on[i] = next;
    }
    events
}

/// Names that a reader can take for columns.
fn name(pid: Pid) -> &'static str {
    match pid {
        IDLE => "swapper/0",
        1_001 => "plain",
        1_002 => "Web Content",
        1_003 => "kworker/0:1-ev",
        1_004 => "a-1 [002] b",
        _ => "x:y prev_pid=3",
    }
}

/// How Linux' layouts differ.
#[derive(Clone, Copy, Default)]
struct Linux {
    flags: Option<usize>,
    has_process: bool,
    nine_digits: bool,
    short: bool,
    numbers: bool,
    perf: Option<bool>,
}

fn linux(events: &[Event], layout: Linux) -> Vec<String> {
    events
        .iter()
        .map(|event| linux_line(event, layout))
        .collect()
}

fn linux_line(event: &Event, layout: Linux) -> String {
    let Context { pid, irq } = event.context;
    let mut who = if pid == IDLE { "<idle>" } else { name(pid) }.to_owned();
    let (s, ns) = (event.at / 1_000_000_000, event.at % 1_000_000_000);
    let time = if layout.nine_digits {
        format!("{s}.{ns:09}")
    } else {
        format!("{s}.{:06}", ns / 1_000)
    };
    let (what, payload) = linux_payload(event, layout);
    if let Some(has_process) = layout.perf {
        if pid == IDLE {
            "swapper".clone_into(&mut who);
        }
        let process = if has_process { "1001/" } else { "" };
        return format!(
            "{who:>16} {process}{pid:>7} [{:03}] {time}: {:>24}: {payload}",
            event.cpu,
            format!("sched:{what}")
        )
        .replace("/   ", "/");
    }
    let process = if layout.has_process { " (   1001)" } else { "" };
    let flags = layout.flags.map_or(String::new(), |n| {
        let all = if irq == Some(true) { "d.h2." } else { "d..2." };
        format!(" {}", &all[..n])
    });
    format!(
        "{who:>16}-{pid:<5}{process} [{:03}]{flags} {time}: {what}: {payload}",
        event.cpu
    )
}

fn linux_payload(event: &Event, layout: Linux) -> (&'static str, String) {
    let state = |state: State| match (state, layout.numbers) {
        (state, false) => state.letters(),
        (State::Runnable, _) => "0",
        (State::Preempted, _) => "256",
        (State::Sleeping, _) => "1",
        (State::Blocked, _) => "2",
        _ => "16",
    };
    match event.kind {
        Kind::Switch {
            prev,
            prev_prio,
            prev_state,
            next,
            next_prio,
        } => {
            let (a, b, left) = (name(prev), name(next), state(prev_state));
            let text = if layout.short {
                format!("{a}:{prev} [{prev_prio}] {left} ==> {b}:{next} [{next_prio}]")
            } else {
                format!(
                    "prev_comm={a} prev_pid={prev} prev_prio={prev_prio} prev_state={left} ==> next_comm={b} next_pid={next} next_prio={next_prio}"
                )
            };
            ("sched_switch", text)
        }
        Kind::Waking { pid, prio, target }
        | Kind::Wakeup {
            pid, prio, target, ..
        } => {
            let (who, cpu) = (name(pid), target.unwrap_or(0));
            let text = if layout.short {
                format!("{who}:{pid} [{prio}] success=1 CPU:{cpu:03}")
            } else {
                format!("comm={who} pid={pid} prio={prio} target_cpu={cpu:03}")
            };
            let is_twin = matches!(event.kind, Kind::Wakeup { .. });
            (
                if is_twin {
                    "sched_wakeup"
                } else {
                    "sched_waking"
                },
                text,
            )
        }
        Kind::Exit { pid } => (
            "sched_process_exit",
            format!("comm={} pid={pid} prio=120", name(pid)),
        ),
        _ => unreachable!("the run has no other events"),
    }
}

/// Rows of KTR in the order of time, with times in cycles of so many a ns.
fn ktr(events: &[Event], cycles: u64) -> Vec<(u16, u64, String)> {
    let id = |pid: Pid, cpu: u16| match pid {
        IDLE => format!("idle: cpu{cpu} tid {}", 10 + cpu),
        _ => format!("{} tid {pid}", name(pid)),
    };
    let mut rows = Vec::new();
    let mut tick = events[0].at - events[0].at % 10_000_000;
    for event in events {
        let cpu = event.cpu;
        while tick <= event.at {
            let row = "KTRGRAPH group:\"thread\", id:\"idle: cpu0 tid 10\", point:\"statclock\", attributes: prio:255, stathz:100";
            rows.push((0, tick * cycles, row.to_owned()));
            tick += 10_000_000;
        }
        let mut row = |pid: Pid, state: &str, more: &str| {
            let text = format!(
                "KTRGRAPH group:\"thread\", id:\"{}\", state:\"{state}\", attributes: prio:120{more}",
                id(pid, cpu)
            );
            rows.push((cpu, event.at * cycles, text));
        };
        match event.kind {
            Kind::Switch {
                prev,
                prev_state,
                next,
                ..
            } => {
                let left = match prev_state {
                    State::Runnable => "idle",
                    State::Preempted => "runq add",
                    State::Blocked => "blocked",
                    State::Ended => "exit",
                    _ => "sleep",
                };
                row(prev, left, "");
                row(next, "running", "");
            }
            Kind::Waking { pid, .. } => {
                row(
                    pid,
                    "runq add",
                    &format!(", linkedto:\"{}\"", id(event.context.pid, cpu)),
                );
            }
            _ => {}
        }
    }
    rows
}

/// All layouts with their names, and whether they tell of interrupts.
fn layouts(events: &[Event]) -> Vec<(&'static str, bool, String)> {
    let head = "# tracer: nop\n#\n# entries-in-buffer/entries-written: 9/9   #P:2\n#\n##### CPU 1 buffer started ####\n";
    let five = Linux {
        flags: Some(5),
        ..Linux::default()
    };
    let plain = linux(events, five).join("\n") + "\n";
    let report = "version = 6\nCPU 3 is empty\ncpus=2\n";
    let no_flags = linux(events, Linux::default());
    let mut perf = linux(
        events,
        Linux {
            perf: Some(false),
            ..Linux::default()
        },
    );
    // Two CPUs whose buffers were joined badly: neighbours are in the wrong order.
    for i in (0..perf.len() - 1).step_by(3) {
        if events[i + 1].at - events[i].at < 900_000 && events[i].cpu != events[i + 1].cpu {
            perf.swap(i, i + 1);
        }
    }
    let stack = "\n\tffffffff8f1 schedule+0x2e ([kernel.kallsyms])\n\t    7f12 read+0xd (/usr/lib/libc.so.6)\n\n";
    let sched = linux(
        events,
        Linux {
            perf: Some(true),
            short: true,
            nine_digits: true,
            ..Linux::default()
        },
    );
    let mut dump = String::new();
    for (i, (cpu, at, text)) in ktr(events, 2).iter().enumerate().rev() {
        let _ = writeln!(dump, "{i:6} {cpu:3} {at:16} {text}");
    }
    let dtrace: Vec<String> = ktr(events, 1)
        .iter()
        .map(|(cpu, at, text)| format!("{cpu} {at} {text}"))
        .collect();
    let quote = |text: &str| {
        text.replace('\\', "\\\\")
            .replace('"', "\\\"")
            .replace('\n', "\\n")
    };
    let viewer = "<script>var a = [1] && b;</script>\n".repeat(3_000);
    vec![
        ("trace, five flags", true, format!("{head}{plain}")),
        (
            "trace, four flags",
            true,
            head.to_owned()
                + &linux(
                    events,
                    Linux {
                        flags: Some(4),
                        ..Linux::default()
                    },
                )
                .join("\n"),
        ),
        (
            "trace with processes",
            true,
            head.to_owned()
                + &linux(
                    events,
                    Linux {
                        has_process: true,
                        ..five
                    },
                )
                .join("\n"),
        ),
        (
            "trace with nine digits",
            true,
            head.to_owned()
                + &linux(
                    events,
                    Linux {
                        nine_digits: true,
                        ..five
                    },
                )
                .join("\n"),
        ),
        (
            "trace with numbers of states",
            true,
            head.to_owned()
                + &linux(
                    events,
                    Linux {
                        numbers: true,
                        ..five
                    },
                )
                .join("\r\n"),
        ),
        (
            "trace-cmd report",
            false,
            report.to_owned() + &no_flags.join("\n"),
        ),
        (
            "trace-cmd report, short",
            true,
            report.to_owned()
                + &linux(
                    events,
                    Linux {
                        short: true,
                        ..five
                    },
                )
                .join("\n"),
        ),
        (
            "trace-cmd report, raw",
            true,
            report.to_owned()
                + &linux(
                    events,
                    Linux {
                        numbers: true,
                        ..five
                    },
                )
                .join("\n")
                .replace(" ==>", ""),
        ),
        (
            "page of systrace",
            true,
            format!(
                "<!DOCTYPE html>\n{viewer}<script class=\"trace-data\" type=\"application/text\">\n{head}{plain}</script>\n"
            ),
        ),
        (
            "old page of systrace",
            true,
            format!(
                "<html>\n<script>\n  var linuxPerfData = \"\\\n{}\";\n</script>",
                plain.replace('\n', "\\n\\\n")
            ),
        ),
        (
            "JSON of Chrome",
            true,
            format!(
                "{{\"traceEvents\":[{{\"ph\":\"X\"}}],\n \"systemTraceEvents\": \"{}\", \"x\": 1}}",
                quote(&format!("{head}{plain}"))
            ),
        ),
        ("perf script", false, perf.join("\n")),
        (
            "perf sched script, short, with stacks",
            false,
            sched.join(stack),
        ),
        (
            "ktrdump",
            false,
            format!("index  cpu timestamp        trace\n{dump}"),
        ),
        ("DTrace", false, dtrace.join("\n")),
    ]
}

type Lives = Vec<(Pid, String, Vec<sim_import::burst::Burst>)>;

fn lane(what: &str, text: &str, piece: usize) -> (Vec<Stretch>, Lives) {
    let (mut trace, mut lane) = (Trace::default(), Lane::with_stretches());
    for piece in text.as_bytes().chunks(piece) {
        trace
            .push(piece, &mut lane)
            .unwrap_or_else(|e| panic!("{what}: {e}"));
    }
    let facts = trace
        .finish(&mut lane)
        .unwrap_or_else(|e| panic!("{what}: {e}"));
    assert_eq!(facts.bad, 0, "{what}");
    lane.close();
    assert_eq!(lane.missing(), 0, "{what}");
    let lives = lane.threads().iter().map(|(pid, thread)| {
        let bursts = thread.bursts.iter().collect();
        (*pid, trace.names().of(*pid).to_owned(), bursts)
    });
    (lane.stretches().to_vec(), lives.collect())
}

#[test]
fn fifteen_layouts_of_one_run_give_one_lane() {
    let events = run();
    let layouts = layouts(&events);
    let (stretches, lives) = lane("first", &layouts[0].2, usize::MAX);
    assert!(stretches.len() > 400, "{}", stretches.len());
    assert_eq!(lives.len(), 5);
    for (what, knows_interrupts, text) in &layouts {
        let (own, own_lives) = lane(what, text, 4_096);
        assert_eq!(own.len(), stretches.len(), "{what}");
        for (a, b) in own.iter().zip(&stretches) {
            assert_eq!(a, b, "{what}");
        }
        for ((pid, name, bursts), own) in lives.iter().zip(&own_lives) {
            assert_eq!((pid, name), (&own.0, &own.1), "{what}");
            if *knows_interrupts {
                assert_eq!(bursts, &own.2, "{what}");
            } else {
                // The same bursts; who woke may be an interrupt or the thread under it.
                let runs =
                    |b: &[sim_import::burst::Burst]| b.iter().map(|b| b.run).collect::<Vec<_>>();
                assert_eq!(runs(bursts), runs(&own.2), "{what}");
            }
        }
    }
}

/// What a trace of these lines says of the switches of thread 11, and whether it tells calls of `sched_yield`.
fn leaves(lines: &[(&str, &str)]) -> (Vec<State>, bool) {
    let mut text = String::from(
        "# tracer: nop\n#\n#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n",
    );
    for (i, (who, event)) in lines.iter().enumerate() {
        writeln!(text, "  {who} [001] ..... 100.{i:06}: {event}").expect("a text");
    }
    let (mut trace, mut events) = (Trace::default(), Vec::new());
    trace.push(text.as_bytes(), &mut events).expect("reads");
    let facts = trace.finish(&mut events).expect("ends");
    assert_eq!(facts.bad, 0, "{text}");
    let left = events.iter().filter_map(|e| match e.kind {
        Kind::Switch {
            prev: 11,
            prev_state,
            ..
        } => Some(prev_state),
        _ => None,
    });
    (left.collect(), facts.has_yields)
}

#[test]
fn a_switch_within_sched_yield_is_a_yield_and_no_other_is() {
    const AWAY: &str = "sched_switch: prev_comm=a prev_pid=11 prev_prio=120 prev_state=R ==> next_comm=b next_pid=12 next_prio=120";
    const BACK: &str = "sched_switch: prev_comm=b prev_pid=12 prev_prio=120 prev_state=S ==> next_comm=a next_pid=11 next_prio=120";
    let preempted = AWAY.replace("=R ", "=R+ ");
    for (enter, exit) in [
        ("sys_sched_yield()", "sys_sched_yield -> 0x0"),
        ("sys_enter_sched_yield: ", "sys_exit_sched_yield: 0x0"),
        (
            "syscalls:sys_enter_sched_yield:",
            "syscalls:sys_exit_sched_yield: 0x0",
        ),
    ] {
        let (a, b) = ("a-11", "b-12");
        let within = [(a, enter), (a, AWAY), (b, BACK), (a, exit), (a, AWAY)];
        assert_eq!(
            leaves(&within),
            (vec![State::Yields, State::Runnable], true),
            "{enter}"
        );
        // Nobody else wanted the CPU. Later the tick took it.
        assert_eq!(
            leaves(&[(a, enter), (a, exit), (a, AWAY)]).0,
            [State::Runnable],
            "{enter}"
        );
        // Another thread yields.
        assert_eq!(
            leaves(&[(b, enter), (a, AWAY)]).0,
            [State::Runnable],
            "{enter}"
        );
        assert_eq!(
            leaves(&[(a, enter), (a, &preempted)]).0,
            [State::Preempted],
            "{enter}"
        );
    }
    let other = ("a-11", "sys_nanosleep(rqtp: 1, rmtp: 0)");
    assert_eq!(
        leaves(&[other, ("a-11", AWAY)]),
        (vec![State::Runnable], false)
    );
}
