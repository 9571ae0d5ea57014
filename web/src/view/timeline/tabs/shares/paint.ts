/** Shares over time. */
import { groupHue, hasOwnHues, taskHue } from '../../../../lib/thread-hues';
import { area } from '../../chart/area';
import { lines } from '../../chart/lines';
import { type ChartPicture, clip, scale } from '../../chart/picture';

/**
 * CPUs of each group, or of each thread if each has its hue; with a selected thread, the part of a CPU of it and of
 * each of its group.
 */
export function paintShares(p: ChartPicture, cpus: number): void {
  const { ctx, theme, samples, names } = p;
  ctx.clearRect(0, 0, p.width, p.height);
  clip(p, () => {
    if (p.selected === null) {
      if (hasOwnHues(names) && samples.tasks.length > 0) {
        area(
          p,
          samples.tasks.map((t) => samples.taskShare(t)),
          samples.tasks.map((t) => theme.of(taskHue(names, t).fill)),
          cpus,
        );
        return;
      }
      const colours = names.groups.map((_, i) => theme.of(groupHue(names, i).fill));
      area(
        p,
        names.groups.map((_, g) => samples.groupShare(g)),
        colours,
        cpus,
      );
      return;
    }
    lines(
      p,
      samples.tasks.map((t) => samples.taskShare(t)),
      0,
      1,
      true,
    );
  });
  scale(p, p.selected === null ? String(cpus) : '1', '0');
}
