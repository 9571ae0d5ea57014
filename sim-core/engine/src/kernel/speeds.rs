//! Speeds that change: the hardware finds them, and the work of a CPU is charged before it takes its new one.

use crate::{Sim, around};
use sim_ground::ids::CpuId;
use sim_machine::rate::Speed;

impl Sim {
    /// Computes all speeds that changed. No work may have been done since they became stale.
    pub(crate) fn update_speeds(&mut self) {
        if !self.hardware.has_stale_speeds() {
            return;
        }
        if self.hardware.groups_sweep() {
            self.update_speeds_with_data();
        } else {
            self.update_speeds_without_data();
        }
    }

    #[inline(never)]
    fn update_speeds_with_data(&mut self) {
        let affected = self.hardware.begin_speeds(&around!(self));
        self.update_saturation(&affected);
        for cpu in &affected {
            let speed = self.hardware.speed(&around!(self), *cpu);
            self.set_speed(*cpu, speed);
        }
        self.hardware.keep_buffer(affected);
    }

    fn update_speeds_without_data(&mut self) {
        // Without data only siblings affect each other. This case runs at every switch, so it does without the lists.
        self.hardware.update_plain_mixes(&around!(self));
        while let Some(cpu) = self.hardware.next_stale() {
            if self.hardware.is_felt_as_before(&around!(self), cpu) {
                self.update_plain_speed(cpu);
                continue;
            }
            for i in 0..self.plan.machine.sibling_list(cpu).len() {
                self.update_plain_speed(self.plan.machine.sibling_list(cpu)[i]);
            }
        }
    }

    fn update_plain_speed(&mut self, cpu: CpuId) {
        let Some(task) = self.kernel.curr(cpu) else {
            self.set_speed(cpu, None);
            return;
        };
        let now = self.clock.now();
        let renewed = self
            .hardware
            .renew_plain_speed(&around!(self), cpu, task, now);
        match renewed {
            Ok(charged) => self.predict(charged),
            Err(speed) => self.set_speed(cpu, Some(speed)),
        }
    }

    /// Computes the saturation of the domains whose users changed, and the speeds of all CPUs that use these domains.
    fn update_saturation(&mut self, affected: &[CpuId]) {
        let changed = self.hardware.renew_streams(&around!(self), affected);
        let mut users: Vec<CpuId> = Vec::new();
        for domain in changed {
            let Some(factor) = self.hardware.saturate(&self.plan.machine, domain) else {
                continue;
            };
            self.hardware.users(domain, &mut users);
            // Both lists ascend. The speeds of the affected CPUs are computed afterwards, with all changes.
            let mut rest = affected.iter().peekable();
            for cpu in &users {
                while rest.next_if(|a| *a < cpu).is_some() {}
                if rest.peek() != Some(&cpu) && self.hardware.feels_saturation(*cpu) {
                    let speed = self.hardware.saturated_speed(&around!(self), *cpu, factor);
                    self.set_speed(*cpu, speed);
                }
            }
        }
    }

    /// Gives a CPU its computed speed; `None` if it is idle.
    fn set_speed(&mut self, cpu: CpuId, speed: Option<Speed>) {
        // If the speed is the same, the phase ends when it was going to.
        if let Some(speed) = self.hardware.speed_to_take(cpu, speed) {
            let charged = self.charge(cpu);
            self.hardware.take_speed(charged, speed);
            self.predict(charged);
        }
    }
}
