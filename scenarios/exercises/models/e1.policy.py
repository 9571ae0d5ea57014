# Round robin: each thread has a turn, then it goes to the end of the line.

TURN = 10 * ms

def pick(cpu):
    because("first in line", cpu.waiting[0])
    return cpu.waiting[0]

def slice(t):
    return TURN
