# Stride with three, two and one tickets: whoever has used least of its share runs next.

TICKETS = [3, 2, 1]

thread_state("used", 0)
cpu_state("floor", 0)

def enqueue(t, cpu):                # sleeping is no credit
    t.used = max(t.used, cpu.floor)

def ran(t, time):
    t.used += time // TICKETS[t.group]

def pick(cpu):
    best = min(cpu.waiting, key=lambda t: t.used)
    cpu.floor = max(cpu.floor, best.used)
    because("least of its share", best)
    return best

def slice(t):
    return 5 * ms
