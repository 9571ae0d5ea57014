//! Tests of several parts together.

use super::eras::{E07, E11, E13, E17, E24, E25, Era};
use super::preempt::should_preempt;
use super::runqs::{Chosen, Insert, Queues};
use super::{calendar, interact};
use sim_ground::ids::{CpuId, TaskId};

#[test]
fn a_calendar_gives_threads_in_the_order_of_their_slots() {
    for era in [&E17, &E24, &E25] {
        let mut queues = Queues::new(era, 2);
        let mut hands = calendar::Hands::default();
        let cpu = CpuId(1);
        for (task, pri) in [
            (0, 223),
            (1, 180),
            (2, 180),
            (3, era.min_interact),
            (4, 224),
        ] {
            queues.add(era, &hands, cpu, TaskId(task), pri, Insert::Normal);
        }
        queues.add(era, &hands, cpu, TaskId(5), 223, Insert::Preempted);
        let mut order = Vec::new();
        while let Some(Chosen { task, .. }) = queues.choose(&hands, cpu) {
            queues.remove(era, &mut hands, cpu, task);
            order.push(task.0);
        }
        assert_eq!(order, [3, 5, 1, 2, 0, 4]);
        assert!(queues.choose(&hands, CpuId(0)).is_none());
    }
}

#[test]
fn interactive_threads_do_not_preempt_each_other_remotely() {
    for era in [&E11, &E13, &E17] {
        assert!(should_preempt(era, 80, 130, 180, true));
        assert!(!should_preempt(era, 80, 125, 140, true));
    }
}

#[test]
fn every_priority_has_a_queue_and_every_batch_priority_a_slot() {
    let eras: [&Era; 6] = [&E07, &E11, &E13, &E17, &E24, &E25];
    for era in eras {
        let mut last = 0;
        for pri in era.min_batch..=223 {
            let slot = calendar::offset(era, pri);
            assert!(slot >= last && slot < era.slots, "priority {pri}");
            last = slot;
        }
        assert_eq!(last, era.slots - 1);
        let best = interact::History { run: 0, sleep: 1 };
        let window = super::window::Window::new(0);
        let found = super::priority::user_priority(era, best, &window, 0, 30, 1_000);
        assert_eq!(found.pri, era.min_interact);
        assert!(found.interactive);
    }
}
