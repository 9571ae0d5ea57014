/** A canvas that fills its box at the resolution of the screen. Only this file handles device pixels and resizing. */
import type { Attachment } from 'svelte/attachments';

/** A canvas that is ready to paint on, in CSS pixels. */
export interface Surface {
  readonly canvas: HTMLCanvasElement;
  readonly ctx: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  /** CSS pixels of the page per unit of the picture (`--zoom`): pictures grow with their text while presenting. */
  readonly zoom: number;
}

/** Attachment that reports the canvas at first and after each change of size; null when it is removed. */
export function surface(report: (surface: Surface | null) => void): Attachment<HTMLCanvasElement> {
  return (canvas) => {
    const ctx = canvas.getContext('2d');
    if (!ctx) return;
    const fit = () => {
      const box = canvas.getBoundingClientRect();
      if (box.width < 1 || box.height < 1) return;
      const ratio = Math.min(3, window.devicePixelRatio || 1);
      const zoom = Number(getComputedStyle(canvas).getPropertyValue('--zoom')) || 1;
      canvas.width = Math.round(box.width * ratio);
      canvas.height = Math.round(box.height * ratio);
      ctx.setTransform(ratio * zoom, 0, 0, ratio * zoom, 0, 0);
      report({ canvas, ctx, width: box.width / zoom, height: box.height / zoom, zoom });
    };
    const observer = new ResizeObserver(fit);
    // It reports at first too, in the same frame. To ask at once would lay out the page again for each canvas.
    observer.observe(canvas);
    return () => {
      observer.disconnect();
      report(null);
    };
  };
}

/**
 * Makes paper show all canvases as the pictures that they are. Of a canvas that was painted since printing began,
 * Chromium prints the strokes instead, and loses some; not where it was copied between two strokes.
 */
export function printAsPictures(): void {
  const copy = document.createElement('canvas').getContext('2d');
  for (const canvas of document.querySelectorAll('canvas')) {
    const ctx = canvas.getContext('2d');
    if (!copy || !ctx || canvas.width === 0 || canvas.height === 0) continue;
    copy.drawImage(canvas, 0, 0);
    // Too faint to be seen.
    ctx.fillStyle = '#00000001';
    ctx.fillRect(0, 0, 1, 1);
    copy.drawImage(canvas, 0, 0);
  }
}
