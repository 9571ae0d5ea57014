# Each job stays where it is, and only an empty CPU takes one that waits.

def pick(cpu):
    return cpu.waiting[0]

def slice(t):
    return 100 * ms

def idle(cpu):
    busiest = max(cpus(), key=lambda c: len(c.waiting))
    for t in reversed(busiest.waiting):
        if cpu in t.allowed:
            return t
