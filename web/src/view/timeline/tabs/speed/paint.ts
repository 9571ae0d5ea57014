/** Causes that took the time on a CPU, over time. */
import { causeToken } from '../../../../lib/color';
import { groupHue, taskHue } from '../../../../lib/thread-hues';
import type { CauseEntry } from '../../../../sim/types/CauseEntry';
import { area } from '../../chart/area';
import { type ChartPicture, clip, scale } from '../../chart/picture';
import { PATTERN_OF } from '../../pattern';

/** Causes that take the time on a CPU: for the selected thread, else for the whole workload. */
export function paintSpeed(p: ChartPicture, causes: readonly CauseEntry[]): void {
  const { ctx, theme, samples, names } = p;
  ctx.clearRect(0, 0, p.width, p.height);
  const own = p.selected === null ? groupHue(names, 0) : taskHue(names, p.selected);
  const colours = causes.map((c) => theme.of(causeToken(c.id) ?? own.fill));
  clip(p, () => {
    area(
      p,
      causes.map((_, i) => samples.causeShare(i, p.selected)),
      colours,
      1,
      causes.map((c) => PATTERN_OF[c.id]),
    );
  });
  scale(p, '100', '0 %');
}
