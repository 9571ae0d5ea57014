/** Paints the line under the machine. */
import { fitOne, type Picture, setFont, widthOf } from './picture';

/** Words of the line; its tokens are painted later, above everything. */
export function paintLine(p: Picture): void {
  const { ctx, theme, scene, said } = p;
  setFont(p, 12);
  ctx.textAlign = 'left';
  ctx.fillStyle = theme.muted;
  const y = p.layout.line.y + p.layout.line.h / 2;
  for (const { text, x } of scene.labels) ctx.fillText(text, x, y);
  const { words } = scene;
  if (p.fading) {
    const { chip, strength } = p.fading;
    const [first = '', ...shorter] = p.fading.words;
    setFont(p, 12, 650);
    ctx.fillStyle = theme.ink;
    ctx.globalAlpha = strength;
    fitOne(ctx, [first, ...shorter], words.x + chip, y, words.w - chip);
    ctx.globalAlpha = 1;
    return;
  }
  let x = words.x + p.chip;
  const room = () => words.x + words.w - x;
  if (said.main.length > 0) {
    setFont(p, 12, said.isLoud ? 650 : 400);
    ctx.fillStyle = said.isLoud ? theme.ink : theme.muted;
    const fits = said.main.filter((text) => widthOf(ctx, text) <= room());
    const [main = said.main.at(-1) ?? ''] = fits;
    // Both texts in few words are better than one in many.
    const both = fits.find((text) => widthOf(ctx, text) + 16 + widthOf(ctx, said.more) <= room());
    const text = said.more !== '' && both !== undefined ? both : main;
    fitOne(ctx, [text], x, y, room());
    x += widthOf(ctx, text) + 16;
  }
  setFont(p, 12);
  ctx.fillStyle = theme.muted;
  if (said.more !== '' && widthOf(ctx, said.more) <= room()) ctx.fillText(said.more, x, y);
}
