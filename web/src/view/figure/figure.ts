/**
 * Any view of the page as a picture file: as it is on the page, under a title and above lines that say
 * where it comes from, which also stand in the file for programs to read. Charts stay lines; canvases
 * are embedded as sharp as they are on the screen.
 */
import { withTexts } from './png-text';

/** What stands around a picture. */
export interface Caption {
  readonly title: string;
  readonly lines: readonly string[];
  /** Link that brings it back. */
  readonly link: string;
}

const SVG = 'http://www.w3.org/2000/svg';
const MARGIN = 12;
const TITLE = 28;
const LINE = 17;
/** Longest line of a caption, in letters; what is longer is cut there, and whole in the file's own texts. */
const LONGEST = 130;
/** Pixels of a PNG to one of the page. */
const SCALE = 2;
/** What the rules of the page say about lines and letters; they do not reach into a file. */
const STYLES = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'opacity',
  'font-size',
  'font-family',
  'font-weight',
  'text-anchor',
];

type View = HTMLCanvasElement | SVGSVGElement;

/** The views inside elements: canvases and charts that are seen. */
export function viewsIn(roots: readonly Element[]): View[] {
  const all = roots.flatMap((root) => [
    ...(root instanceof HTMLCanvasElement || root instanceof SVGSVGElement ? [root] : []),
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
  const copy = view.cloneNode(true) as SVGSVGElement;
  const originals = [view, ...view.querySelectorAll<SVGElement>('*')];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  originals.forEach((from, i) => {
    const style = getComputedStyle(from);
    for (const name of STYLES) copies[i]?.style.setProperty(name, style.getPropertyValue(name));
  });
  copy.removeAttribute('class');
  return copy;
}

/** The views as one SVG file, placed as on the page. */
export function toSvg(views: readonly View[], caption: Caption): string {
  const boxes = views.map((view) => view.getBoundingClientRect());
  const left = Math.min(...boxes.map((b) => b.left));
  const top = Math.min(...boxes.map((b) => b.top));
  const width = Math.ceil(Math.max(...boxes.map((b) => b.right)) - left + 2 * MARGIN);
  const bottom = Math.max(...boxes.map((b) => b.bottom)) - top + MARGIN + TITLE;
  const height = Math.ceil(bottom + LINE * caption.lines.length + MARGIN);
  const style = getComputedStyle(document.documentElement);
  const value = (name: string) => style.getPropertyValue(name).trim();
  const svg = element('svg', { width, height, viewBox: `0 0 ${String(width)} ${String(height)}` });
  svg.append(
    element('title', {}, caption.title),
    element('desc', {}, [...caption.lines, caption.link].join('\n')),
    element('rect', { width, height, fill: value('--paper') }),
    element(
      'text',
      { x: MARGIN, y: MARGIN + 14, fill: value('--ink'), 'font-size': 17, 'font-weight': 600 },
      caption.title,
    ),
  );
  views.forEach((view, i) => {
    const box = boxes[i];
    if (!box) return;
    const part = drawn(view);
    part.setAttribute('x', String(box.left - left + MARGIN));
    part.setAttribute('y', String(box.top - top + MARGIN + TITLE));
    part.setAttribute('width', String(box.width));
    part.setAttribute('height', String(box.height));
    svg.append(part);
  });
  caption.lines.forEach((line, i) => {
    const short = line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
    const y = bottom + LINE * (i + 1);
    const look = { x: MARGIN, y, fill: value('--muted'), 'font-size': 12.5 };
    svg.append(element('text', look, short));
  });
  svg.setAttribute('font-family', value('--sans'));
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
