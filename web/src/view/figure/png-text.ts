/** Texts inside a PNG file (iTXt chunks), so that a separate picture still says where it comes from. */

/** Bytes before the first chunk, and of the first chunk, the header. */
const SIGNATURE = 8;
const HEADER = 25;

function crc(data: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of data) {
    c ^= byte;
    for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  }
  return ~c >>> 0;
}

function chunk(keyword: string, text: string): Uint8Array<ArrayBuffer> {
  // Keyword, terminator, no compression (two bytes), no language, no translation (a terminator each).
  const body = new TextEncoder().encode(`iTXt${keyword}\0\0\0\0\0${text}`);
  const out = new Uint8Array(body.length + 8);
  const view = new DataView(out.buffer);
  view.setUint32(0, body.length - 4);
  out.set(body, 4);
  view.setUint32(body.length + 4, crc(body));
  return out;
}

/** The picture with texts by keyword. Most programs know `Title`, `Description`, `Software` and `Source`. */
export async function withTexts(png: Blob, texts: Readonly<Record<string, string>>): Promise<Blob> {
  const data = new Uint8Array(await png.arrayBuffer());
  const chunks = Object.entries(texts).map(([keyword, text]) => chunk(keyword, text));
  const [head, rest] = [data.slice(0, SIGNATURE + HEADER), data.slice(SIGNATURE + HEADER)];
  return new Blob([head, ...chunks, rest], { type: 'image/png' });
}
