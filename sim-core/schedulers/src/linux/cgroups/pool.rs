//! Time: what queues take from the pools of their groups and give back, and what a period brings.

use super::{
    Cgroups, Group, KEPT_NS, NEAR_NS, PORTION_NS, Queue, Rules, SLACK_NS, Told, ns, signed,
};
use crate::linux::tree::NONE;
use sim_contract::cgroup::CgroupChange;
use sim_ground::ids::CpuId;

impl Cgroups {
    /// Charges a queue. Returns whether it has no time left, and gets none: its CPU must reschedule.
    #[inline]
    pub(crate) fn account(&mut self, q: Queue, delta: u64, now: u64) -> bool {
        let Some((g, at)) = self.row(q) else {
            return false;
        };
        if self.st.groups[g].quota.is_none() {
            return false;
        }
        let local = &mut self.st.locals[at];
        local.left -= signed(delta);
        if local.left > 0 || local.throttled {
            return false;
        }
        !self.acquire([g, at], PORTION_NS, now)
    }

    /// Takes time from the pool, up to a target. Returns whether the queue has time then.
    fn acquire(&mut self, [g, at]: [usize; 2], target: u64, now: u64) -> bool {
        let cpu = self.cpu(at);
        self.start_timer(g, cpu, now);
        let (group, local) = (&mut self.st.groups[g], &mut self.st.locals[at]);
        if group.pool > 0 {
            let wanted = ns(signed(target) - local.left);
            let amount = wanted.min(group.pool);
            group.pool -= amount;
            local.left += signed(amount);
            local.took_after = group.refills;
            group.unused = false;
        }
        local.left > 0
    }

    fn start_timer(&mut self, g: usize, cpu: CpuId, now: u64) {
        let group = &mut self.st.groups[g];
        if group.refill_at > 0 {
            return;
        }
        group.refill_at = group.next_on_grid(now);
        group.timer_cpu = cpu.0;
        self.timers_moved = true;
    }

    /// A queue is about to be looked at by a pick, or what ran in it is put back: whether it must be throttled now
    /// (`check_cfs_rq_runtime`).
    #[inline]
    pub(crate) fn must_throttle(&mut self, q: Queue, now: u64) -> bool {
        let Some((g, at)) = self.row(q) else {
            return false;
        };
        let local = &self.st.locals[at];
        if self.st.groups[g].quota.is_none() || local.left > 0 || local.throttled {
            return false;
        }
        !self.rules.asks_again || !self.acquire([g, at], 1, now)
    }

    /// The first entity joins an empty queue in which nothing runs: whether it must be throttled at once
    /// (`check_enqueue_throttle`).
    pub(crate) fn must_throttle_newcomer(&mut self, q: Queue, now: u64) -> bool {
        let Some((g, at)) = self.row(q) else {
            return false;
        };
        if self.st.groups[g].quota.is_none() || self.st.locals[at].throttled {
            return false;
        }
        self.account(q, 0, now) && self.must_throttle(q, now)
    }

    /// The queues below a group on the CPU of one of its queues, that queue first.
    fn family(&self, q: Queue) -> Vec<usize> {
        let Some((g, at)) = self.row(q) else {
            return Vec::new();
        };
        let column = at % self.cpus as usize;
        let mut is_in = vec![false; self.st.groups.len()];
        let mut all = Vec::new();
        // Parents come before their children.
        for (i, group) in self.st.groups.iter().enumerate() {
            is_in[i] = i == g || (group.parent != NONE && is_in[group.parent as usize]);
            if is_in[i] {
                all.push(i * self.cpus as usize + column);
            }
        }
        all
    }

    /// A queue is throttled, at a time by the clock and by that of averages. `has_tasks` says whether a queue has tasks.
    pub(crate) fn throttles(
        &mut self,
        q: Queue,
        [now, shown]: [u64; 2],
        at_wake: bool,
        has_tasks: impl Fn(Queue) -> bool,
    ) {
        let Some((g, at)) = self.row(q) else { return };
        let queues = &mut self.st.groups[g].throttled;
        if self.rules.last_first {
            queues.insert(0, q);
        } else {
            queues.push(q);
        }
        for row in self.family(q) {
            let queue = u32::try_from(row).unwrap_or(0) + self.cpus;
            let local = &mut self.st.locals[row];
            if local.above == 0 {
                local.stopped = shown + 1;
                if has_tasks(queue) || !self.rules.counts_with_tasks {
                    local.all_since = now + 1;
                }
            }
            local.above += 1;
        }
        let local = &mut self.st.locals[at];
        local.throttled = true;
        if has_tasks(q) || !self.rules.counts_with_tasks {
            local.own_since = now + 1;
        }
        let debt = -local.left;
        let (cpu, group) = (self.cpu(at), u32::try_from(g).unwrap_or(0));
        self.told.push(Told::Throttled {
            cpu,
            group,
            debt,
            at_wake,
        });
    }

