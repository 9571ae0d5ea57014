/** Reads the pictures of a film file, by the tables of its container. */

/** The file's data about its pictures. */
export interface Film {
  readonly kind: 'mp4' | 'webm' | 'gif';
  readonly width: number;
  readonly height: number;
  /** Time of each picture in ms. */
  readonly timesMs: readonly number[];
  /** Compressed pictures; none for a GIF. */
  readonly samples: readonly { readonly data: Buffer; readonly isKey: boolean }[];
  /** The codec, as WebCodecs names it. */
  readonly codec: string;
  readonly setup: Buffer | null;
}

/** A box of an MP4 file by its path; fails if there is none. */
function boxAt(file: Buffer, path: readonly string[]): Buffer {
  let inside = file;
  for (const name of path) {
    let at = 0;
    while (at < inside.length && inside.toString('latin1', at + 4, at + 8) !== name)
      at += inside.readUInt32BE(at);
    if (at >= inside.length) throw new Error(`no box ${name} in ${path.join('/')}`);
    inside = inside.subarray(at + 8, at + inside.readUInt32BE(at));
    // Fields before the boxes in it.
    if (name === 'stsd') inside = inside.subarray(8);
    if (name === 'avc1') inside = inside.subarray(78);
  }
  return inside;
}

function readMp4(file: Buffer): Film {
  const table = ['moov', 'trak', 'mdia', 'minf', 'stbl'];
  const ticks = boxAt(file, ['moov', 'trak', 'mdia', 'mdhd']).readUInt32BE(12);
  const sizes = boxAt(file, [...table, 'stsz']);
  const perFrame = boxAt(file, [...table, 'stts']).readUInt32BE(12);
  const keys = boxAt(file, [...table, 'stss']);
  const isKey = new Set(
    Array.from({ length: keys.readUInt32BE(4) }, (_, i) => keys.readUInt32BE(8 + 4 * i)),
  );
  const setup = boxAt(file, [...table, 'stsd', 'avc1', 'avcC']);
  const header = boxAt(file, ['moov', 'trak', 'tkhd']);
  let at = boxAt(file, [...table, 'stco']).readUInt32BE(8);
  const samples = Array.from({ length: sizes.readUInt32BE(8) }, (_, i) => {
    const size = sizes.readUInt32BE(12 + 4 * i);
    const data = file.subarray(at, at + size);
    at += size;
    return { data, isKey: isKey.has(i + 1) };
  });
  return {
    kind: 'mp4',
    width: header.readUInt32BE(76) / 0x10000,
    height: header.readUInt32BE(80) / 0x10000,
    timesMs: samples.map((_, i) => (i * perFrame * 1000) / ticks),
    samples,
    codec: `avc1.${setup.toString('hex', 1, 4)}`,
    setup,
  };
}

/** Elements of WebM that contain others which are read. */
const OPENED = new Set(['18538067', '1654ae6b', 'ae', 'e0', '1f43b675']);

/** All elements in order, with their ids as hexadecimal digits. */
function elements(file: Buffer): { readonly id: string; readonly data: Buffer }[] {
  const out: { id: string; data: Buffer }[] = [];
  const walk = (part: Buffer): void => {
    for (let at = 0; at < part.length;) {
      const idLength = Math.clz32(part.readUInt8(at)) - 23;
      const id = part.toString('hex', at, at + idLength);
      at += idLength;
      const length = Number(part.readBigUInt64BE(at) & 0xff_ffff_ffff_ffffn);
      const data = part.subarray(at + 8, at + 8 + length);
      out.push({ id, data });
      if (OPENED.has(id)) walk(data);
      at += 8 + length;
    }
  };
  walk(file);
  return out;
}

function readWebm(file: Buffer): Film {
  const all = elements(file);
  const number = (id: string): number => {
    const data = all.find((e) => e.id === id)?.data ?? Buffer.alloc(1);
    return data.readUIntBE(0, data.length);
  };
  let clusterMs = 0;
  const timesMs: number[] = [];
  const samples = all.flatMap(({ id, data }) => {
    if (id === 'e7') clusterMs = data.readUIntBE(0, data.length);
    if (id !== 'a3') return [];
    timesMs.push(clusterMs + data.readInt16BE(1));
    return [{ data: data.subarray(4), isKey: (data.readUInt8(3) & 0x80) !== 0 }];
  });
  const name = all.find((e) => e.id === '86')?.data.toString();
  return {
    kind: 'webm',
    width: number('b0'),
    height: number('ba'),
    timesMs,
    samples,
    codec: name === 'V_VP8' ? 'vp8' : 'vp09.00.41.08',
    setup: null,
  };
}

function readGif(file: Buffer): Film {
  const timesMs: number[] = [];
  let ms = 0;
  let at = 13 + (file.readUInt8(10) & 0x80 ? 3 * 2 ** ((file.readUInt8(10) & 7) + 1) : 0);
  const skipBlocks = (): void => {
    while (file.readUInt8(at) > 0) at += 1 + file.readUInt8(at);
    at += 1;
  };
  let delay = 0;
  while (file.readUInt8(at) !== 0x3b) {
    const kind = file.readUInt8(at);
    if (kind === 0x21) {
      if (file.readUInt8(at + 1) === 0xf9) delay = 10 * file.readUInt16LE(at + 4);
      at += 2;
    } else {
      timesMs.push(ms);
      ms += delay;
      const flags = file.readUInt8(at + 9);
      // Its palette, and the size of its codes.
      at += 10 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0) + 1;
    }
    skipBlocks();
  }
  return {
    kind: 'gif',
    width: file.readUInt16LE(6),
    height: file.readUInt16LE(8),
    timesMs,
    samples: [],
    codec: '',
    setup: null,
  };
}

/** Reads a file whose format is recognized by its first bytes. */
export function readFilm(file: Buffer): Film {
  if (file.toString('latin1', 0, 4) === 'GIF8') return readGif(file);
  return file.toString('latin1', 4, 8) === 'ftyp' ? readMp4(file) : readWebm(file);
}
