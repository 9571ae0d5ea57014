//! Clocks: how heat lowers them, and how a small number of active cores raises them.

use super::Hardware;
use super::around::Around;
use crate::clockwork::{Clockwork, Event};
use sim_ground::ids::CpuId;
use sim_ground::time::SimSpan;
use sim_machine::Machine;
use sim_machine::rate::ONE;
use sim_machine::spec::ThermalSpec;

sim_ground::constants! {
    /// Interval of the steps of the temperature.
    STEP_MS: u64 = 100, "ms", Assumed,
        "A choice: fine beside the time constant of 15 s of the one preset that heats up.";
    /// A smaller change of the temperature counts as none.
    SETTLED_MILLI_C: u64 = 10, "thousandths of a °C", Assumed,
        "A choice: far below what moves the throttle.";
}

/// Fraction bits of the temperature.
const BITS: u32 = 10;
/// The same in units of the temperature.
const SETTLED: u64 = SETTLED_MILLI_C << BITS;

/// Steady rise above ambient with `active` active cores, and the rise at which the throttle begins.
fn rises(thermal: &ThermalSpec, active: u32) -> (u64, u64) {
    let target = u64::from(thermal.per_core_milli_c) * u64::from(active);
    let limit = u64::from(thermal.limit_milli_c - thermal.ambient_milli_c);
    (target << BITS, limit << BITS)
}

impl Hardware {
    /// A CPU becomes busy or idle. If with it a core becomes active or idle, temperature and clocks begin to change.
    pub(crate) fn heat_changes(
        &mut self,
        around: &Around<'_>,
        clock: &mut Clockwork,
        cpu: CpuId,
        is_busy: bool,
    ) {
        let machine = around.machine;
        let mut siblings = machine.sibling_list(cpu).iter();
        if siblings.any(|s| *s != cpu && around.is_busy(*s)) {
            return;
        }
        if is_busy {
            self.active_cores += 1;
        } else {
            self.active_cores -= 1;
        }
        if machine.spec().turbo.as_ref().is_some_and(|t| t.enabled) {
            for other in machine.package_cpus(cpu).iter() {
                self.mark_stale(other);
            }
        }
        if machine.spec().thermal.is_some() {
            self.heat_for(machine, clock, 0);
        }
    }

    /// Makes the next step of the temperature.
    pub(crate) fn on_heat(&mut self, machine: &Machine, clock: &mut Clockwork) {
        self.heat_for(machine, clock, STEP_MS);
    }

    /// Lets the package warm or cool for some time. Its next step is due as long as the temperature changes.
    fn heat_for(&mut self, machine: &Machine, clock: &mut Clockwork, ms: u64) {
        let Some(thermal) = &machine.spec().thermal else {
            return;
        };
        if self.heat_up(thermal, ms) {
            clock.cancel(Event::Heat);
        } else if clock.due(Event::Heat).is_none() {
            let at = clock.now() + SimSpan(STEP_MS * 1_000_000);
            clock.schedule(Event::Heat, at);
        }
    }

    /// Lets the package warm or cool for some time (first-order lag), and throttles it above the limit. Returns whether
    /// the temperature stays as it is now.
    fn heat_up(&mut self, thermal: &ThermalSpec, ms: u64) -> bool {
        let (target, limit) = rises(thermal, self.active_cores);
        // At the limit the throttle lowers the power until the temperature just stays at the limit.
        let goal = target.min(limit);
        let lag = u64::from(thermal.lag_ms);
        let distance = goal.abs_diff(self.heat);
        let step = if lag <= ms {
            distance
        } else {
            target.abs_diff(self.heat) * ms / lag
        };
        let step = if distance <= SETTLED {
            distance
        } else {
            step.min(distance)
        };
        if lag == 0 || ms > 0 {
            self.heat = if goal > self.heat {
                self.heat + step
            } else {
                self.heat - step
            };
        }
        let throttled = target > limit && self.heat >= limit;
        let frequency = if throttled { limit * ONE / target } else { ONE };
        if frequency != self.frequency {
            self.frequency = frequency;
            for cpu in 0..self.cpus.len() {
                self.mark_stale(CpuId::new(cpu));
            }
        }
        self.heat == goal
    }

    /// Temperature of the package in °C, if the machine has a thermal model.
    pub(crate) fn temperature(&self, machine: &Machine) -> Option<f64> {
        let thermal = machine.spec().thermal.as_ref()?;
        let milli = u64::from(thermal.ambient_milli_c) + (self.heat >> BITS);
        u32::try_from(milli).ok().map(|m| f64::from(m) / 1_000.0)
    }
}