    /// A queue that is throttled, or lies below one, gets its first task: its stop-watches start.
    pub(crate) fn fills_throttled(&mut self, q: Queue, now: u64) {
        if let Some(at) = self.place(q) {
            let local = &mut self.st.locals[at];
            if local.throttled && local.own_since == 0 {
                local.own_since = now + 1;
            }
            if local.above > 0 && local.all_since == 0 {
                local.all_since = now + 1;
            }
        }
    }

    /// A queue's limit throttles it no longer.
    pub(crate) fn releases(&mut self, q: Queue, [now, shown]: [u64; 2]) {
        let Some((g, at)) = self.row(q) else { return };
        let group = &mut self.st.groups[g];
        group.throttled.retain(|other| *other != q);
        let local = &mut self.st.locals[at];
        local.throttled = false;
        if let Some(since) = local.own_since.checked_sub(1) {
            group.throttled_ns += now - since;
            local.own_since = 0;
        }
        for row in self.family(q) {
            let local = &mut self.st.locals[row];
            local.above -= 1;
            if local.above > 0 {
                continue;
            }
            if let Some(stopped) = local.stopped.checked_sub(1) {
                local.lost += shown - stopped;
                local.stopped = 0;
            }
            if let Some(since) = local.all_since.checked_sub(1) {
                local.all_ns += now - since;
                local.all_since = 0;
            }
        }
    }

    /// A queue has become empty: what it has beyond a rest goes back to the pool.
    pub(crate) fn gives_back(&mut self, q: Queue, now: u64) {
        let Some((g, at)) = self.row(q) else { return };
        let (cpu, expires) = (self.cpu(at), self.rules.returns_expire);
        let (group, local) = (&mut self.st.groups[g], &mut self.st.locals[at]);
        let rest = local.left - KEPT_NS;
        if group.quota.is_none() || rest <= 0 {
            return;
        }
        local.left -= rest;
        if expires && local.took_after != group.refills {
            return;
        }
        group.pool += ns(rest);
        let far = group.refill_at == 0 || group.refill_at.saturating_sub(now) >= SLACK_NS + NEAR_NS;
        let waits = group.pool > PORTION_NS && !group.throttled.is_empty();
        if waits && far && group.slack_at == 0 {
            group.slack_at = now + SLACK_NS;
            self.timers_moved = true;
        }
        let group = u32::try_from(g).unwrap_or(0);
        let ns = ns(rest);
        self.told.push(Told::GaveBack { cpu, group, ns });
    }

    /// The earliest time at which a timer expires.
    pub(crate) fn next_timer(&self) -> Option<u64> {
        let running = |at: u64| (at > 0).then_some(at);
        let groups = self.st.groups.iter();
        let times = groups.flat_map(|g| {
            // Before the ticks of its instant.
            let refill = running(g.refill_at).map(|at| at - 1);
            [refill, running(g.release_at), running(g.slack_at)]
        });
        times.flatten().min()
    }

    /// The groups whose period ends now.
    pub(crate) fn refills_at(&self, now: u64) -> Vec<u32> {
        self.due(now + 1, |g| g.refill_at)
    }

    /// The queues of a group that are released now: they got their time just before.
    pub(crate) fn releases_at(&mut self, now: u64) -> Vec<(u32, Vec<Queue>)> {
        let due = self.due(now, |g| g.release_at);
        let release = |g: &u32| {
            let group = &mut self.st.groups[*g as usize];
            group.release_at = 0;
            (*g, std::mem::take(&mut group.served))
        };
        let released: Vec<_> = due.iter().map(release).collect();
        self.timers_moved |= !released.is_empty();
        released
    }

    /// The groups whose slack timer expires now.
    pub(crate) fn slack_at(&self, now: u64) -> Vec<u32> {
        self.due(now, |g| g.slack_at)
    }

    fn due(&self, now: u64, at: impl Fn(&Group) -> u64) -> Vec<u32> {
        let groups = self.st.groups.iter().zip(0..);
        let due = groups.filter(|(g, _)| (1..=now).contains(&at(g)));
        due.map(|(_, i)| i).collect()
    }

