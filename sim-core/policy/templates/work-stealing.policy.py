# Work stealing: each CPU has a list; who has nothing to do takes from the nearest that has most.
# Blumofe and Leiserson, Scheduling Multithreaded Computations by Work Stealing, FOCS 1994.

TURN = 5 * ms

def pick(cpu):
    because("first in line", cpu.waiting[0])
    return cpu.waiting[0]

def slice(t):
    return TURN

def idle(cpu):
    victims = [c for c in cpus() if c != cpu and len(c.waiting) > 0]
    for c in sorted(victims, key=lambda c: (cpu.distance(c), -len(c.waiting))):
        for t in reversed(c.waiting):
            if cpu in t.allowed:
                because("stolen from", c)
                return t

# Questions
# 1. Steal from a random CPU instead of the nearest. What do caches say?
# 2. Steal the first in line instead of the last. Which threads move now?
# 3. Two CPUs, three threads that never sleep: are they even? What would make them so?
