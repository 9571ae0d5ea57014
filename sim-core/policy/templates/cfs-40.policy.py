# CFS in 40 lines: who has run least, by weight, runs next, for a share of a period.
# kernel/sched_fair.c of Linux 2.6.24 and later, much shortened.

thread_state("vruntime", 0)
cpu_state("min_vruntime", 0)

PERIOD = 6 * ms                     # sched_latency
LEAST = 1 * ms                      # sched_min_granularity

def enqueue(t, cpu):                # place_entity: a sleeper is at most half a period behind
    low = cpu.min_vruntime - PERIOD // 2
    t.vruntime = clamp(t.vruntime, low, cpu.min_vruntime + PERIOD)

def ran(t, time):                   # update_curr
    t.vruntime += time * 1024 // t.weight

def pick(cpu):                      # pick_next_entity: the leftmost of the tree
    best = min(cpu.waiting, key=lambda t: t.vruntime)
    cpu.min_vruntime = max(cpu.min_vruntime, best.vruntime)
    because("least vruntime", best, best.vruntime)
    return best

def slice(t):                       # sched_slice
    total = t.weight + sum([w.weight for w in t.cpu.waiting])
    return max(LEAST, PERIOD * t.weight // total)

def preempt(t, cpu):                # check_preempt_wakeup
    return cpu.running != None and t.vruntime + LEAST < cpu.running.vruntime

def idle(cpu):                      # idle_balance
    busiest = max(cpus(), key=lambda c: len(c.waiting))
    for t in busiest.waiting:
        if cpu in t.allowed:
            t.vruntime = cpu.min_vruntime
            return t

# Questions
# 1. Take `enqueue` away and let a thread sleep for a second. What does it do to the others?
# 2. 40 threads on one CPU: how long is a period now, and what is LEAST for?
# 3. Compare with the lane of CFS itself: where is the first pick that differs?
