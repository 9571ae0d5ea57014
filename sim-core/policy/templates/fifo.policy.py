# First in, first out: who runs goes on until it sleeps or ends.

def pick(cpu):
    because("arrived first", cpu.waiting[0])
    return cpu.waiting[0]

# Questions
# 1. Who waits longest beside a thread that never sleeps?
# 2. Sort by t.waits, or by the nice value. Is it still first in, first out?
# 3. Which one function makes round robin of it?
