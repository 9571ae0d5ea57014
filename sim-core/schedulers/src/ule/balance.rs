//! The long-term balancer (`sched_balance`): when it runs, and which threads it moves.

use super::eras::BalanceRule;
use super::search::CpuSearch;
use super::{Ule, clamp, reasons};
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_contract::flags::TimerId;
use sim_ground::ids::{CpuId, CpuMask, TaskId};

/// The CPU whose statistics clock drives the balancer.
const BOOT: CpuId = CpuId(0);
/// Timer of the balancer between groups (2007), or of a run that became due while missed ticks were replayed.
const BALANCE: TimerId = 0;
/// Timer of the balancer inside groups (2007).
const INSIDE: TimerId = 1;

impl Ule {
    /// Whether ticks of a CPU count down to the balancer's next run.
    pub(super) fn counts_balance(&self, cpu: CpuId) -> bool {
        cpu == BOOT && self.era.balance != BalanceRule::HalfOfOnePair && self.st.tdqs.len() > 1
    }

    /// The machine starts (`sched_setup_smp`).
    pub(super) fn start_balancer(&mut self, cx: &mut Cx<'_>) {
        if self.st.tdqs.len() == 1 {
            return;
        }
        if self.era.balance == BalanceRule::HalfOfOnePair {
            self.arm_callout(cx, BALANCE);
            self.arm_callout(cx, INSIDE);
        } else {
            self.next_run(cx);
        }
    }

    /// Draws the next run: half an interval plus a random part of a whole interval.
    fn next_run(&mut self, cx: &mut Cx<'_>) {
        let interval = self.st.tune.balance_interval;
        self.st.balance_ticks = (interval / 2).max(1) + cx.rng.below(interval);
    }

    /// 2007: a callout after half a second to a second.
    fn arm_callout(&mut self, cx: &mut Cx<'_>, timer: TimerId) -> u64 {
        let rates = self.st.tune.rates();
        let hz = rates.hz;
        let ticks = u64::from((hz / 2).max(cx.rng.below(hz)).max(1));
        cx.arm(timer, rates.time_of(rates.ticks(cx.now) + ticks));
        ticks
    }

    /// Schedules a run that became due while missed ticks were replayed.
    pub(super) fn balance_soon(&mut self, cx: &mut Cx<'_>) {
        cx.arm(BALANCE, cx.now);
    }

    /// One of the balancer's timers expired.
    pub(super) fn balance_timer(&mut self, cx: &mut Cx<'_>, timer: TimerId) {
        if self.era.balance != BalanceRule::HalfOfOnePair {
            self.sched_balance(cx);
            return;
        }
        let next = self.arm_callout(cx, timer);
        if !self.st.tune.balance {
            return;
        }
        self.st.counters.balance_runs += 1;
        let told = Self::explain_run(cx, next);
        if timer == BALANCE {
            self.balance_groups(cx);
        } else {
            for group in self.smt_groups() {
                self.balance_inside(cx, &group);
            }
        }
        self.explain_even(cx, told);
    }

    /// Records that the balancer runs. Returns the number of decisions so far.
    fn explain_run(cx: &mut Cx<'_>, next: u64) -> u64 {
        let operands = [clamp(next), 0, 0, 0];
        cx.explain(Some(BOOT), None, reasons::BALANCE_RUN, operands);
        cx.told()
    }

    /// Records that the queues are even, if the run has recorded nothing else: no CPU has a movable thread more than
    /// another.
    fn explain_even(&self, cx: &mut Cx<'_>, told: u64) {
        if cx.told() != told {
            return;
        }
        let tdqs = &self.st.tdqs;
        let most = (0..tdqs.len()).rev().max_by_key(|i| tdqs[*i].load);
        let least = tdqs.iter().map(|tdq| tdq.load).min();
        if let (Some(most), Some(least)) = (most, least) {
            let tdq = &tdqs[most];
            let operands = [
                clamp(most as u64),
                i64::from(tdq.load),
                i64::from(tdq.transferable),
                i64::from(least),
            ];
            cx.explain(Some(BOOT), None, reasons::BALANCE_EVEN, operands);
        }
    }

    /// A run of the balancer.
    pub(super) fn sched_balance(&mut self, cx: &mut Cx<'_>) {
        self.next_run(cx);
        if !self.st.tune.balance {
            return;
        }
        self.st.counters.balance_runs += 1;
        let told = Self::explain_run(cx, u64::from(self.st.balance_ticks));
        match self.era.balance {
            BalanceRule::HalfOfOnePair => {}
            BalanceRule::HalfOfEachGroup => {
                for group in 0..self.topo.groups().len() {
                    self.balance_group_by_half(cx, group);
                }
            }
            BalanceRule::OneEach | BalanceRule::OneEachAndLone => self.balance_one_each(cx),
        }
        self.explain_even(cx, told);
    }

