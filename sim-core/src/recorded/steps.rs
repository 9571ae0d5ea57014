//! From bursts to steps: what each thread does by itself, and where it lets others go on.

use sim_import::burst::Then;
use sim_import::workload::{MOST_THREADS, Workload};
use sim_run::workload::recorded::Step;

pub(super) use sim_run::workload::recorded::write;

/// A place in a thread's life where it lets another go on: burst, ns of the burst, channel.
type Post = (u64, u64, u32);

/// The channel at which a thread waits for another.
fn channel(waiter: usize, waker: usize) -> u32 {
    u32::try_from(waiter * MOST_THREADS + waker).unwrap_or(0)
}

/// A sleep. One that follows another without a run is a longer one: no CPU is needed in between.
fn sleep(steps: &mut Vec<Step>, ns: u64) {
    match steps.last_mut() {
        Some(Step::Sleep(before)) => *before = before.saturating_add(ns),
        _ => steps.push(Step::Sleep(ns)),
    }
}

/// The steps of a thread that begins to sleep so long before them.
pub(super) fn after(ns: u64, steps: &[Step]) -> Vec<Step> {
    match steps {
        _ if ns == 0 => steps.to_vec(),
        [Step::Sleep(first), rest @ ..] => {
            [&[Step::Sleep(first.saturating_add(ns))], rest].concat()
        }
        _ => [&[Step::Sleep(ns)], steps].concat(),
    }
}

/// Whether a step gives the CPU away for some time.
pub(super) fn rests(step: &Step) -> bool {
    matches!(step, Step::Sleep(_) | Step::Take(_) | Step::Rest)
}

/// The steps of every thread of a workload, by place.
#[must_use]
pub fn steps(workload: &Workload) -> Vec<Vec<Step>> {
    let count = workload.header.threads.len();
    let mut posts: Vec<Vec<Post>> = vec![Vec::new(); count];
    for waiter in 0..count {
        for burst in workload.life(waiter) {
            if let Then::Wait(point, _) = burst.then {
                let waker = point.pid as usize;
                let channel = channel(waiter, waker);
                posts[waker].push((point.burst, point.after, channel));
            }
        }
    }
    for posts in &mut posts {
        posts.sort_unstable();
    }
    (0..count).map(|i| life(workload, i, &posts[i])).collect()
}

fn life(workload: &Workload, own: usize, posts: &[Post]) -> Vec<Step> {
    let member = &workload.header.threads[own];
    let mut steps = Vec::new();
    let mut posts = posts.iter().peekable();
    let mut run = |steps: &mut Vec<Step>, number: u64, run: u64| {
        let mut done = 0;
        while let Some((_, after, channel)) = posts.next_if(|(burst, ..)| *burst <= number) {
            let until = (*after).clamp(done, run);
            if until > done {
                steps.push(Step::Run(until - done));
            }
            done = until;
            steps.push(Step::Post(*channel));
        }
        if run > done {
            steps.push(Step::Run(run - done));
        }
    };
    for (number, burst) in (0..).zip(workload.life(own)) {
        run(&mut steps, number, burst.run);
        match burst.then {
            Then::Sleep(ns) | Then::Device(ns) => sleep(&mut steps, ns),
            Then::Wait(point, _) => steps.push(Step::Take(channel(own, point.pid as usize))),
            Then::Yield => steps.push(Step::Yield),
            Then::Exit => {
                steps.push(Step::Exit);
                return steps;
            }
        }
    }
    run(&mut steps, member.bursts, member.open_run_ns);
    if member.ends_asleep {
        steps.push(Step::Rest);
    }
    steps
}
