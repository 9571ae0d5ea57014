# Round robin: each thread has a turn, then it goes to the end of the line.

TURN = 10 * ms

def pick(cpu):
    because("first in line", cpu.waiting[0])
    return cpu.waiting[0]

def slice(t):
    return TURN

# Questions
# 1. Make TURN a hundred times shorter. What do the threads gain, and what does the machine lose?
# 2. A typist waits behind three hogs. How long at most? Try it with TURN = 100 * ms.
# 3. Give one thread twice as much of the CPU as the others. Which function do you change?
