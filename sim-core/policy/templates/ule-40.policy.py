# ULE's interactivity in 40 lines: who sleeps more than it runs goes first, the others take turns.
# sched_interact_score, sched_interact_update of sys/kern/sched_ule.c, FreeBSD 8 and later.

thread_state("run", 0)
thread_state("sleep", 0)
thread_state("asleep_since", 0)
HISTORY = 5 * s

def score(t):                       # 0 to 100: below 30 is interactive
    if t.run > t.sleep:
        return 100 - 50 * t.sleep // max(1, t.run)
    return 50 * t.run // max(1, t.sleep)

def remember(t):                    # what is long ago counts less
    if t.run + t.sleep > HISTORY:
        t.run = t.run * 4 // 5
        t.sleep = t.sleep * 4 // 5

def ran(t, time):
    t.run += time
    remember(t)

def dequeue(t):
    t.asleep_since = now()

def wake(t):
    t.sleep += now() - t.asleep_since
    remember(t)

def urgency(t):                     # all that are not interactive are alike
    return min(score(t), 30)

def pick(cpu):
    best = min(cpu.waiting, key=urgency)
    because("score", best, score(best))
    return best

def preempt(t, cpu):
    return cpu.running != None and urgency(t) < urgency(cpu.running)

def slice(t):
    return 94 * ms // max(1, t.cpu.nr_running)

# Questions
# 1. A compiler waits for its disk half of the time. Is it interactive? What does HISTORY = 500 * ms change?
