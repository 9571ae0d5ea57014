/** A lane as a picture: its canvases as they stand on the page, under its name. */
const MARGIN = 12;
const TITLE = 28;

/** PNG of everything that a lane draws; null if nothing is drawn. */
export function pictureOf(section: HTMLElement, title: string): Promise<Blob | null> {
  const canvases = [...section.querySelectorAll('canvas')].filter((c) => c.width > 0);
  const [first] = canvases;
  if (!first) return Promise.resolve(null);
  const boxes = canvases.map((c) => c.getBoundingClientRect());
  const left = Math.min(...boxes.map((b) => b.left));
  const top = Math.min(...boxes.map((b) => b.top));
  const right = Math.max(...boxes.map((b) => b.right));
  const bottom = Math.max(...boxes.map((b) => b.bottom));
  // As sharp as on the screen.
  const scale = first.width / Math.max(1, boxes[0]?.width ?? 1);
  const out = document.createElement('canvas');
  out.width = Math.ceil((right - left + 2 * MARGIN) * scale);
  out.height = Math.ceil((bottom - top + TITLE + 2 * MARGIN) * scale);
  const g = out.getContext('2d');
  if (!g) return Promise.resolve(null);
  const style = getComputedStyle(document.documentElement);
  g.scale(scale, scale);
  g.fillStyle = style.getPropertyValue('--paper');
  g.fillRect(0, 0, out.width, out.height);
  g.fillStyle = style.getPropertyValue('--ink');
  g.font = `600 17px ${style.getPropertyValue('--sans')}`;
  g.fillText(title, MARGIN, MARGIN + 16);
  canvases.forEach((canvas, i) => {
    const box = boxes[i];
    if (!box) return;
    const [x, y] = [box.left - left + MARGIN, box.top - top + MARGIN + TITLE];
    g.drawImage(canvas, x, y, box.width, box.height);
  });
  return new Promise((resolve) => {
    out.toBlob(resolve, 'image/png');
  });
}
