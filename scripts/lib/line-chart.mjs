// A line chart with logarithmic axes, as an SVG that is readable on light and dark pages.
import { scaleLog } from 'd3-scale';
import { line } from 'd3-shape';

const [WIDTH, HEIGHT] = [640, 360];
const MARGIN = { top: 16, right: 150, bottom: 44, left: 64 };

/** Told apart without colours, too. */
const DASHES = ['none', '8 4', '2 3', '10 3 2 3', '1 4'];

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The smallest and the largest of some numbers, with a margin. */
const reach = (values) => [Math.min(...values) / 1.2, Math.max(...values) * 1.2];

/** Numbers 1, 2, 5 … of each power of ten in a range. */
function ticks([low, high]) {
  const all = [];
  for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10) {
    all.push(...[1, 2, 5].map((digit) => digit * power).filter((x) => x >= low && x <= high));
  }
  return all;
}

/** `series`: `{ name, points: [[x, y], …] }`; both numbers are above 0. */
export function lineChart({ title, x, y, series }) {
  const all = series.flatMap(({ points }) => points);
  const [xs, ys] = [0, 1].map((axis) => reach(all.map((point) => point[axis])));
  const across = scaleLog(xs, [MARGIN.left, WIDTH - MARGIN.right]);
  const up = scaleLog(ys, [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const place = (n) => n.toFixed(1);
  const drawn = line(
    (point) => across(point[0]),
    (point) => up(point[1]),
  );
  const parts = [
    ...ticks(xs).map(
      (t) =>
        `<line class="grid" x1="${place(across(t))}" x2="${place(across(t))}" y1="${MARGIN.top}" y2="${HEIGHT - MARGIN.bottom}"/>` +
        `<text x="${place(across(t))}" y="${HEIGHT - MARGIN.bottom + 16}" text-anchor="middle">${t}</text>`,
    ),
    ...ticks(ys).map(
      (t) =>
        `<line class="grid" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${place(up(t))}" y2="${place(up(t))}"/>` +
        `<text x="${MARGIN.left - 6}" y="${place(up(t) + 4)}" text-anchor="end">${t}</text>`,
    ),
    `<text x="${(MARGIN.left + WIDTH - MARGIN.right) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${escape(x)}</text>`,
    `<text x="14" y="${(MARGIN.top + HEIGHT - MARGIN.bottom) / 2}" text-anchor="middle" transform="rotate(-90 14 ${(MARGIN.top + HEIGHT - MARGIN.bottom) / 2})">${escape(y)}</text>`,
  ];
  // Names are at the ends of their lines, one below the other where the ends are close.
  const ends = series.map(({ points }) => up(points.at(-1)[1]));
  const order = series.map((_, i) => i).sort((a, b) => ends[a] - ends[b]);
  let lowest = -Infinity;
  for (const i of order) {
    const { name, points } = series[i];
    lowest = Math.max(ends[i] + 4, lowest + 16);
    parts.push(
      `<path class="line" stroke-dasharray="${DASHES[i % DASHES.length]}" d="${drawn(points)}"/>`,
      ...points.map(
        ([px, py]) => `<circle cx="${place(across(px))}" cy="${place(up(py))}" r="3"/>`,
      ),
      `<text x="${WIDTH - MARGIN.right + 8}" y="${place(lowest)}">${escape(name)}</text>`,
    );
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escape(title)}">
<style>
svg { color: #1f2328; background: #fff; font: 13px sans-serif; }
text, circle { fill: currentColor; }
.grid { stroke: currentColor; opacity: 0.15; }
.line { stroke: currentColor; fill: none; stroke-width: 2; }
@media (prefers-color-scheme: dark) { svg { color: #e6edf3; background: #0d1117; } }
</style>
${parts.join('\n')}
</svg>
`;
}
