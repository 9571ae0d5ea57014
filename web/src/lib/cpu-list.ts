/** Lists of CPUs as people write them: `0-3, 8`. */

/** The list as text; runs of neighbours become ranges. */
export function cpuListText(cpus: readonly number[]): string {
  const sorted = [...new Set(cpus)].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let i = 0; i < sorted.length; i++) {
    const from = sorted[i] ?? 0;
    let to = from;
    while (sorted[i + 1] === to + 1) {
      to += 1;
      i += 1;
    }
    parts.push(
      to === from
        ? String(from)
        : to === from + 1
          ? `${String(from)}, ${String(to)}`
          : `${String(from)}-${String(to)}`,
    );
  }
  return parts.join(', ');
}

/** The CPUs of a text, ascending; null for an empty text or `all` (every CPU); a sentence if the text is not a list. */
export function parseCpuList(text: string, cpus: number): readonly number[] | null | string {
  const last = cpus - 1;
  const wrong = `Numbers from 0 to ${String(last)}, such as 0-3, 8; empty: all.`;
  if (/^\s*(all)?\s*$/i.test(text)) return null;
  const out = new Set<number>();
  for (const part of text.split(',')) {
    const match = /^\s*(\d{1,4})\s*(?:[-–]\s*(\d{1,4})\s*)?$/.exec(part);
    if (!match) return wrong;
    const from = Number(match[1]);
    const to = match[2] === undefined ? from : Number(match[2]);
    if (from > to || to > last) return wrong;
    for (let cpu = from; cpu <= to; cpu++) out.add(cpu);
  }
  return out.size === cpus ? null : [...out].sort((a, b) => a - b);
}
