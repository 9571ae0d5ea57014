//! The threads of the background.

use super::{Check, DAEMONS, KERNEL_THREADS};
use crate::Background;
use crate::plan::GroupPlan;
use sim_contract::flags::Policy;
use sim_ground::bounds;
use sim_ground::ids::{CpuMask, GroupId};
use sim_ground::params::{ParamMap, ParamValue};
use sim_workload::BehaviourInfo;

impl Check<'_> {
    /// Checks the background and adds its groups.
    pub(super) fn background(&mut self, background: &Background, groups: &mut Vec<GroupPlan>) {
        if let Some(d) = &background.daemons {
            let path = "background.daemons";
            self.range(&format!("{path}.count"), bounds::DAEMONS, d.count);
            self.range(
                &format!("{path}.wakesPerSecond"),
                bounds::WAKES,
                d.wakes_per_second,
            );
            for (field, percent) in [
                ("interruptPercent", d.interrupt_percent),
                ("tickAlignedPercent", d.tick_aligned_percent),
                ("chainPercent", d.chain_percent),
            ] {
                self.range(&format!("{path}.{field}"), bounds::PERCENT, percent);
            }
            self.range(
                &format!("{path}.runMeanNs"),
                bounds::BACKGROUND_RUN,
                d.run_mean_ns,
            );
            if d.count > 0 && d.wakes_per_second > 0 {
                let sleep =
                    1_000_000_000 * u64::from(d.count) / u64::from(d.wakes_per_second.max(1));
                let params = [
                    ("sleepMeanNs", sleep.max(1)),
                    ("interruptPercent", u64::from(d.interrupt_percent)),
                    ("tickAlignedPercent", u64::from(d.tick_aligned_percent)),
                    ("runMeanNs", d.run_mean_ns),
                    ("chainPercent", u64::from(d.chain_percent)),
                ];
                self.background_group(groups, DAEMONS, "daemon", d.count, &params, false);
            }
        }
        if let Some(k) = &background.kernel_threads {
            let path = "background.kernelThreads";
            self.range(
                &format!("{path}.wakesPerSecond"),
                bounds::WAKES,
                k.wakes_per_second,
            );
            self.range(&format!("{path}.runNs"), bounds::BACKGROUND_RUN, k.run_ns);
            if k.wakes_per_second > 0 {
                let sleep = 1_000_000_000 / u64::from(k.wakes_per_second);
                let params = [("sleepMeanNs", sleep.max(1)), ("runNs", k.run_ns)];
                let count = u32::try_from(self.cpus).unwrap_or(0);
                self.background_group(groups, KERNEL_THREADS, "kernelThread", count, &params, true);
            }
        }
    }

    /// Adds a group that the scenario does not list.
    pub(super) fn background_group(
        &mut self,
        groups: &mut Vec<GroupPlan>,
        name: &str,
        kind: &str,
        count: u32,
        values: &[(&str, u64)],
        bound_each: bool,
    ) {
        let behaviour: &'static BehaviourInfo = sim_workload::registry::find(kind)
            .expect("invariant: background behaviours are registered");
        let map: ParamMap = values
            .iter()
            .map(|(id, v)| {
                let v = ParamValue::Int(i64::try_from(*v).unwrap_or(i64::MAX));
                ((*id).to_owned(), v)
            })
            .collect();
        let Some(params) = self.params("background", behaviour.params, &map) else {
            return;
        };
        let id = GroupId::new(groups.len());
        groups.push(GroupPlan {
            id,
            name: name.to_owned(),
            process: name.to_owned(),
            one_process: bound_each.then_some(id),
            count,
            behaviour,
            params,
            nice: 0,
            policy: Policy::Normal,
            rt_priority: 0,
            slice_ns: 0,
            working_set_bytes: behaviour.working_set_bytes,
            allowed: CpuMask::first(self.cpus),
            bound_each,
            start_ns: 0,
            start_spacing_ns: 0,
            forked: false,
            parent_of: None,
            background: true,
        });
    }
}
