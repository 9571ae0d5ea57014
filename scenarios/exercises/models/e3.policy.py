# Lottery: three tickets for the first group, one for all others.

def tickets(t):
    return 3 if t.group == 0 else 1

def pick(cpu):
    winner = random(sum([tickets(t) for t in cpu.waiting]))
    for t in cpu.waiting:
        if winner < tickets(t):
            because("drew the ticket", t)
            return t
        winner -= tickets(t)

def slice(t):
    return 10 * ms