    /// A period of a group ends in 1 ns. Throttled queues get their time, and are released then.
    pub(crate) fn refill(&mut self, g: u32, now: u64) {
        self.timers_moved = true;
        let group = &mut self.st.groups[g as usize];
        if group.quota.is_none() {
            group.refill_at = 0;
            return;
        }
        let end = group.refill_at;
        group.phase = end;
        group.refill_at += group.period;
        if group.refill_at <= now + 1 {
            group.refill_at = group.next_on_grid(now);
        }
        group.periods += 1;
        group.refill();
        if group.throttled.is_empty() {
            if group.unused {
                group.refill_at = 0;
            }
            group.unused = true;
            return;
        }
        group.nr_throttled += 1;
        group.unused = false;
        let served = self.distribute(g);
        let group = &mut self.st.groups[g as usize];
        if !served.is_empty() {
            (group.served, group.release_at) = (served, end);
        }
    }

    /// The slack timer of a group has expired. Returns the queues that have time again.
    pub(crate) fn slack_ends(&mut self, g: u32, now: u64) -> Vec<Queue> {
        let group = &mut self.st.groups[g as usize];
        group.slack_at = 0;
        self.timers_moved = true;
        let near = group.refill_at > 0 && group.refill_at.saturating_sub(now) < NEAR_NS;
        if near || group.quota.is_none() || group.pool <= PORTION_NS {
            return Vec::new();
        }
        self.distribute(g)
    }

    /// Each throttled queue gets its debt and 1 ns, as far as the pool goes. A queue of the timer's own CPU is released
    /// last.
    fn distribute(&mut self, g: u32) -> Vec<Queue> {
        let timer_cpu = self.st.groups[g as usize].timer_cpu;
        let (mut served, mut last) = (Vec::new(), None);
        for q in self.st.groups[g as usize].throttled.clone() {
            let Some(at) = self.place(q) else { continue };
            let cpu = self.cpu(at);
            let (group, local) = (&mut self.st.groups[g as usize], &mut self.st.locals[at]);
            if group.pool == 0 {
                break;
            }
            let amount = ns(1 - local.left).min(group.pool);
            group.pool -= amount;
            local.left += signed(amount);
            local.took_after = group.refills;
            if local.left > 0 && cpu.0 == timer_cpu {
                last = Some(q);
            } else if local.left > 0 {
                served.push(q);
            }
        }
        served.extend(last);
        served
    }

    /// Something is written into a file of a group. Returns the queues that are released, if its limit was written.
    pub(crate) fn change(&mut self, g: u32, change: CgroupChange, now: u64) -> Vec<Queue> {
        let Rules {
            burst: burst_known,
            limits,
            ..
        } = self.rules;
        let Some(group) = self.st.groups.get_mut(g as usize) else {
            return Vec::new();
        };
        match change {
            CgroupChange::Shares(shares) => {
                if !group.idle {
                    group.shares = shares;
                }
                return Vec::new();
            }
            _ if !limits => return Vec::new(),
            CgroupChange::Quota(quota) => group.quota = quota,
            CgroupChange::Period(period) => group.period = period.max(1),
            CgroupChange::Burst(burst) if burst_known => group.burst = burst,
            CgroupChange::Burst(_) => return Vec::new(),
        }
        // The kernel refuses a burst beyond the quota.
        group.burst = group.burst.min(group.quota.unwrap_or(u64::MAX));
        self.has_limits = true;
        let limited = group.quota.is_some();
        if limited {
            group.refill();
            let cpu = CpuId(group.timer_cpu);
            self.start_timer(g as usize, cpu, now);
        }
        let first = g as usize * self.cpus as usize;
        for local in &mut self.st.locals[first..first + self.cpus as usize] {
            local.left = 0;
        }
        // In the order of the CPUs.
        let mut all = self.st.groups[g as usize].throttled.clone();
        all.sort_unstable();
        all
    }
}

impl Group {
    /// The next begin of a period after a time. The timer of one that is 1 ns away has just expired.
    fn next_on_grid(&self, now: u64) -> u64 {
        let now = now + 1;
        match now.checked_sub(self.phase) {
            None => self.phase,
            Some(since) => self.phase + (since / self.period + 1) * self.period,
        }
    }

