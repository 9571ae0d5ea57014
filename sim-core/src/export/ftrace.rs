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

fn name(x: &Exporter, task: i64, cpu: i32) -> String {
    x.task(task)
        .map_or_else(|| format!("swapper/{cpu}"), |t| comm(&t.name))
}

/// The priority as the kernel numbers it; that of `swapper` for an idle CPU.
fn prio(x: &Exporter, task: i64) -> i32 {
    x.task(task).map_or(DEFAULT_PRIO, |t| {
        t.real_time.map_or(DEFAULT_PRIO + i32::from(t.nice), |p| {
            LAST_RT_PRIO - i32::from(p)
        })
    })
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
    let comm = name(x, r.task, r.cpu);
    let (id, prio_of_task) = (pid(r.task), prio(x, r.task));
    let last = x.task(r.task).map_or(0, |t| t.cpu);
    match r.kind {
        TraceKind::Switch => switch(x, r, out),
        TraceKind::Wakeup => {
            let (waking, woken) = if r.interrupt {
                (Flags::Interrupt, Flags::InterruptQueue)
            } else {
                (Flags::Pipe, Flags::PipeQueue)
            };
            let place = i32::try_from(r.other).ok().filter(|cpu| *cpu >= 0);
            let target = place.unwrap_or(last);
            prefix(x, x.on(r.cpu), r, waking, out);
            let _ = writeln!(
                out,
                "sched_waking: comm={comm} pid={id} prio={prio_of_task} target_cpu={last:03}"
            );
            if target != last {
                moved(x, r, target, waking, out);
            }
            prefix(x, x.on(r.cpu), r, woken, out);
            let _ = writeln!(
                out,
                "sched_wakeup: comm={comm} pid={id} prio={prio_of_task} target_cpu={target:03}"
            );
        }
        TraceKind::Fork => {
            if r.other >= 0 {
                prefix(x, r.other, r, Flags::Call, out);
                let _ = writeln!(
                    out,
                    "sched_process_fork: comm={} pid={} child_comm={comm} child_pid={id}",
                    name(x, r.other, r.cpu),
                    pid(r.other),
                );
            }
            prefix(x, x.on(r.cpu), r, Flags::Queue, out);
            let target = r.target.max(0);
            let _ = writeln!(
                out,
                "sched_wakeup_new: comm={comm} pid={id} prio={prio_of_task} target_cpu={target:03}"
            );
        }
        TraceKind::Exit => {
            prefix(x, x.on(r.cpu), r, Flags::Call, out);
            let last = x.is_last_of_process(r.task);
            let _ = writeln!(
                out,
                "sched_process_exit: comm={comm} pid={id} prio={prio_of_task} group_dead={last}"
            );
        }
        TraceKind::Migrate | TraceKind::Queue if r.cpu >= 0 && last != r.cpu => {
            moved(x, r, r.cpu, Flags::Pipe, out);
        }
        TraceKind::Migrate
        | TraceKind::Queue
        | TraceKind::Sleep
        | TraceKind::Kick
        | TraceKind::Edit
        | TraceKind::Nice => {}
    }
}

/// The time of the thread that leaves, and the switch.
fn switch(x: &Exporter, r: &TraceRecord, out: &mut String) {
    let (prev, prev_id) = (name(x, r.other, r.cpu), pid(r.other));
    if r.other >= 0 {
        prefix(x, r.other, r, Flags::Queue, out);
        let ns = r.at.0 - x.since(r.cpu);
        let _ = writeln!(
            out,
            "sched_stat_runtime: comm={prev} pid={prev_id} runtime={ns} [ns]"
        );
    }
    let state = if r.reason == SwitchCode::Block as i32 {
        "S"
    } else if r.reason != SwitchCode::Exit as i32 {
        "R"
    } else if x.is_last_of_process(r.other) {
        "Z"
    } else {
        "X"
    };
    prefix(x, r.other, r, Flags::Queue, out);
    let _ = writeln!(
        out,
        "sched_switch: prev_comm={prev} prev_pid={prev_id} prev_prio={} prev_state={state} ==> \
         next_comm={} next_pid={} next_prio={}",
        prio(x, r.other),
        name(x, r.task, r.cpu),
        pid(r.task),
        prio(x, r.task),
    );
}

/// A thread comes to another CPU than the rows before show. The kernel's event is a change of queue, whether the thread
/// runs or not: a thread that runs on the CPU to which it was moved before causes no second event.
fn moved(x: &Exporter, r: &TraceRecord, to: i32, flags: Flags, out: &mut String) {
    let last = x.task(r.task).map_or(0, |t| t.cpu);
    prefix(x, x.on(r.cpu), r, flags, out);
    let _ = writeln!(
        out,
        "sched_migrate_task: comm={} pid={} prio={} orig_cpu={last} dest_cpu={to}",
        name(x, r.task, r.cpu),
        pid(r.task),
        prio(x, r.task),
    );
}
