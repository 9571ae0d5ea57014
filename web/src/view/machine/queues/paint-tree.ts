/** Paints trees of virtual runtimes: links, colours of nodes, buddies, and the axis under them. */
import { count, duration, waits } from '../../../lib/format';
import { ticks } from '../../../lib/scale';
import { MS } from '../../../lib/units';
import type { TreeNode } from '../../../sim/types/TreeNode';
import { fitOne, type Pen, roundRect, setFont, widthOf } from '../picture';
import { groupName, originOf } from './input';
import type { DrawnTree, PlacedNode } from './tree';

/** The name of a tree, and how many wait in it; the longest first. */
function treeNames({ names }: Pen, { tree, waiting }: DrawnTree): readonly [string, string] {
  const group = groupName(names, tree.group);
  const tell = (whose: string) => (waiting === 0 ? whose : `${whose}: ${waits(waiting)}`);
  return tree.group === 0
    ? [tell('tree of the cpu'), tell('the cpu')]
    : [tell(`tree of ${group}`), tell(group)];
}

/** Paints the ground of a tree; its threads are painted later. */
export function paintTree(p: Pen, drawn: DrawnTree): void {
  const { ctx, theme } = p;
  setFont(p, 12.5, 600);
  ctx.fillStyle = theme.ink;
  ctx.textAlign = 'left';
  fitOne(ctx, treeNames(p, drawn), drawn.left - 8, drawn.top + 9, drawn.width + 16);
  paintAxis(p, drawn);
  if (drawn.bins.length > 0) paintBins(p, drawn);
  ctx.lineWidth = 1.25;
  ctx.strokeStyle = theme.edge;
  ctx.beginPath();
  for (const { x, y, parent } of drawn.nodes) {
    if (!parent) continue;
    ctx.moveTo(x, y);
    ctx.lineTo(parent.x, parent.y);
  }
  ctx.stroke();
  ctx.setLineDash([1.5, 3]);
  ctx.strokeStyle = theme.hair;
  ctx.beginPath();
  for (const { x, y, size, axisX } of drawn.nodes) {
    ctx.moveTo(x, y + size / 2);
    ctx.lineTo(axisX, drawn.base);
  }
  ctx.stroke();
  ctx.setLineDash([]);
  for (const knot of drawn.nodes) paintGround(p, knot);
}

/** Parts above the threads: the colour of the node, and the buddies. */
export function paintMarks(p: Pen, drawn: DrawnTree): void {
  const { ctx, theme } = p;
  for (const { node, x, y, size } of drawn.nodes) {
    const half = size / 2 + 1.5;
    ctx.strokeStyle = node.red ? theme.of('--reason-forced') : theme.ink;
    ctx.lineWidth = 1.75;
    // Red nodes are dashed, so that colour is not their only difference from black ones.
    if (node.red) ctx.setLineDash([3, 2]);
    roundRect(ctx, { x: x - half, y: y - half, w: 2 * half, h: 2 * half }, size * 0.28);
    ctx.stroke();
    ctx.setLineDash([]);
    if (node.buddies.length === 0 || size < 10) continue;
    setFont(p, 12, 650);
    ctx.fillStyle = theme.accent;
    ctx.textAlign = 'center';
    ctx.fillText(node.buddies.join(' '), x, y + half + 7);
  }
}

/** Groups have no token of their own. */
function paintGround(p: Pen, { node, x, y, size }: PlacedNode): void {
  if (node.task !== null) return;
  const { ctx, theme } = p;
  ctx.fillStyle = theme.slot;
  roundRect(ctx, { x: x - size / 2, y: y - size / 2, w: size, h: size }, size * 0.24);
  ctx.fill();
  if (size < 13) return;
  setFont(p, 12, 600);
  ctx.fillStyle = theme.ink;
  ctx.textAlign = 'center';
  ctx.fillText('grp', x, y + 0.5);
}

function paintAxis(p: Pen, drawn: DrawnTree): void {
  const { ctx, theme } = p;
  const { base, left, width, fromNs, spanNs } = drawn;
  const toX = (ns: number) => left + ((ns - fromNs) / spanNs) * width;
  ctx.strokeStyle = theme.edge;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(left, base + 0.5);
  ctx.lineTo(left + width, base + 0.5);
  setFont(p, 12);
  ctx.fillStyle = theme.muted;
  ctx.textAlign = 'center';
  const name = originOf(p.scheduler);
  const nameWidth = widthOf(ctx, name);
  const nameX = Math.min(Math.max(left - 10, toX(0) - 30), left + width + 12 - nameWidth);
  const nameEnd = nameX + nameWidth + 4;
  for (const t of ticks(fromNs / MS, (fromNs + spanNs) / MS, 3)) {
    const x = Math.round(toX(t * MS)) + 0.5;
    ctx.moveTo(x, base);
    ctx.lineTo(x, base + 4);
    const text = duration(t * MS);
    const half = widthOf(ctx, text) / 2;
    // The line at 0 has a name, which takes precedence over numbers.
    const isNamed = x + half > nameX && x - half < nameEnd;
    if (!isNamed && x < left + width - 16) ctx.fillText(text, x, base + 12);
  }
  ctx.stroke();
  ctx.strokeStyle = theme.accent;
  ctx.lineWidth = 1.75;
  ctx.beginPath();
  ctx.moveTo(toX(0), drawn.top + 20);
  ctx.lineTo(toX(0), base + 5);
  ctx.stroke();
  ctx.fillStyle = theme.accent;
  ctx.textAlign = 'left';
  ctx.fillText(name, nameX, base + 12);
  const runs = drawn.tree.nodes.find((n) => n.running);
  if (runs) paintRunning(p, drawn, toX(runs.aheadNs), runs);
}

/** The running thread is not in the tree; its vruntime moves on along the axis. */
function paintRunning(p: Pen, drawn: DrawnTree, x: number, node: TreeNode): void {
  const { ctx, theme } = p;
  ctx.fillStyle = theme.ink;
  ctx.beginPath();
  ctx.moveTo(x, drawn.base);
  ctx.lineTo(x - 5, drawn.base - 8);
  ctx.lineTo(x + 5, drawn.base - 8);
  ctx.fill();
  // Between bars there is no room for a name; the card names the running thread.
  if (drawn.bins.length > 0) return;
  const name = node.task === null ? 'its group' : (p.names.tasks[node.task] ?? '');
  setFont(p, 12);
  const isRight = x > drawn.left + drawn.width * 0.6;
  ctx.textAlign = isRight ? 'right' : 'left';
  ctx.fillText(`${name} runs`, x + (isRight ? -8 : 8), drawn.base - 7);
}

function paintBins(p: Pen, drawn: DrawnTree): void {
  const { ctx, theme } = p;
  const most = Math.max(1, ...drawn.bins);
  const w = drawn.width / drawn.bins.length;
  const room = drawn.base - drawn.top - 40;
  ctx.textAlign = 'center';
  setFont(p, 12);
  drawn.bins.forEach((n, i) => {
    if (n === 0) return;
    const h = Math.max(2, (n / most) * room);
    const x = drawn.left + i * w;
    ctx.fillStyle = theme.edge;
    ctx.fillRect(x + 0.5, drawn.base - h, w - 1, h);
    ctx.fillStyle = theme.ink;
    ctx.fillText(count(n), x + w / 2, drawn.base - h - 7);
  });
}