    /// `__refill_cfs_bandwidth_runtime`. Without a burst the pool is the quota, whatever was left.
    pub(super) fn refill(&mut self) {
        let Some(quota) = self.quota else { return };
        self.refills += 1;
        self.pool += quota;
        if self.full > self.pool {
            self.bursts += 1;
            self.burst_ns += self.full - self.pool;
        }
        self.pool = self.pool.min(quota + self.burst);
        self.full = self.pool;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_contract::Setup;
    use sim_contract::cgroup::{Cgroup, Limit};
    use sim_ground::params::{ParamMap, Params};
    use sim_ground::rng::Rng;

    const MS: u64 = 1_000_000;
    const CPUS: u32 = 4;

    fn limited(rules: Rules) -> Cgroups {
        let group = Cgroup {
            name: "web".to_owned(),
            parent: None,
            shares: 1_024,
            idle: false,
            limit: Limit {
                quota_ns: Some(30 * MS),
                period_ns: 100 * MS,
                burst_ns: 10 * MS,
                phase_ns: Some(0),
            },
        };
        let setup = Setup {
            era: "",
            params: Params::from_map(&[], &ParamMap::new()).expect("none"),
            cpus: CPUS as usize,
            nodes: 1,
            program: None,
            cgroups: sim_contract::cgroup::Cgroups {
                groups: vec![group],
                of: vec![Some(0)],
            },
        };
        *Cgroups::new(&setup, rules).expect("a tree")
    }

    /// What is there and what was used.
    fn sum(groups: &Cgroups, used: u64) -> i64 {
        let left: i64 = groups.st.locals.iter().map(|l| l.left).sum();
        left + signed(groups.st.groups[0].pool) + signed(used)
    }

    /// The invariants of limits: no portion is larger than one portion, no debt is forgotten, and no time is made.
    #[test]
    fn no_time_is_made_or_lost() {
        for rules in [Rules::V4_9, Rules::V6_1, Rules::V6_12] {
            let mut groups = limited(rules);
            let mut rng = Rng::stream(7, "pool", 0);
            let (mut used, mut now, mut known) = (0, 0, sum(&groups, 0));
            for _ in 0..20_000 {
                now += u64::from(rng.below(3_000_000));
                while let Some(at) = groups.next_timer().filter(|at| *at <= now) {
                    let (before, pool) = (sum(&groups, used), groups.st.groups[0].pool);
                    let refills = groups.refills_at(at);
                    for g in &refills {
                        groups.refill(*g, at);
                        let full = (pool + 30 * MS).min(groups.st.groups[0].full);
                        known = before + signed(full) - signed(pool);
                    }
                    let slack = groups.slack_at(at).into_iter();
                    let slack: Vec<_> = slack.flat_map(|g| groups.slack_ends(g, at)).collect();
                    let released = groups.releases_at(at).into_iter().flat_map(|(_, q)| q);
                    for q in released.chain(slack) {
                        if groups.is_throttled(q) {
                            groups.releases(q, [at, at]);
                        }
                    }
                    assert_eq!(sum(&groups, used), known, "{rules:?} at a timer");
                }
                let q = CPUS + rng.below(CPUS);
                if groups.is_throttled(q) {
                    continue;
                }
                if rng.below(8) == 0 {
                    let before = sum(&groups, used);
                    groups.gives_back(q, now);
                    // What was taken in an earlier period may be lost.
                    assert!(sum(&groups, used) == before || rules.returns_expire);
                    known = sum(&groups, used);
                } else {
                    let ran = u64::from(rng.below(4_000_000));
                    used += ran;
                    groups.account(q, ran, now);
                    if groups.must_throttle(q, now) {
                        groups.throttles(q, [now, now], false, |_| true);
                    }
                }
                assert_eq!(sum(&groups, used), known, "{rules:?}");
                let most = groups.st.locals.iter().map(|l| l.left).max();
                assert!(most <= Some(signed(PORTION_NS)), "{rules:?}: {most:?}");
            }
            let most = (now / (100 * MS) + 1) * 30 * MS + 10 * MS + u64::from(CPUS) * 4 * MS;
            assert!(used <= most, "{rules:?}: {used} of {most}");
            assert!(used > most * 3 / 4, "{rules:?}: {used} of {most}");
        }
    }

    /// The grid of periods, and the timer that has just expired.
    #[test]
    fn a_timer_that_was_off_starts_at_the_next_begin_of_a_period() {
        let mut groups = limited(Rules::V6_1);
        let next = |groups: &Cgroups, now| groups.st.groups[0].next_on_grid(now);
        assert_eq!(next(&groups, 0), 100 * MS);
        assert_eq!(next(&groups, 100 * MS - 1), 200 * MS);
        assert_eq!(next(&groups, 100 * MS), 200 * MS);
        groups.st.groups[0].phase = 7 * MS;
        assert_eq!(next(&groups, 0), 7 * MS);
        assert_eq!(next(&groups, 7 * MS), 107 * MS);
    }
}
