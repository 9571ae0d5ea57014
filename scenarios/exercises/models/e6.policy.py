# A core for each job: a job goes to a core on which no other job is, and daemons go beside them.

def jobs(core):
    return [c for c in cpus() if c.core == core and c.running != None and not c.running.background]

def place(t):
    idle = [c for c in t.allowed if c.idle]
    if t.background or not idle:
        return min(idle or t.allowed, key=lambda c: (c.nr_running, c != t.last_cpu))
    return min(idle, key=lambda c: (len(jobs(c.core)), c != t.last_cpu))

def pick(cpu):
    return cpu.waiting[0]

def slice(t):
    return 10 * ms
