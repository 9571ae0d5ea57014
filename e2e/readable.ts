/** How large words are, in elements and on canvases, and whether all of them are seen. */
import type { Lab } from './fixtures';

/** Remembers how large canvases write: their letters are no elements. */
export function watchCanvases(): void {
  const written = new Map<string, number>();
  Object.assign(window, { written });
  for (const name of ['fillText', 'strokeText'] as const) {
    const paint = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (text, x, y, width) {
      const px = /([\d.]+)px/.exec(this.font)?.[1];
      const scale = this.getTransform().d / Math.min(3, window.devicePixelRatio || 1);
      // What is kept as a drawing, to be stamped, has its size there.
      if (this.canvas.isConnected) written.set(text, Number(px) * scale);
      if (width === undefined) paint.call(this, text, x, y);
      else paint.call(this, text, x, y, width);
    };
  }
}

/** Words and their size in CSS pixels. */
export interface Text {
  readonly text: string;
  readonly px: number;
}

/** Words that are seen: those that are too small, and those that are cut though no title says them whole. */
export function lookAt(least: number): { small: Text[]; cut: string[] } {
  const small: Text[] = [];
  const cut: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const text = [...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.textContent?.trim() ?? '')
      .join('');
    if (text === '' || element.closest('.visually-hidden, option') || !element.checkVisibility())
      continue;
    const style = getComputedStyle(element);
    // Seen only while the keyboard is there.
    if (style.clipPath === 'inset(50%)') continue;
    const px = Number.parseFloat(style.fontSize);
    if (px < least) small.push({ text, px });
    const isCut = element.scrollWidth > element.clientWidth && style.display !== 'inline';
    // A name of any length ends in an ellipsis; who points at it is told the whole.
    const told = element.closest<HTMLElement>('[title]')?.title ?? '';
    const isByDesign = style.textOverflow === 'ellipsis' && told.includes(text);
    if (isCut && style.overflowX !== 'visible' && !isByDesign) cut.push(text);
    const box = element.getBoundingClientRect();
    if (box.right > innerWidth + 1 || box.left < -1) cut.push(`over the edge: ${text}`);
  }
  return { small, cut };
}

/** Letters in canvases that are smaller. */
export const smallInCanvases = (lab: Lab, least: number) =>
  lab.page.evaluate((px) => {
    const { written } = window as unknown as { written: Map<string, number> };
    // Numbers on threads and rows are as large as these.
    return [...written].filter(([text, size]) => /[a-z]/i.test(text) && size < px - 0.01);
  }, least);
