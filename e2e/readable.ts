/** The size of words in elements and on canvases, and whether all of them are visible. */
import type { Lab } from './fixtures';

/** Records the font sizes on canvases, whose letters are not elements. */
export function watchCanvases(): void {
  const written = new Map<string, number>();
  Object.assign(window, { written });
  for (const name of ['fillText', 'strokeText'] as const) {
    const paint = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (text, x, y, width) {
      const px = /([\d.]+)px/.exec(this.font)?.[1];
      const scale = this.getTransform().d / Math.min(3, window.devicePixelRatio || 1);
      // A drawing that is stamped later has its size there.
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

/** Visible words that are too small, or clipped without a tooltip. */
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
    // Visible only while it has the focus.
    if (style.clipPath === 'inset(50%)') continue;
    const px = Number.parseFloat(style.fontSize);
    if (px < least) small.push({ text, px });
    const isCut = element.scrollWidth > element.clientWidth && style.display !== 'inline';
    // A name of any length ends in an ellipsis; its tooltip has all of it.
    const told = element.closest<HTMLElement>('[title]')?.title ?? '';
    const isByDesign = style.textOverflow === 'ellipsis' && told.includes(text);
    if (isCut && style.overflowX !== 'visible' && !isByDesign) cut.push(text);
    const box = element.getBoundingClientRect();
    if (box.right > innerWidth + 1 || box.left < -1) cut.push(`over the edge: ${text}`);
  }
  return { small, cut };
}

/** Letters on canvases that are smaller. */
export const smallInCanvases = (lab: Lab, least: number) =>
  lab.page.evaluate((px) => {
    const { written } = window as unknown as { written: Map<string, number> };
    // Numbers on threads and rows have the size of these.
    return [...written].filter(([text, size]) => /[a-z]/i.test(text) && size < px - 0.01);
  }, least);
