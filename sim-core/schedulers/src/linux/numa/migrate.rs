//! The search for the CPU to which a thread goes because of its memory.

use super::{Host, Numa, signed};
use crate::linux::clock::LastTicks;
use crate::linux::tables::Tables;
use sim_contract::cx::Cx;
use sim_contract::decision::DecisionId;
use sim_ground::ids::{CpuId, NodeId, TaskId};

/// Largest difference in load between two nodes, in percent.
const IMBALANCE_PCT: u64 = 112;

/// A move of a thread to another CPU.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    /// The target CPU.
    pub(crate) to: CpuId,
    /// The thread that runs there and comes in exchange, with the decision.
    pub(crate) swap: Option<(TaskId, DecisionId)>,
    /// The decision.
    pub(crate) why: DecisionId,
}

/// Statistics of a node.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Signed as in the kernel: a thread's load is an estimate, and can be more than its node's.
    load: i64,
    capacity: u64,
    running: u64,
    cpus: u64,
}

impl Node {
    /// By how much the load of the heavier node exceeds 112 % of the load of the lighter one, by capacity; not positive
    /// if it does not.
    fn excess(self, other: Self) -> i128 {
        let scaled = |a: i64, b: u64| i128::from(a) * i128::from(b);
        let (heavy, light) =
            if scaled(self.load, other.capacity) < scaled(other.load, self.capacity) {
                (other, self)
            } else {
                (self, other)
            };
        scaled(heavy.load, light.capacity) * 100
            - scaled(light.load, heavy.capacity) * i128::from(IMBALANCE_PCT)
    }
}

/// The best target so far.
#[derive(Clone, Copy, Debug)]
struct Best {
    cpu: CpuId,
    swap: Option<TaskId>,
    score: i64,
}

/// The search for one thread.
struct Search {
    task: TaskId,
    cpu: CpuId,
    src_node: NodeId,
    src: Node,
    load: u64,
    alone: bool,
    best: Option<Best>,
    /// The best score among the refused targets.
    refused: i64,
}

impl Search {
    fn best_score(&self) -> i64 {
        self.best.map_or(0, |b| b.score)
    }

    /// `load_too_imbalanced`: `load` goes to the other node, and `back` comes from there.
    fn worsens(&self, dst: Node, load: u64, back: u64) -> bool {
        let after = |n: Node, plus: u64, minus: u64| Node {
            load: n.load + signed(plus) - signed(minus),
            ..n
        };
        let (src, dst_after) = (after(self.src, back, load), after(dst, load, back));
        let excess = src.excess(dst_after);
        excess > 0 && excess > self.src.excess(dst)
    }
}

impl Numa {
    /// `task_numa_migrate`.
    pub(super) fn find_place(
        &mut self,
        host: &mut (impl Host + ?Sized),
        cx: &mut Cx<'_>,
        cpu: CpuId,
        task: TaskId,
        preferred: NodeId,
    ) -> Option<Move> {
        // Another thread has already chosen this one for an exchange.
        if self.is_on_its_way(task) {
            return None;
        }
        let src_node = cx.machine.place(cpu).node;
        let src = node(host, cx, src_node);
        let mut search = Search {
            task,
            cpu,
            src_node,
            src,
            load: host.task_load(task, cx.now.0),
            alone: host.state().running(cpu) == 1,
            best: None,
            refused: 0,
        };
        let dst = node(host, cx, preferred);
        self.look_at(host, cx, &mut search, preferred, dst);
        if search.best.is_none() {
            for other in (0..self.nodes).map(NodeId::new) {
                if other == src_node || other == preferred || self.gain(task, src_node, other) < 0 {
                    continue;
                }
                let dst = node(host, cx, other);
                self.look_at(host, cx, &mut search, other, dst);
            }
        }
        let Some(best) = search.best else {
            let operands = [i64::from(preferred.0), src.load, dst.load, search.refused];
            cx.explain(
                Some(cpu),
                Some(task),
                self.reasons.task_numa_stays,
                operands,
            );
            return None;
        };
        let bounds = {
            let key = self.task(task)?.process;
            self.st.settings.periods(self.pages_of(cx, key))
        };
        if let Some(t) = self.st.tasks[task.index()].as_mut() {
            t.period_ms = bounds.0;
        }
        let reason = match best.swap {
            Some(_) => {
                self.st.counters.swaps += 1;
                self.reasons.task_numa_swap
            }
            None => {
                self.st.counters.migrations += 1;
                self.reasons.task_numa_migrate
            }
        };
        let operands = [
            i64::from(cpu.0),
            i64::from(preferred.0),
            best.score,
            best.swap.map_or(-1, |t| i64::from(t.0)),
        ];
        let why = cx.explain(Some(best.cpu), Some(task), reason, operands);
        let swap = best.swap.map(|other| {
            let operands = [
                i64::from(best.cpu.0),
                super::number(self.preferred(other)),
                best.score,
                i64::from(task.0),
            ];
            (other, cx.explain(Some(cpu), Some(other), reason, operands))
        });
        cx.requery(cpu);
        Some(Move {
            to: best.cpu,
            swap,
            why,
        })
    }

