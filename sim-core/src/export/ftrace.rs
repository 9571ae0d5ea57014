//! Linux ftrace text: the events `sched_switch`, `sched_wakeup`, `sched_wakeup_new`, `sched_migrate_task` and
//! `sched_process_exit` in the layout of `TP_printk` of `include/trace/events/sched.h` (Linux 5.10), with nine digits
//! after the point of the time as `trace-cmd report -t` prints them.

use super::{Exporter, pid};
use crate::engine::Sim;
use crate::trace::{SwitchCode, TraceKind, TraceRecord};
use std::fmt::Write;

/// `TASK_COMM_LEN` without the terminating zero.
const COMM: usize = 15;
/// Priority of nice 0 (`DEFAULT_PRIO`).
const DEFAULT_PRIO: i32 = 120;

pub(super) fn header(sim: &Sim) -> String {
    format!(
        "# tracer: nop\n#\n# entries-in-buffer/entries-written: 0/0   #P:{}\n#\n\
         #           TASK-PID     CPU#  ||||    TIMESTAMP  FUNCTION\n\
         #              | |         |   ||||       |         |\n",
        sim.plan().machine.cpu_count()
    )
}

/// A name as the kernel stores it: short. Characters that would break a line into other fields are replaced.
pub(super) fn comm(name: &str) -> String {
    let clean: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "-_./:+".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    if clean.len() <= COMM {
        return clean;
    }
    // The number at the end distinguishes threads of a group.
    let number = clean.rfind('-').map_or("", |i| &clean[i..]);
    let kept = COMM.saturating_sub(number.len());
    format!("{}{number}", &clean[..kept])
}

fn name(x: &Exporter, task: i64, cpu: i32) -> String {
    x.task(task)
        .map_or_else(|| format!("swapper/{cpu}"), |t| comm(&t.name))
}

fn prio(x: &Exporter, task: i64) -> i32 {
    DEFAULT_PRIO + x.task(task).map_or(0, |t| i32::from(t.nice))
}

/// The current thread of the CPU where something happens, and the time.
fn prefix(x: &Exporter, on: i64, cpu: i32, at: u64, out: &mut String) {
    let who = x
        .task(on)
        .map_or_else(|| "<idle>".to_owned(), |t| comm(&t.name));
    let pid = pid(on);
    let _ = write!(
        out,
        "{who:>16}-{pid:<7} [{:03}] d..2 {:>5}.{:09}: ",
        cpu.max(0),
        at / 1_000_000_000,
        at % 1_000_000_000
    );
}

pub(super) fn line(x: &Exporter, r: &TraceRecord, out: &mut String) {
    let comm = name(x, r.task, r.cpu);
    let (id, prio_of_task) = (pid(r.task), prio(x, r.task));
    let last = x.task(r.task).map_or(0, |t| t.cpu);
    match r.kind {
        TraceKind::Switch => {
            let prev = name(x, r.other, r.cpu);
            let state = if r.other < 0 || r.reason == SwitchCode::Involuntary as i32 {
                "R"
            } else if r.reason == SwitchCode::Block as i32 {
                "S"
            } else if r.reason == SwitchCode::Exit as i32 {
                "X"
            } else {
                "R"
            };
            prefix(x, r.other, r.cpu, r.at.0, out);
            let _ = writeln!(
                out,
                "sched_switch: prev_comm={prev} prev_pid={} prev_prio={} prev_state={state} ==> \
                 next_comm={comm} next_pid={id} next_prio={prio_of_task}",
                pid(r.other),
                prio(x, r.other),
            );
        }
        TraceKind::Wakeup | TraceKind::Fork => {
            let event = if r.kind == TraceKind::Fork {
                "sched_wakeup_new"
            } else {
                "sched_wakeup"
            };
            let place = i32::try_from(r.other).ok().filter(|cpu| *cpu >= 0);
            let target = place
                .filter(|_| r.kind == TraceKind::Wakeup)
                .unwrap_or(last);
            if target != last {
                moved(x, r, target, out);
            }
            prefix(x, x.on(r.cpu), r.cpu, r.at.0, out);
            let _ = writeln!(
                out,
                "{event}: comm={comm} pid={id} prio={prio_of_task} target_cpu={target:03}"
            );
        }
        TraceKind::Exit => {
            prefix(x, x.on(r.cpu), r.cpu, r.at.0, out);
            let _ = writeln!(
                out,
                "sched_process_exit: comm={comm} pid={id} prio={prio_of_task}"
            );
        }
        TraceKind::Migrate | TraceKind::Queue if r.cpu >= 0 && last != r.cpu => {
            moved(x, r, r.cpu, out);
        }
        TraceKind::Migrate
        | TraceKind::Queue
        | TraceKind::Sleep
        | TraceKind::Kick
        | TraceKind::Edit
        | TraceKind::Nice => {}
    }
}

/// A thread comes to another CPU than the rows before show. The kernel's event is a change of queue, whether the thread
/// runs or not: a thread that runs on the CPU to which it was moved before causes no second event.
fn moved(x: &Exporter, r: &TraceRecord, to: i32, out: &mut String) {
    let last = x.task(r.task).map_or(0, |t| t.cpu);
    prefix(x, x.on(r.cpu), r.cpu, r.at.0, out);
    let _ = writeln!(
        out,
        "sched_migrate_task: comm={} pid={} prio={} orig_cpu={last} dest_cpu={to}",
        name(x, r.task, r.cpu),
        pid(r.task),
        prio(x, r.task),
    );
}
