/** How many threads wait, over time. */
import { heatToken } from '../../../../lib/color';
import type { Samples } from '../../../../sim/samples';
import type { MachineTree } from '../../../../sim/types/MachineTree';
import { xOf } from '../../axis';
import { type ChartPicture, clip, scale } from '../../chart/picture';
import { paintGround } from '../../ground';
import { rowsOf } from '../../rows';
import type { Heat } from './heat';

/** Part of the height for the global queue above those of the CPUs, if both are in use. */
const ABOVE = 0.45;

/**
 * Number of waiting threads: in the global queue as a height, and at each CPU in a row in the colours that the
 * machine uses for such numbers. If a scheduler has both, the rows are shown when threads wait there, because they
 * may not run everywhere.
 */
export function paintWaiting(
  p: ChartPicture,
  tree: MachineTree,
  has: { readonly global: boolean; readonly perCpu: boolean },
  heat: Heat,
  used: ReadonlySet<number> | null,
): void {
  const { ctx, samples } = p;
  const all = has.global ? ofAll(samples) : null;
  const cpus = has.perCpu ? tree.core.length : 0;
  const isBoth = all !== null && isAnyWaiting(samples, cpus);
  const top = all === null ? 0 : isBoth ? p.height * ABOVE : p.height;
  ctx.clearRect(0, 0, p.width, p.height);
  if (all !== null) {
    const { most, lengths } = all;
    clip(p, () => {
      paintLengths(p, lengths, (n) => ({ y: top * (1 - n / most), h: (top * n) / most }));
    });
    scale({ ...p, height: top }, String(most), '0');
  }
  if (all !== null && !isBoth) return;
  const rows = rowsOf(tree, p.height - top - (isBoth ? 3 : 0), used);
  ctx.save();
  ctx.translate(0, p.height - (rows.top[rows.order.at(-1) ?? 0] ?? 0) - rows.height);
  paintGround({ ...p, rows });
  const image = heat.of(samples, cpus, p.theme);
  if (image)
    clip(p, () => {
      const { times } = samples;
      const [x0, x1] = [xOf(p, times[0] ?? 0), xOf(p, (times.at(-1) ?? 0) + apartOf(samples))];
      ctx.imageSmoothingEnabled = false;
      for (const cpu of rows.order)
        ctx.drawImage(image, 0, cpu, image.width, 1, x0, rows.top[cpu] ?? 0, x1 - x0, rows.height);
    });
  ctx.restore();
}

/** The global queue: its lengths, and the largest of them. */
interface OfAll {
  readonly lengths: readonly number[];
  readonly most: number;
}

const knownOfAll = new WeakMap<Samples, OfAll>();

/** Lengths of the global queue, read once per answer. */
function ofAll(samples: Samples): OfAll {
  let known = knownOfAll.get(samples);
  if (!known) {
    const lengths = samples.waiting(-1);
    const most = lengths.reduce((a, n) => (n > a ? n : a), 1);
    knownOfAll.set(samples, (known = { lengths, most }));
  }
  return known;
}

const knownWaiting = new WeakMap<Samples, boolean>();

/** Whether any thread ever waited for a single CPU; computed once per answer. */
function isAnyWaiting(samples: Samples, cpus: number): boolean {
  let isAny = knownWaiting.get(samples);
  if (isAny === undefined) {
    isAny = false;
    for (let i = 0; i < samples.count && !isAny; i++)
      for (let cpu = 0; cpu < cpus && !isAny; cpu++) isAny = samples.waitingAt(i, cpu) > 0;
    knownWaiting.set(samples, isAny);
  }
  return isAny;
}

/** How long a sample holds: the last one for no longer than those before it. */
function apartOf({ times }: Samples): number {
  return (times.at(-1) ?? 0) - (times.at(-2) ?? 0);
}

/** Paints the lengths of a queue over time: each step of the colour is twice as many threads. */
function paintLengths(
  p: ChartPicture,
  list: readonly number[],
  at: (n: number) => { readonly y: number; readonly h: number },
): void {
  const { ctx, theme, samples } = p;
  const { times } = samples;
  const apart = apartOf(samples);
  const fills = new Map<string, string>();
  const fillOf = (n: number) => {
    const token = heatToken(n);
    let fill = fills.get(token);
    if (fill === undefined) fills.set(token, (fill = theme.of(token)));
    return fill;
  };
  list.forEach((n, i) => {
    if (!(n > 0)) return;
    const from = times[i] ?? 0;
    const x0 = xOf(p, from);
    const x1 = xOf(p, times[i + 1] ?? from + apart);
    ctx.fillStyle = fillOf(n);
    const { y, h } = at(n);
    ctx.fillRect(x0, y, Math.max(0.5, x1 - x0 + 0.3), h);
  });
}
