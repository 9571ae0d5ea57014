/** How many threads wait, over time. */
import { heatToken } from '../../../../lib/color';
import type { Samples } from '../../../../sim/samples';
import type { MachineTree } from '../../../../sim/types/MachineTree';
import { xOf } from '../../axis';
import { type ChartPicture, clip, scale } from '../../chart/picture';
import { paintGround } from '../../ground';
import { rowsOf } from '../../rows';
import { heatOf } from './heat';

/** Part of the height that the one queue of all has above those of the CPUs, where both are in use. */
const ABOVE = 0.45;

/**
 * How many threads wait: in the one queue of all, which is as high as it is long, and at each CPU in a row of its
 * own, in the colours in which the machine shows such numbers. Where a scheduler has both, rows are shown when somebody waits there, who may not run
 * everywhere.
 */
export function paintWaiting(
  p: ChartPicture,
  tree: MachineTree,
  has: { readonly global: boolean; readonly perCpu: boolean },
): void {
  const { ctx, samples } = p;
  const all = has.global ? samples.waiting(-1) : null;
  const lists = has.perCpu ? listsOf(samples, tree.core.length) : [];
  const isBoth = all !== null && lists.some((list) => list.some((n) => n > 0));
  const top = all === null ? 0 : isBoth ? p.height * ABOVE : p.height;
  ctx.clearRect(0, 0, p.width, p.height);
  if (all !== null) {
    const most = Math.max(1, ...all.filter(Number.isFinite));
    clip(p, () => {
      paintLengths(p, all, (n) => ({ y: top * (1 - n / most), h: (top * n) / most }));
    });
    scale({ ...p, height: top }, String(most), '0');
  }
  if (all !== null && !isBoth) return;
  const rows = rowsOf(tree, p.height - top - (isBoth ? 3 : 0));
  ctx.save();
  ctx.translate(0, p.height - (rows.top[rows.order.at(-1) ?? 0] ?? 0) - rows.height);
  paintGround({ ...p, rows });
  const heat = heatOf(samples, lists, p.theme);
  if (heat)
    clip(p, () => {
      const { times } = samples;
      const [x0, x1] = [xOf(p, times[0] ?? 0), xOf(p, (times.at(-1) ?? 0) + apartOf(samples))];
      ctx.imageSmoothingEnabled = false;
      for (const cpu of rows.order)
        ctx.drawImage(heat, 0, cpu, heat.width, 1, x0, rows.top[cpu] ?? 0, x1 - x0, rows.height);
    });
  ctx.restore();
}

const read = new WeakMap<Samples, readonly (readonly number[])[]>();

/** Lengths of the queue of each CPU, read once per answer. */
function listsOf(samples: Samples, cpus: number): readonly (readonly number[])[] {
  let lists = read.get(samples);
  if (!lists) {
    lists = Array.from({ length: cpus }, (_, cpu) => samples.waiting(cpu));
    read.set(samples, lists);
  }
  return lists;
}

/** How long a sample holds: the last is not known to hold for longer than those before it. */
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
