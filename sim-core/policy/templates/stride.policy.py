# Stride: whoever has used least of its share runs next.
# Waldspurger and Weihl, Stride Scheduling, MIT/LCS/TM-528, 1995.

thread_state("stride_pass", 0)
cpu_state("floor", 0)

def enqueue(t, cpu):
    # Sleeping is no credit.
    t.stride_pass = max(t.stride_pass, cpu.floor)

def ran(t, time):
    t.stride_pass += time * 1024 // t.weight

def pick(cpu):
    best = min(cpu.waiting, key=lambda t: t.stride_pass)
    cpu.floor = max(cpu.floor, best.stride_pass)
    because("least stride_pass", best)
    return best

def slice(t):
    return 3 * ms

def idle(cpu):
    # An empty CPU takes from the longest list.
    busiest = max(cpus(), key=lambda c: len(c.waiting))
    for t in busiest.waiting:
        if cpu in t.allowed:
            return t

# Questions
# 1. Take `enqueue` away. Who waits longest now, and for how long?
# 2. What does the lottery do better, and what worse?
# 3. Settle the credit in `wake` instead of `enqueue`. On several CPUs: which floor counts?
