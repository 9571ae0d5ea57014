/** A chart of the page as a picture file. */

/** Resolution of the file relative to the page. */
const SCALE = 2;

/** Draws an SVG element with the colours that it has now. */
export async function pictureOf(svg: SVGSVGElement): Promise<Blob | null> {
  const { width, height } = svg.getBoundingClientRect();
  const copy = svg.cloneNode(true) as SVGSVGElement;
  // Rules of the page do not reach into a file: what they say is written down.
  const originals = [svg, ...svg.querySelectorAll<SVGElement>('*')];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  originals.forEach((from, i) => {
    const style = getComputedStyle(from);
    for (const name of ['fill', 'stroke', 'stroke-width', 'opacity', 'font-size', 'font-family'])
      copies[i]?.style.setProperty(name, style.getPropertyValue(name));
  });
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  const text = new XMLSerializer().serializeToString(copy);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  const ctx = canvas.getContext('2d');
  if (!ctx) return null;
  ctx.scale(SCALE, SCALE);
  ctx.fillStyle = getComputedStyle(document.body).backgroundColor;
  ctx.fillRect(0, 0, width, height);
  ctx.drawImage(image, 0, 0, width, height);
  return new Promise((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
}
