# Every 10 ms those that are too many on a CPU go to where too few are.

def place(t):                       # where it was last, if it may
    return t.last_cpu if t.last_cpu in t.allowed else t.allowed[0]

def pick(cpu):
    return cpu.waiting[0]

def slice(t):
    return 10 * ms

def balance():
    fair = len(threads()) // len(cpus())
    free = [c for c in cpus() for i in range(fair - c.nr_running)]
    for c in cpus():
        for t in c.waiting[:max(0, c.nr_running - fair)]:
            if free and free[-1] in t.allowed:
                move(t, free.pop())
