# One queue: all CPUs take from one list. A thread that was here last goes first, if it has not waited long.

TURN = 6 * ms
PATIENCE = 10 * ms

def place(t):
    return EVERYONE

def pick(cpu):
    first = cpu.waiting[0]
    for t in cpu.waiting:
        if t.last_cpu == cpu and first.waits < PATIENCE:
            because("was here last", t)
            return t
    because("first in line", first)
    return first

def slice(t):
    return TURN

# Questions
# 1. PATIENCE = 0 takes the first in line. How many moves between CPUs do you count now?
# 2. PATIENCE = 1 * s: who waits longest?
# 3. The list has one lock. What does it cost with 4 CPUs, and with 64?
