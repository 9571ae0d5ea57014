/**
 * Saves any view of the page as a picture file: as it looks on the page, with a title above and lines of origin
 * below. The file also contains these texts for programs. Charts stay vector graphics; canvases are embedded with the
 * resolution of the screen.
 */
import { fileFonts } from './file-fonts';
import { withTexts } from './png-text';
import { wrapped } from './wrap';

/** The texts around a picture. */
export interface Caption {
  readonly title: string;
  readonly lines: readonly string[];
  /** Link that brings it back. */
  readonly link: string;
}

const SVG = 'http://www.w3.org/2000/svg';
const MARGIN = 12;
const TITLE_LINE = 22;
const LINE = 17;
/** Least width of a picture, so that its words fit. */
const LEAST_WIDTH = 420;
/** Most lines of a long text in the picture; the file's own texts have all of it. */
const MOST_LINES = 3;
const TITLE_FONT = [17, 600] as const;
const LINE_FONT = [12.5, 400] as const;
/** Pixels of a PNG to one of the page. */
const SCALE = 2;
/** CSS properties of lines and letters, which must be copied: the page's style sheets do not reach into a file. */
const STYLES = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-size',
  'font-weight',
  'text-anchor',
];

type View = HTMLCanvasElement | HTMLTableElement | SVGSVGElement;

/** The views inside elements: visible canvases and charts. */
export function viewsIn(roots: readonly Element[]): View[] {
  const all = roots.flatMap((root) => [
    ...(root instanceof HTMLCanvasElement ||
    root instanceof SVGSVGElement ||
    root instanceof HTMLTableElement
      ? [root]
      : []),
    ...root.querySelectorAll<View>('canvas, svg[role=img]'),
  ]);
  return all.filter((view) => view.getBoundingClientRect().width > 0);
}

function element(name: string, attributes: Record<string, string | number>, text = ''): Element {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.textContent = text;
  return made;
}

function drawn(view: View): Element {
  if (view instanceof HTMLCanvasElement)
    return element('image', { href: view.toDataURL('image/png') });
  if (view instanceof HTMLTableElement) return drawnTable(view);
  const copy = view.cloneNode(true) as SVGSVGElement;
  const originals = [view, ...view.querySelectorAll<SVGElement>('*')];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  originals.forEach((from, i) => {
    const style = getComputedStyle(from);
    for (const name of STYLES) copies[i]?.style.setProperty(name, style.getPropertyValue(name));
    copies[i]?.style.setProperty('font-family', fileFonts(style.fontFamily));
  });
  copy.removeAttribute('class');
  return copy;
}

/** The text of a table where it is on the page, and a line under each row. */
function drawnTable(table: HTMLTableElement): Element {
  const { left, top, width, height } = table.getBoundingClientRect();
  const svg = element('svg', { viewBox: `0 0 ${String(width)} ${String(height)}` });
  const hair = getComputedStyle(document.documentElement).getPropertyValue('--hair').trim();
  for (const row of table.rows) {
    const y = row.getBoundingClientRect().bottom - top;
    svg.append(element('line', { x1: 0, x2: width, y1: y, y2: y, stroke: hair }));
  }
  const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const style = text.parentElement && getComputedStyle(text.parentElement);
    // Words on one line are one text.
    let line: Element | null = null;
    let bottom = Number.NaN;
    for (const { 0: word, index } of (text.textContent ?? '').matchAll(/\S+\s*/g)) {
      range.setStart(text, index);
      range.setEnd(text, index + word.trimEnd().length);
      const box = range.getBoundingClientRect();
      if (!style || box.width === 0) continue;
      if (line && bottom === box.bottom) {
        line.append(word);
        continue;
      }
      bottom = box.bottom;
      const size = Number.parseFloat(style.fontSize);
      const place = { x: box.left - left, y: bottom - top - 0.3 * size };
      const look = { fill: style.color, 'font-size': size, 'font-weight': style.fontWeight };
      line = element('text', { ...place, ...look }, word);
      svg.append(line);
    }
  }
  return svg;
}

/** The views as one SVG file, placed as on the page. */
export function toSvg(views: readonly View[], caption: Caption): string {
  const boxes = views.map((view) => view.getBoundingClientRect());
  const left = Math.min(...boxes.map((b) => b.left));
  const top = Math.min(...boxes.map((b) => b.top));
  const content = Math.max(...boxes.map((b) => b.right)) - left;
  const width = Math.max(LEAST_WIDTH, Math.ceil(content + 2 * MARGIN));
  const style = getComputedStyle(document.documentElement);
  const value = (name: string) => style.getPropertyValue(name).trim();
  const pen = document.createElement('canvas').getContext('2d');
  const fitted = (text: string, [px, weight]: readonly [number, number]) => {
    if (pen) pen.font = `${String(weight)} ${String(px)}px ${value('--sans')}`;
    return wrapped(
      text,
      width - 2 * MARGIN,
      MOST_LINES,
      (part) => pen?.measureText(part).width ?? 0,
    );
  };
  const title = fitted(caption.title, TITLE_FONT);
  const legends = views.flatMap((view) => view.dataset['legend'] ?? []);
  const lines = [...legends, ...caption.lines].flatMap((line) => fitted(line, LINE_FONT));
  const head = MARGIN + TITLE_LINE * title.length + 4;
  const bottom = head + Math.max(...boxes.map((b) => b.bottom)) - top;
  const height = Math.ceil(bottom + LINE * lines.length + MARGIN);
  const svg = element('svg', { width, height, viewBox: `0 0 ${String(width)} ${String(height)}` });
  const write = (text: string, y: number, [size, weight]: readonly [number, number], ink: string) =>
    element(
      'text',
      { x: MARGIN, y, fill: value(ink), 'font-size': size, 'font-weight': weight },
      text,
    );
  svg.append(
    element('title', {}, caption.title),
    element('desc', {}, [...legends, ...caption.lines, caption.link].join('\n')),
    element('rect', { width, height, fill: value('--paper') }),
    ...title.map((line, i) => write(line, MARGIN + TITLE_LINE * i + 14, TITLE_FONT, '--ink')),
    ...lines.map((line, i) => write(line, bottom + LINE * (i + 1), LINE_FONT, '--muted')),
  );
  views.forEach((view, i) => {
    const box = boxes[i];
    if (!box) return;
    const part = drawn(view);
    part.setAttribute('x', String(box.left - left + MARGIN));
    part.setAttribute('y', String(box.top - top + head));
    part.setAttribute('width', String(box.width));
    part.setAttribute('height', String(box.height));
    svg.append(part);
  });
  svg.setAttribute('font-family', fileFonts(value('--sans')));
  return new XMLSerializer().serializeToString(svg);
}

/** An SVG file as a PNG file of twice the size. */
export async function toPng(svg: string, caption: Caption): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width * SCALE, image.height * SCALE];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob>((resolve, reject) => {
    canvas.toBlob((made) => {
      if (made) resolve(made);
      else reject(new Error('the browser made no picture'));
    }, 'image/png');
  });
  return withTexts(blob, {
    Title: caption.title,
    Description: caption.lines.join('\n'),
    Source: caption.link,
    Software: 'Timeslice',
  });
}
