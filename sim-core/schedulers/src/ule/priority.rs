//! `sched_priority`: the priority of a time-sharing thread in user mode.

use super::eras::{CpuPart, Era, NicePart, ScoreMap};
use super::interact::{self, History};
use super::window::Window;
use crate::freebsd::clocks::TICK_SHIFT;
use crate::freebsd::ranges::PRI_MAX_TIMESHARE;

/// A user priority and how it was computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserPriority {
    /// The priority.
    pub pri: u8,
    /// The interactivity score, 0 to 100.
    pub points: u64,
    /// What is compared with the threshold: the score, with nice where the era adds it.
    pub score: u64,
    /// Whether it lies in the interactive range.
    pub interactive: bool,
    /// Levels for CPU use.
    pub cpu: u32,
    /// Levels for nice: from -20 to 20, or from 0 to 50.
    pub nice: i32,
}

/// The score that is compared with the threshold: with nice from 7.3 on, not below 0.
#[must_use]
pub fn effective_score(era: &Era, history: History, nice: i8, interact: u64) -> u64 {
    with_nice(era, interact::score(history, interact), nice)
}

fn with_nice(era: &Era, points: u64, nice: i8) -> u64 {
    if era.nice_in_score {
        points.saturating_add_signed(i64::from(nice))
    } else {
        points
    }
}

/// Levels for CPU use.
#[must_use]
pub fn cpu_part(era: &Era, window: &Window, hz: u32) -> u32 {
    if window.ticks == 0 {
        return 0;
    }
    let total = window.total(i64::from(hz));
    let small = |x: u64| u32::try_from(x).unwrap_or(u32::MAX);
    match era.cpu_part {
        CpuPart::Divided { length, cap } => {
            let step = total.div_ceil(u64::from(length));
            small((window.ticks >> TICK_SHIFT) / step).min(cap)
        }
        CpuPart::Rounded { length } => {
            let scaled = (u64::from(length) * window.ticks + total / 2) / total;
            small((scaled + 512) >> TICK_SHIFT).min(length)
        }
    }
}

/// Levels for nice.
#[must_use]
pub fn nice_part(era: &Era, nice: i8) -> i32 {
    match era.nice_part {
        NicePart::One => i32::from(nice),
        NicePart::FiveQuarters => 5 * (i32::from(nice) + 20) / 4,
    }
}

/// The user priority with all its parts.
#[must_use]
pub fn user_priority(
    era: &Era,
    history: History,
    window: &Window,
    nice: i8,
    interact: u64,
    hz: u32,
) -> UserPriority {
    let points = interact::score(history, interact);
    let score = with_nice(era, points, nice);
    if score < interact {
        let step = u32::try_from(score).unwrap_or(0);
        let interact = u32::try_from(interact).unwrap_or(1);
        let above = match era.score {
            ScoreMap::PerPoint(span) => span / interact * step,
            ScoreMap::Scaled(span) => span * step / interact,
        };
        return UserPriority {
            pri: era.min_interact + u8::try_from(above).unwrap_or(0),
            points,
            score,
            interactive: true,
            cpu: 0,
            nice: 0,
        };
    }
    let cpu = cpu_part(era, window, hz);
    let nice = nice_part(era, nice);
    let sum = i64::from(era.cpu_base) + i64::from(cpu) + i64::from(nice);
    let pri = sum.clamp(i64::from(era.min_batch), i64::from(PRI_MAX_TIMESHARE));
    UserPriority {
        pri: u8::try_from(pri).unwrap_or(PRI_MAX_TIMESHARE),
        points,
        score,
        interactive: false,
        cpu,
        nice,
    }
}
