# Multi-level feedback queue, with the five rules of Operating Systems: Three Easy Pieces, chapter 8.

thread_state("level", 0)
thread_state("used", 0)

LEVELS = 4
BALANCE_EVERY = 1 * s

def start(t):                       # Rule 3: a new thread begins at the top
    t.level = 0

def ran(t, time):                   # Rule 4: who has used its allotment sinks
    t.used += time
    if t.used >= slice(t):
        t.level = min(t.level + 1, LEVELS - 1)
        t.used = 0

def pick(cpu):                      # Rules 1 and 2: the top level first, in turn within it
    best = min(cpu.waiting, key=lambda t: t.level)
    because("highest level", best)
    return best

def preempt(t, cpu):                # Rule 1, as soon as it matters
    return cpu.running != None and t.level < cpu.running.level

def slice(t):
    return (10 * ms) << t.level

def balance():                      # Rule 5: after some time all begin at the top
    for t in threads():
        t.level = 0
        t.used = 0