    /// Records that a thread is on its way to a CPU. Until it arrives, no other thread is sent there.
    pub(crate) fn expect(&mut self, cpu: CpuId, task: TaskId) {
        self.st.expected.push((cpu, task));
    }

    /// Whether a thread is on its way to a CPU.
    pub(crate) fn expects(&self, cpu: CpuId) -> bool {
        self.st.expected.iter().any(|(c, _)| *c == cpu)
    }

    fn is_on_its_way(&self, task: TaskId) -> bool {
        self.st.expected.iter().any(|(_, t)| *t == task)
    }

    /// A thread that was expected has arrived, or will no longer arrive.
    pub(crate) fn arrives(&mut self, task: TaskId) {
        self.st.expected.retain(|(_, t)| *t != task);
    }

    /// Share of a thread's faults on a node, in thousandths (`task_weight`).
    fn weight(&self, task: TaskId, node: NodeId) -> i64 {
        let Some(t) = self.task(task) else { return 0 };
        let total: u64 = t.faults.iter().sum();
        signed(
            (t.faults[node.index()] * 1_000)
                .checked_div(total)
                .unwrap_or(0),
        )
    }

    /// What a thread gains by going from one node to another.
    fn gain(&self, task: TaskId, from: NodeId, to: NodeId) -> i64 {
        self.weight(task, to) - self.weight(task, from)
    }

    /// `task_numa_find_cpu`.
    fn look_at(
        &self,
        host: &mut (impl Host + ?Sized),
        cx: &mut Cx<'_>,
        search: &mut Search,
        to: NodeId,
        dst: Node,
    ) {
        let gain = self.gain(search.task, search.src_node, to);
        let scaled = |a: i64, b: u64| i128::from(a) * i128::from(b);
        if self.rules.needs_lighter_node
            && scaled(search.src.load, dst.capacity) * i128::from(IMBALANCE_PCT)
                <= scaled(dst.load, search.src.capacity) * 100
        {
            search.refused = search.refused.max(gain);
            return;
        }
        let spare = !self.rules.needs_lighter_node && dst.running < dst.cpus;
        let allowed = cx.task(search.task).allowed;
        for cpu in cx.machine.cpu_ids() {
            if cx.machine.place(cpu).node != to || !allowed.contains(cpu) || self.expects(cpu) {
                continue;
            }
            if spare {
                if host.state().is_idle(cpu) {
                    search.best = Some(Best {
                        cpu,
                        swap: None,
                        score: gain,
                    });
                    return;
                }
                continue;
            }
            self.compare(host, cx, search, to, dst, cpu);
        }
    }

    /// `task_numa_compare`.
    fn compare(
        &self,
        host: &mut (impl Host + ?Sized),
        cx: &mut Cx<'_>,
        search: &mut Search,
        to: NodeId,
        dst: Node,
        cpu: CpuId,
    ) {
        let gain = self.gain(search.task, search.src_node, to);
        let rules = self.rules;
        if host.state().is_idle(cpu) {
            let better = gain > search.best_score();
            let free = rules.needs_lighter_node && better;
            cx.candidate(Some(cpu), None, gain, "score");
            if free && !search.worsens(dst, search.load, 0) {
                search.best = Some(Best {
                    cpu,
                    swap: None,
                    score: gain,
                });
            } else {
                search.refused = search.refused.max(gain);
            }
            return;
        }
        let st = host.state();
        let fair = |t: &TaskId| *t != search.task && !st.is_real_time(*t);
        let Some(other) = st.current(cpu).filter(fair) else {
            return;
        };
        if !cx.task(other).allowed.contains(search.cpu) || self.is_on_its_way(other) {
            return;
        }
        let score = gain + self.gain(other, to, search.src_node);
        cx.candidate(Some(cpu), Some(other), score, "score");
        let enough = score >= rules.least_swap && score >= search.best_score() + rules.better_by;
        let back = host.task_load(other, cx.now.0);
        let even = if rules.needs_lighter_node {
            search.alone && host.state().running(cpu) == 1
        } else {
            back == search.load
        };
        if enough && (even || !search.worsens(dst, search.load, back)) {
            search.best = Some(Best {
                cpu,
                swap: Some(other),
                score,
            });
        } else {
            search.refused = search.refused.max(score);
        }
    }
}

/// `update_numa_stats`.
fn node(host: &mut (impl Host + ?Sized), cx: &Cx<'_>, of: NodeId) -> Node {
    let mut sums = Node {
        load: 0,
        capacity: 0,
        running: 0,
        cpus: 0,
    };
    for cpu in cx.machine.cpu_ids() {
        if cx.machine.place(cpu).node != of {
            continue;
        }
        sums.load += signed(host.load_at(cpu, cx.now.0));
        sums.capacity += host.domains().power[cpu.index()];
        sums.running += u64::from(host.threads(cpu));
        sums.cpus += 1;
    }
    sums
}
