// Instructions per event: read from callgrind's output, and compared with scripts/measure/instructions.json.

/** A larger increase than this part of the baseline is a failure. */
export const LIMIT = 0.02;

/** Number of functions kept for a row: those with the most instructions of their own. */
const KEPT_FUNCTIONS = 25;

/** Names without the suffixes that the compiler adds to copies, which change with every build. */
const plainName = (name) => name.replace(/::h[0-9a-f]{16}\b/g, '').replace(/'\d+$/, '');

/**
 * Reads a callgrind file: `{ total, functions }`, instructions in total and by function, without those of callees.
 * The format is in Valgrind's manual, "Callgrind Format Specification".
 */
export function readCallgrind(text) {
  const names = new Map();
  const functions = new Map();
  let [current, isCall, total] = [null, false, 0];
  for (const line of text.split('\n')) {
    const fn = /^fn=\((\d+)\)(?: (.*))?$/.exec(line);
    if (fn) {
      if (fn[2] !== undefined) names.set(fn[1], plainName(fn[2]));
      current = names.get(fn[1]) ?? fn[1];
    } else if (line.startsWith('cfn=') || line.startsWith('cfi=') || line.startsWith('cob=')) {
      const called = /^cfn=\((\d+)\) (.*)$/.exec(line);
      if (called) names.set(called[1], plainName(called[2]));
    } else if (line.startsWith('calls=')) {
      // The next line is the cost of the callee.
      isCall = true;
    } else if (/^[+*\-\d]/.test(line)) {
      const cost = Number(line.split(' ')[1] ?? 0);
      if (!isCall && current !== null) {
        functions.set(current, (functions.get(current) ?? 0) + cost);
        total += cost;
      }
      isCall = false;
    }
  }
  return { total, functions };
}

/** Instructions per event of a long run minus a short one, which removes start-up. */
export function perEvent(short, long) {
  const events = long.events - short.events;
  if (!(events > 0)) throw new Error('the long run must have more events than the short one');
  const of = (a, b) => (a - b) / events;
  const functions = [...long.functions]
    .map(([name, count]) => [name, of(count, short.functions.get(name) ?? 0)])
    .sort(([, a], [, b]) => b - a)
    .slice(0, KEPT_FUNCTIONS)
    .map(([name, count]) => [name, Number(count.toFixed(1))]);
  return {
    perEvent: Number(of(long.total, short.total).toFixed(1)),
    functions: Object.fromEntries(functions),
  };
}

/** The largest increases, in instructions per event; a function that was not kept counts as 0. */
export function grown(before, now, most = 5) {
  return Object.keys({ ...before, ...now })
    .map((name) => ({ name, before: before[name] ?? 0, now: now[name] ?? 0 }))
    .filter((f) => f.now > f.before)
    .sort((a, b) => b.now - b.before - (a.now - a.before))
    .slice(0, most);
}

/** Why numbers cannot be compared with a baseline, or undefined. */
export function incomparable(baseline, made) {
  for (const [what, name] of [
    ['rustc', 'compiler'],
    ['host', 'system'],
  ]) {
    if (baseline[what] !== made[what]) {
      return `the baseline is of another ${name}: ${baseline[what]}, and this is ${made[what]}`;
    }
  }
  return undefined;
}

/** Rows compared with a baseline: `{ name, before, now, change, verdict }` each. */
export function compare(baseline, rows) {
  const names = new Set([...Object.keys(baseline), ...Object.keys(rows)]);
  return [...names].map((name) => {
    const [before, now] = [baseline[name], rows[name]];
    if (!before || !now) return { name, before, now, verdict: before ? 'gone' : 'new' };
    if (before.short !== now.short || before.long !== now.long) {
      return { name, before, now, verdict: 'of other lengths' };
    }
    const change = now.perEvent / before.perEvent - 1;
    const verdict = change > LIMIT ? 'GREW' : change < -LIMIT ? 'fell' : 'same';
    return { name, before, now, change, verdict };
  });
}
