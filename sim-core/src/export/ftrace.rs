//! Linux ftrace text: the events of `sched` in the layout of `/sys/kernel/tracing/trace` of Linux 6.18 (`TP_printk` of
//! `include/trace/events/sched.h`, `trace_print_lat_fmt`), with nine digits after the point of the time as
//! `trace-cmd report -t` prints them.
//!
//! | event | when |
//! |---|---|
//! | `sched_process_fork` | a thread starts another. Who starts a thread from outside is not in the trace |
//! | `sched_wakeup_new` | a thread begins, on the CPU in whose queue it waits |
//! | `sched_waking`, `sched_wakeup` | a thread wakes: with the CPU where it was, then with the one where it waits |
//! | `sched_migrate_task` | it comes to another queue, before the wake-up that moves it |
//! | `sched_stat_runtime` | a thread leaves its CPU: its time there. A kernel tells it in parts, at each accounting |
//! | `sched_switch` | a CPU goes on with another thread |
//! | `sched_process_exit` | a thread ends |
//!
//! Flags are those of the usual way to each event. `N` (a reschedule is due) is left out.

use super::{Exporter, pid};
use crate::engine::Sim;
use crate::text::comm;
use crate::trace::{SwitchCode, TraceKind, TraceRecord};
use std::fmt::Write;

/// Priority of nice 0 (`DEFAULT_PRIO`).
pub(super) const DEFAULT_PRIO: i32 = 120;
/// Priority of the lowest real-time priority, 0 (`MAX_RT_PRIO` - 1).
pub(super) const LAST_RT_PRIO: i32 = 99;

/// The context of an event: interrupts, need to reschedule, kind of interrupt, depth of preemption, migration.
#[derive(Clone, Copy)]
enum Flags {
    /// A system call.
    Call,
    /// A queue is locked.
    Queue,
    /// The thread that a pipe wakes is locked.
    Pipe,
    /// So is a queue.
    PipeQueue,
    /// The thread that an interrupt wakes is locked.
    Interrupt,
    /// So is a queue.
    InterruptQueue,
}

impl Flags {
    fn text(self) -> &'static str {
        match self {
            Self::Call => ".....",
            Self::Queue => "d..2.",
            Self::Pipe => "d..3.",
            Self::PipeQueue => "d..4.",
            Self::Interrupt => "d.h2.",
            Self::InterruptQueue => "d.h3.",
        }
    }
}

pub(super) fn header(sim: &Sim, entries: u64) -> String {
    format!(
        "# tracer: nop\n#\n# entries-in-buffer/entries-written: {entries}/{entries}   #P:{}\n#\n\
         #                                _-----=> irqs-off/BH-disabled\n\
         #                               / _----=> need-resched\n\
         #                              | / _---=> hardirq/softirq\n\
         #                              || / _--=> preempt-depth\n\
         #                              ||| / _-=> migrate-disable\n\
         #                              |||| /     delay\n\
         #           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION\n\
         #              | |         |   |||||     |         |\n",
        sim.plan().machine.cpu_count()
    )
}

/// What a kernel would tell at a record, as events of its `sched`. CPUs and threads are numbers of the run.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    Switch { prev: i64, state: State, next: i64 },
    StatRuntime { task: i64, ns: u64 },
    Waking { task: i64, target: i32 },
    Wakeup { task: i64, target: i32 },
    WakeupNew { task: i64, target: i32 },
    Migrate { task: i64, from: i32, to: i32 },
    Fork { parent: i64, child: i64 },
    Exit { task: i64, is_last: bool },
}

/// How a thread leaves its CPU. Where it was preempted, it is `R`.
#[derive(Clone, Copy, Debug)]
pub(super) enum State {
    Runnable,
    Sleeping,
    Dead,
    Zombie,
}

pub(super) fn name(x: &Exporter, task: i64, cpu: i32) -> String {
    x.task(task)
        .map_or_else(|| format!("swapper/{cpu}"), |t| comm(&t.name))
}

/// The priority as the kernel numbers it; that of `swapper` for an idle CPU.
pub(super) fn prio(x: &Exporter, task: i64) -> i32 {
    x.task(task).map_or(DEFAULT_PRIO, |t| {
        t.real_time.map_or(DEFAULT_PRIO + i32::from(t.nice), |p| {
            LAST_RT_PRIO - i32::from(p)
        })
    })
}

