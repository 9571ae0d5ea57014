/** Charts as files: the picture as on the page, with a line of origin. */

const LINE = 16;

/** An independent SVG: colours as values, a background, and lines of text below. */
export function standalone(svg: SVGSVGElement, title: string, lines: readonly string[]): string {
  const styles = getComputedStyle(document.documentElement);
  const value = (name: string) => styles.getPropertyValue(name).trim();
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.querySelector('.read')?.remove();
  const [width, height] = [svg.width.baseVal.value, svg.height.baseVal.value];
  const full = height + LINE * (lines.length + 2) + 8;
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('viewBox', `0 ${String(-LINE * 1.5)} ${String(width)} ${String(full)}`);
  copy.setAttribute('height', String(full));
  copy.setAttribute('font-family', 'system-ui, sans-serif');
  copy.setAttribute('font-size', '12.5');
  copy.removeAttribute('class');
  const text = (content: string, y: number, weight: string) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', 'text');
    element.textContent = content;
    element.setAttribute('x', '8');
    element.setAttribute('y', String(y));
    element.setAttribute('font-weight', weight);
    element.setAttribute('fill', value('--ink'));
    copy.append(element);
  };
  const paper = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  paper.setAttribute('y', String(-LINE * 1.5));
  paper.setAttribute('width', '100%');
  paper.setAttribute('height', String(full));
  paper.setAttribute('fill', value('--paper'));
  copy.prepend(paper);
  text(title, -8, '600');
  lines.forEach((line, i) => {
    text(line, height + LINE * (i + 1), '400');
  });
  const written = new XMLSerializer().serializeToString(copy);
  return written.replaceAll(/var\((--[\w-]+)\)/g, (_, name: string) => value(name));
}

/** The same as a picture with twice the resolution. */
export async function toPng(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width * 2, image.height * 2];
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error('the browser made no picture'));
    });
  });
}