    /// From 2012 on: each CPU that has more threads than another gives one thread.
    fn balance_one_each(&mut self, cx: &mut Cx<'_>) {
        let lone_rule = self.era.balance == BalanceRule::OneEachAndLone;
        let mut donors = CpuMask::first(self.st.tdqs.len());
        loop {
            let mut want = CpuSearch::highest(donors, 1);
            want.transferable = u32::from(!lone_rule);
            let Some(high) = self.find_highest(cx, BOOT, 0, &want) else {
                return;
            };
            donors.remove(high);
            if donors.is_empty() {
                return;
            }
            let load = self.st.tdqs[high.index()].load;
            if lone_rule && load == 1 {
                self.tell_lone(cx, high);
                return;
            }
            if self.st.tdqs[high.index()].transferable == 0 {
                continue;
            }
            let mut takers = donors;
            let mut rejected = false;
            loop {
                let want = CpuSearch {
                    limit: load - 1,
                    prefer: Some(high),
                    running: lone_rule,
                    ..CpuSearch::lowest(takers)
                };
                let Some(low) = self.find_lowest(cx, BOOT, 0, &want) else {
                    if rejected {
                        break;
                    }
                    return;
                };
                if self.balance_pair(cx, high, low) {
                    donors.remove(low);
                    break;
                }
                takers.remove(low);
                rejected = true;
            }
        }
    }

    /// Moves one thread and signals the CPU that gets it (`sched_balance_pair`).
    fn balance_pair(&mut self, cx: &mut Cx<'_>, high: CpuId, low: CpuId) -> bool {
        let operands = self.pair_operands(high, low);
        if self.st.tdqs[high.index()].load <= self.st.tdqs[low.index()].load {
            return false;
        }
        let Some(task) = self.move_one(cx, high, low, reasons::BALANCED) else {
            cx.explain(Some(low), None, reasons::BALANCE_NOTHING, operands);
            return false;
        };
        self.st.counters.balance_moves += 1;
        let why = cx.explain(Some(low), Some(task), reasons::BALANCE_MOVE, operands);
        cx.moved(task, Some(low), why);
        self.signal_moved(cx, low, Some(task), why);
        true
    }

    fn pair_operands(&self, high: CpuId, low: CpuId) -> [i64; 4] {
        let load = |cpu: CpuId| i64::from(self.st.tdqs[cpu.index()].load);
        [i64::from(high.0), load(high), load(low), 0]
    }

    /// Notifies the CPU that got a thread. Until 2017 it is signalled in any case, later only if the thread would
    /// preempt.
    fn signal_moved(
        &mut self,
        cx: &mut Cx<'_>,
        low: CpuId,
        task: Option<TaskId>,
        why: impl Into<Option<DecisionId>>,
    ) {
        let idle = self.st.tdqs[low.index()].curr.is_none();
        if cx.cpu == Some(low) {
            // The boot CPU itself is not signalled: its idle loop sees the load when the interrupt is over.
            if idle {
                cx.kick(low, why);
            }
            return;
        }
        if self.era.balance == BalanceRule::OneEachAndLone {
            if let Some(preempt) = task.map(|t| self.preempt_for(cx, low, t))
                && let Some(cpu) = preempt.value
            {
                cx.kick(cpu, preempt.why);
            }
            return;
        }
        if !self.st.tdqs[low.index()].ipi {
            self.st.tdqs[low.index()].ipi = true;
            self.note_alone(cx, low);
            cx.kick(low, why);
        }
    }

    /// 2024: if no CPU has two threads, a lone thread is told to choose a CPU again (`TDF_PICKCPU`).
    fn tell_lone(&mut self, cx: &mut Cx<'_>, high: CpuId) {
        let Some(task) = self.st.tdqs[high.index()].curr else {
            return;
        };
        if self.st.threads[task.index()].pinned {
            return;
        }
        let why = cx.explain(Some(high), Some(task), reasons::BALANCE_LONE, [1, 0, 0, 0]);
        self.st.threads[task.index()].pick_cpu = true;
        self.note_alone(cx, high);
        cx.requery(high);
        cx.kick(high, why);
    }

