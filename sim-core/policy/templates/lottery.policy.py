# Lottery: each thread has tickets by its weight; a draw decides each turn.
# Waldspurger and Weihl, Lottery Scheduling, OSDI 1994.

TURN = 10 * ms

def pick(cpu):
    waiting = cpu.waiting
    winner = random(sum([t.weight for t in waiting]))
    for t in waiting:
        if winner < t.weight:
            because("drew the ticket", t, winner)
            return t
        winner -= t.weight

def slice(t):
    return TURN

def idle(cpu):
    # An empty CPU takes the first who waits elsewhere.
    for other in cpus():
        for t in other.waiting:
            if cpu in t.allowed:
                return t

# Questions
# 1. Two threads have the same nice value. How far apart are they after 1 s, and after 100 s?
# 2. A thread that sleeps before its turn is over used part of its ticket. How would you make up for it?
# 3. What is the longest wait that you find, and why is there no bound?
