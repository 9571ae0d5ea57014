//! A CPU that is idle: its state, until a signal comes.

use super::menu::{Inputs, Menu, Woken};
use super::rules::{Choice, FAR_TIMER_NS, IdleRules, LONG_SLEEPS};
use serde::{Deserialize, Serialize};
use sim_ground::time::{SimSpan, SimTime, TickGrid};

/// What a CPU does while it is idle, and what its governor remembers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Rest {
    menu: Menu,
    state: u8,
    /// The time at which it entered the state.
    since: SimTime,
    /// When it wakes by itself and chooses again, and why.
    wakes: Option<(SimTime, Woken)>,
    /// Its next timer; [`SimTime::NEVER`] if none is known.
    timer: SimTime,
    /// Whether the system keeps its tick in any case.
    ticking: bool,
    /// Whether the governor has stopped the tick in this period of idleness.
    stopped: bool,
    /// Whether it is in the state, and no signal has come.
    resting: bool,
    /// FreeBSD: number of the present period of the clock, and what was counted in it and in the one before.
    period: u64,
    counts: [u32; 2],
}

impl Default for Rest {
    fn default() -> Self {
        Self {
            menu: Menu::default(),
            state: 0,
            since: SimTime::ZERO,
            wakes: None,
            timer: SimTime::NEVER,
            ticking: false,
            stopped: false,
            resting: false,
            period: 0,
            counts: [0; 2],
        }
    }
}

impl Rest {
    /// An idle CPU whose governor remembers something.
    #[must_use]
    pub fn with(menu: Menu) -> Self {
        Self {
            menu,
            ..Self::default()
        }
    }

    /// A CPU that has long had nothing to do before the run: its governor remembers nothing but long idleness.
    #[must_use]
    pub fn long_idle(rules: &IdleRules) -> Self {
        let mut rest = Self::default();
        if let Choice::Menu(release) = rules.choice {
            let inputs = Inputs {
                timer_ns: FAR_TIMER_NS,
                next_ns: rules.tick_ns,
                tick_ns: rules.tick_ns,
                ..Inputs::default()
            };
            for _ in 0..LONG_SLEEPS {
                rest.menu.select(release, &rules.states, &inputs);
                (rest.menu).update(
                    release,
                    &rules.states,
                    FAR_TIMER_NS,
                    Woken::Signal,
                    rules.tick_ns,
                );
            }
        }
        rest
    }

    /// The state that the CPU is in, if it is in one.
    #[must_use]
    pub fn state(&self) -> Option<usize> {
        self.resting.then_some(usize::from(self.state))
    }

    /// When it entered its state.
    #[must_use]
    pub fn since(&self) -> SimTime {
        self.since
    }

    /// Whether the governor has stopped the tick.
    #[must_use]
    pub fn has_stopped_tick(&self) -> bool {
        self.stopped
    }

    /// A task has left the CPU: a new period of idleness.
    pub fn begin(&mut self) {
        self.stopped = false;
    }

    /// The CPU has nothing to do and enters a state. `ticking`: the tick goes on whatever the governor says. `load` is
    /// that of its last tick.
    pub fn enter(
        &mut self,
        rules: &IdleRules,
        now: SimTime,
        timer: SimTime,
        ticks: (&TickGrid, bool),
        load: u64,
    ) {
        (self.timer, self.ticking, self.resting) = (timer, ticks.1, true);
        self.choose(rules, now, ticks.0, load);
    }

    fn choose(&mut self, rules: &IdleRules, now: SimTime, grid: &TickGrid, load: u64) {
        self.since = now;
        self.wakes = None;
        let release = match rules.choice {
            Choice::Only => {
                self.state = 0;
                return;
            }
            Choice::FreeBsd(rule, states) => {
                let counted = self.counts[0].saturating_add(self.counts[1]);
                self.state = states[usize::from(counted > rule.above)];
                return;
            }
            Choice::Menu(release) => release,
        };
        let tick = grid.at_or_after(now + SimSpan(1));
        let far = if self.timer == SimTime::NEVER {
            FAR_TIMER_NS
        } else {
            self.timer.since(now).0
        };
        let to_tick = far.min(tick.since(now).0);
        let chosen = self.menu.select(
            release,
            &rules.states,
            &Inputs {
                timer_ns: if self.ticking { to_tick } else { far },
                next_ns: if self.stopped { far } else { to_tick },
                tick_ns: rules.tick_ns,
                stopped: self.stopped,
                io_waits: 0,
                load,
            },
        );
        self.state = u8::try_from(chosen.state).unwrap_or(0);
        if release.decides_tick() {
            self.stopped |= chosen.stops_tick && !self.ticking;
        }
        if self.ticking || release.decides_tick() && !self.stopped {
            self.wakes = Some((tick, Woken::Tick));
        }
        if rules.states[chosen.state].polls
            && let Some(limit) = rules.poll_limit_ns
        {
            let ends = now + SimSpan(limit);
            if self.wakes.is_none_or(|(at, _)| ends < at) {
                self.wakes = Some((ends, Woken::PollLimit));
            }
        }
    }

    /// Makes up for the times up to `now` at which the CPU woke by itself and chose again. Nobody pays for them.
    #[inline]
    pub fn catch_up(&mut self, rules: &IdleRules, now: SimTime, grid: &TickGrid) {
        while let Some((at, why)) = self.wakes.filter(|(at, _)| *at <= now) {
            self.update(rules, at, rules.exit_ns(usize::from(self.state)), why);
            // The tick of an idle CPU has seen no load.
            self.choose(rules, at, grid, 0);
        }
    }

    /// A signal has come; leaving the state takes `exit_ns`. Choices up to `now` have been made up for.
    pub fn leave(&mut self, rules: &IdleRules, now: SimTime, exit_ns: u64) {
        self.update(rules, now, exit_ns, Woken::Signal);
        (self.resting, self.wakes) = (false, None);
    }

    fn update(&mut self, rules: &IdleRules, now: SimTime, exit_ns: u64, woken: Woken) {
        if let Choice::Menu(release) = rules.choice {
            let residency = now.since(self.since).0 + exit_ns;
            (self.menu).update(release, &rules.states, residency, woken, rules.tick_ns);
        }
    }

    /// Another next timer than was known. Choices up to now have been made up for; later ones see it.
    pub(crate) fn set_timer(&mut self, timer: SimTime) {
        self.timer = timer;
    }

    /// FreeBSD: a switch, or an entry into idleness, in a period of the clock.
    pub fn count(&mut self, period: u64) {
        self.turn_to(period);
        self.counts[0] = self.counts[0].saturating_add(1);
    }

    /// FreeBSD: the present period of the clock.
    pub fn turn_to(&mut self, period: u64) {
        if self.period != period {
            let before = if period == self.period + 1 {
                self.counts[0]
            } else {
                0
            };
            (self.period, self.counts) = (period, [0, before]);
        }
    }

    /// Whether this can be the state of a CPU at a time.
    pub(crate) fn fits(&self, states: usize, now: SimTime) -> bool {
        let state = usize::from(self.state);
        self.menu.fits(states)
            && state < states
            && self.since <= now
            && self.wakes.is_none_or(|(at, _)| at > self.since)
    }
}