    /// 8.0: moves half of the difference between the first most loaded and the first least loaded CPU of a group.
    fn balance_group_by_half(&mut self, cx: &mut Cx<'_>, group: usize) {
        if !self.topo.group(group).children.is_empty() {
            // The combined search of 8.0 finds no least loaded CPU in a group of groups.
            return;
        }
        let mut mask = self.topo.group(group).mask;
        loop {
            let low = self.find_lowest(cx, BOOT, group, &CpuSearch::lowest(mask));
            let high = self.find_highest(cx, BOOT, group, &CpuSearch::highest(mask, 0));
            let (Some(low), Some(high)) = (low, high) else {
                return;
            };
            if low == high {
                return;
            }
            if self.move_half(cx, high, low) > 0 {
                return;
            }
            if self.st.tdqs[high.index()].transferable == 0 {
                mask.remove(high);
            } else {
                mask.remove(low);
            }
        }
    }

    /// Moves `⌈difference / 2⌉` threads, or as many as may move.
    fn move_half(&mut self, cx: &mut Cx<'_>, high: CpuId, low: CpuId) -> u32 {
        let (from, to) = (&self.st.tdqs[high.index()], &self.st.tdqs[low.index()]);
        if from.transferable == 0 {
            return 0;
        }
        let half = from.load.saturating_sub(to.load).div_ceil(2);
        let wanted = half.min(from.transferable);
        let mut moved = 0;
        let mut last = None;
        for _ in 0..wanted {
            let operands = self.pair_operands(high, low);
            let task = self.move_one(cx, high, low, reasons::BALANCED);
            let reason = if task.is_some() {
                reasons::BALANCE_MOVE
            } else {
                reasons::BALANCE_NOTHING
            };
            let why = cx.explain(Some(low), task, reason, operands);
            let Some(task) = task else {
                break;
            };
            cx.moved(task, Some(low), why);
            last = Some(why);
            moved += 1;
        }
        self.st.counters.balance_moves += u64::from(moved);
        self.signal_moved(cx, low, None, last);
        moved
    }

    /// Threads of each core, as lists; a CPU without siblings is a group of one (2007).
    fn smt_groups(&self) -> Vec<Vec<CpuId>> {
        let mut groups: Vec<Vec<CpuId>> = Vec::new();
        for cpu in (0..self.st.tdqs.len()).map(CpuId::new) {
            let leaf = self.topo.group(self.topo.leaf(cpu));
            if !leaf.thread {
                groups.push(vec![cpu]);
            } else if leaf.cpus[0] == cpu {
                groups.push(leaf.cpus.clone());
            }
        }
        groups
    }

    /// 2007: moves threads from the most to the least loaded group, beginning the search at a random group.
    fn balance_groups(&mut self, cx: &mut Cx<'_>) {
        let groups = self.smt_groups();
        let n = u32::try_from(groups.len()).unwrap_or(1);
        let start = cx.rng.below(n) as usize;
        let load = |g: &Vec<CpuId>| {
            let all = g.iter().map(|c| self.st.tdqs[c.index()].load);
            all.sum::<u32>()
        };
        let transferable =
            |g: &Vec<CpuId>| g.iter().any(|c| self.st.tdqs[c.index()].transferable > 0);
        let mut high: Option<&Vec<CpuId>> = None;
        let mut low: Option<&Vec<CpuId>> = None;
        for i in 0..groups.len() {
            let g = &groups[(start + i) % groups.len()];
            if transferable(g) && high.is_none_or(|h| load(g) > load(h)) {
                high = Some(g);
            }
            if low.is_none_or(|l| load(g) < load(l)) {
                low = Some(g);
            }
        }
        let (Some(high), Some(low)) = (high, low) else {
            return;
        };
        if high == low {
            return;
        }
        let tdq = |cpu: &CpuId| &self.st.tdqs[cpu.index()];
        let from = high
            .iter()
            .filter(|c| tdq(c).transferable > 0)
            .max_by_key(|c| (tdq(c).load, std::cmp::Reverse(c.0)));
        let to = low.iter().min_by_key(|c| (tdq(c).load, c.0));
        if let (Some(from), Some(to)) = (from.copied(), to.copied()) {
            self.move_half(cx, from, to);
        }
    }

    /// 2007: balances between the threads of a core in the same way.
    fn balance_inside(&mut self, cx: &mut Cx<'_>, group: &[CpuId]) {
        let tdq = |cpu: &CpuId| &self.st.tdqs[cpu.index()];
        let from = group
            .iter()
            .filter(|c| tdq(c).transferable > 0)
            .max_by_key(|c| (tdq(c).load, std::cmp::Reverse(c.0)));
        let to = group.iter().min_by_key(|c| (tdq(c).load, c.0));
        if let (Some(from), Some(to)) = (from.copied(), to.copied())
            && from != to
        {
            self.move_half(cx, from, to);
        }
    }
}