/// Tells the events of a record, each with the current thread of its CPU and its context.
fn each(x: &Exporter, r: &TraceRecord, mut tell: impl FnMut(i64, Flags, Event)) {
    let (task, on) = (r.task, x.on(r.cpu));
    let last = x.task(task).map_or(0, |t| t.cpu);
    // The kernel's event is a change of queue, whether the thread runs or not: a thread that runs on the CPU to which it
    // was moved before causes no second event.
    let moved = |to| Event::Migrate {
        task,
        from: last,
        to,
    };
    match r.kind {
        TraceKind::Switch => {
            let prev = r.other;
            if prev >= 0 {
                let ns = r.at.0 - x.since(r.cpu);
                tell(prev, Flags::Queue, Event::StatRuntime { task: prev, ns });
            }
            let state = if r.reason == SwitchCode::Block as i32 {
                State::Sleeping
            } else if r.reason != SwitchCode::Exit as i32 {
                State::Runnable
            } else if x.is_last_of_process(prev) {
                State::Zombie
            } else {
                State::Dead
            };
            let next = task;
            tell(prev, Flags::Queue, Event::Switch { prev, state, next });
        }
        TraceKind::Wakeup => {
            let (waking, woken) = if r.interrupt {
                (Flags::Interrupt, Flags::InterruptQueue)
            } else {
                (Flags::Pipe, Flags::PipeQueue)
            };
            let place = i32::try_from(r.other).ok().filter(|cpu| *cpu >= 0);
            let target = place.unwrap_or(last);
            tell(on, waking, Event::Waking { task, target: last });
            if target != last {
                tell(on, waking, moved(target));
            }
            tell(on, woken, Event::Wakeup { task, target });
        }
        TraceKind::Fork => {
            let (parent, child) = (r.other, task);
            if parent >= 0 {
                tell(parent, Flags::Call, Event::Fork { parent, child });
            }
            let target = r.target.max(0);
            tell(on, Flags::Queue, Event::WakeupNew { task, target });
        }
        TraceKind::Exit => {
            let is_last = x.is_last_of_process(task);
            tell(on, Flags::Call, Event::Exit { task, is_last });
        }
        TraceKind::Migrate | TraceKind::Queue if r.cpu >= 0 && last != r.cpu => {
            tell(on, Flags::Pipe, moved(r.cpu));
        }
        TraceKind::Migrate
        | TraceKind::Queue
        | TraceKind::Sleep
        | TraceKind::Kick
        | TraceKind::Edit
        | TraceKind::Nice => {}
    }
}

/// The events of a record, each with the current thread of its CPU.
pub(super) fn events(x: &Exporter, r: &TraceRecord, mut tell: impl FnMut(i64, Event)) {
    each(x, r, |on, _, event| tell(on, event));
}

/// The current thread of the CPU where something happens, the context, and the time.
fn prefix(x: &Exporter, on: i64, r: &TraceRecord, flags: Flags, out: &mut String) {
    let who = x
        .task(on)
        .map_or_else(|| "<idle>".to_owned(), |t| comm(&t.name));
    let (pid, at) = (pid(on), r.at.0);
    let _ = write!(
        out,
        "{who:>16}-{pid:<7} [{:03}] {} {:>5}.{:09}: ",
        r.cpu.max(0),
        flags.text(),
        at / 1_000_000_000,
        at % 1_000_000_000
    );
}

pub(super) fn line(x: &Exporter, r: &TraceRecord, out: &mut String) {
    each(x, r, |on, flags, event| {
        prefix(x, on, r, flags, out);
        payload(x, r.cpu, event, out);
    });
}

/// The fields of an event, as the kernel prints them.
fn payload(x: &Exporter, cpu: i32, event: Event, out: &mut String) {
    let who = |task| {
        format!(
            "comm={} pid={} prio={}",
            name(x, task, cpu),
            pid(task),
            prio(x, task)
        )
    };
    let _ = match event {
        Event::Switch { prev, state, next } => {
            let state = match state {
                State::Runnable => "R",
                State::Sleeping => "S",
                State::Dead => "X",
                State::Zombie => "Z",
            };
            writeln!(
                out,
                "sched_switch: prev_comm={} prev_pid={} prev_prio={} prev_state={state} ==> \
                 next_comm={} next_pid={} next_prio={}",
                name(x, prev, cpu),
                pid(prev),
                prio(x, prev),
                name(x, next, cpu),
                pid(next),
                prio(x, next),
            )
        }
        Event::StatRuntime { task, ns } => writeln!(
            out,
            "sched_stat_runtime: comm={} pid={} runtime={ns} [ns]",
            name(x, task, cpu),
            pid(task)
        ),
        Event::Waking { task, target } => {
            writeln!(out, "sched_waking: {} target_cpu={target:03}", who(task))
        }
        Event::Wakeup { task, target } => {
            writeln!(out, "sched_wakeup: {} target_cpu={target:03}", who(task))
        }
        Event::WakeupNew { task, target } => {
            writeln!(
                out,
                "sched_wakeup_new: {} target_cpu={target:03}",
                who(task)
            )
        }
        Event::Migrate { task, from, to } => writeln!(
            out,
            "sched_migrate_task: {} orig_cpu={from} dest_cpu={to}",
            who(task)
        ),
        Event::Fork { parent, child } => writeln!(
            out,
            "sched_process_fork: comm={} pid={} child_comm={} child_pid={}",
            name(x, parent, cpu),
            pid(parent),
            name(x, child, cpu),
            pid(child),
        ),
        Event::Exit { task, is_last } => writeln!(
            out,
            "sched_process_exit: {} group_dead={is_last}",
            who(task)
        ),
    };
}
