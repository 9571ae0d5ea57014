// A made trace of any length: ftrace text of four CPUs on which threads wake each other, run and sleep. It is the same each time.

const CPUS = 4;
const THREADS = 60;
/** Length of a piece, in lines. */
const PIECE = 4_096;

/** Small numbers that are the same each time (xorshift). */
function chance(seed) {
  let x = seed;
  return (below) => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) % below;
  };
}

const nameOf = (pid) =>
  pid === 0 ? '<idle>' : pid % 7 === 0 ? `web content-${pid}` : `worker/${pid}`;
const longName = (pid, cpu) => (pid === 0 ? `swapper/${cpu}` : nameOf(pid));

/** Yields pieces of text until there are so many bytes. */
export function* traceText(bytes) {
  const below = chance(20_260_101);
  const on = Array.from({ length: CPUS }, () => 0);
  const since = Array.from({ length: CPUS }, () => 0);
  const waiting = Array.from({ length: CPUS }, () => []);
  const asleep = Array.from({ length: THREADS }, (_, i) => 100 + i);
  let [us, made] = [2_000_000_000, 0];
  let lines = [
    '# tracer: nop',
    '#',
    `# entries-in-buffer/entries-written: 1/1   #P:${CPUS}`,
    '#',
    '#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION',
  ];
  const line = (cpu, flags, text) => {
    const time = `${Math.floor(us / 1e6)}.${String(us % 1e6).padStart(6, '0')}`;
    const who = `${nameOf(on[cpu])}-${on[cpu]}`.padStart(16).padEnd(24);
    lines.push(`${who} [${String(cpu).padStart(3, '0')}] ${flags} ${time}: ${text}`);
  };
  const go = (cpu, next, state) => {
    const prev = on[cpu];
    const ran = (us - since[cpu]) * 1_000 + below(1_000);
    if (prev !== 0)
      line(
        cpu,
        'd..2.',
        `sched_stat_runtime: comm=${nameOf(prev)} pid=${prev} runtime=${ran} [ns]`,
      );
    line(
      ...[cpu, 'd..2.'],
      `sched_switch: prev_comm=${longName(prev, cpu)} prev_pid=${prev} prev_prio=120 prev_state=${state} ==> next_comm=${longName(next, cpu)} next_pid=${next} next_prio=120`,
    );
    [on[cpu], since[cpu]] = [next, us];
  };
  while (made < bytes) {
    us += 2 + below(40);
    const cpu = below(CPUS);
    if (below(2) === 0 && asleep.length > 0) {
      const [pid] = asleep.splice(below(asleep.length), 1);
      const target = `comm=${nameOf(pid)} pid=${pid} prio=120 target_cpu=${String(cpu).padStart(3, '0')}`;
      line(cpu, 'd.h2.', `sched_waking: ${target}`);
      line(cpu, 'd.h3.', `sched_wakeup: ${target}`);
      waiting[cpu].push(pid);
    }
    const prev = on[cpu];
    const next = waiting[cpu].shift() ?? 0;
    us += 1;
    if (prev !== 0 && below(4) === 0 && next !== 0) {
      waiting[cpu].push(prev);
      go(cpu, next, 'R+');
    } else if (prev !== next) {
      if (prev !== 0) asleep.push(prev);
      go(cpu, next, prev === 0 ? 'R' : 'S');
    }
    if (lines.length < PIECE) continue;
    const piece = `${lines.join('\n')}\n`;
    lines = [];
    made += piece.length;
    yield piece;
  }
}
