/**
 * A film as an MP4 file: one track of H.264 pictures of equal length. The description comes before the pictures, so
 * that the film can play while it loads. Boxes and their fields: ISO/IEC 14496-12 and -15.
 */
import { bigEndian, joined, type Track } from './film-file';

/** Ticks per second; a multiple of every offered number of pictures per second. */
const TICKS = 90_000;
/** Fixed-point numbers with 16 fractional bits, as boxes write them. */
const ONE = 0x10000;
/** No language is said. */
const UNDETERMINED = 0x55c4;

type Part = Uint8Array | string | readonly Part[];

function bytesOf(part: Part): Uint8Array {
  if (typeof part === 'string') return new TextEncoder().encode(part);
  return part instanceof Uint8Array ? part : joined(part.map(bytesOf));
}

const u8 = (...values: number[]): Uint8Array => Uint8Array.from(values);
const u16 = (...values: number[]): Uint8Array => joined(values.map((v) => bigEndian(v, 2)));
const u32 = (...values: number[]): Uint8Array => joined(values.map((v) => bigEndian(v, 4)));

/** A box: length, name, content. */
function box(name: string, ...content: Part[]): Uint8Array {
  const body = bytesOf(content);
  return joined([bigEndian(body.length + 8, 4), bytesOf(name), body]);
}

/** A box with a version and flags. */
const fullBox = (name: string, flags: number, ...content: Part[]): Uint8Array =>
  box(name, u32(flags), ...content);

/** Neither turned nor scaled. */
const MATRIX = u32(ONE, 0, 0, 0, ONE, 0, 0, 0, 0x40000000);

/** The header of the film and of its only track. */
function headers(ticks: number, track: Track): readonly [film: Uint8Array, track: Uint8Array] {
  const { width, height } = track;
  const film = fullBox(
    'mvhd',
    0,
    u32(0, 0, TICKS, ticks, ONE),
    u16(0x0100, 0),
    u32(0, 0),
    MATRIX,
    u32(0, 0, 0, 0, 0, 0, 2),
  );
  // Flags: enabled, in the film, and in the preview.
  const of = fullBox(
    'tkhd',
    7,
    u32(0, 0, 1, 0, ticks, 0, 0),
    u16(0, 0, 0, 0),
    MATRIX,
    u32(width * ONE, height * ONE),
  );
  return [film, of];
}

/** The description of the pictures. */
function description({ width, height, setup, colour }: Track): Uint8Array {
  const { primaries, transfer, matrix, isFullRange } = colour;
  const avc = box(
    'avc1',
    u32(0),
    u16(0, 1),
    u32(0, 0, 0, 0),
    u16(width, height),
    u32(72 * ONE, 72 * ONE, 0),
    u16(1),
    new Uint8Array(32),
    u16(24, 0xffff),
    box('avcC', setup),
    box('colr', 'nclx', u16(primaries, transfer, matrix), u8(isFullRange ? 0x80 : 0)),
  );
  return fullBox('stsd', 0, u32(1), avc);
}

/** Position and length of each picture; `offset` is where the first one begins in the file. */
function tables(track: Track, perFrame: number, offset: number): Uint8Array {
  const { samples } = track;
  const keys = samples.flatMap(({ isKey }, i) => (isKey ? [i + 1] : []));
  return box(
    'stbl',
    description(track),
    fullBox('stts', 0, u32(1, samples.length, perFrame)),
    fullBox('stss', 0, u32(keys.length, ...keys)),
    // All pictures are one chunk of the file.
    fullBox('stsc', 0, u32(1, 1, samples.length, 1)),
    fullBox('stsz', 0, u32(0, samples.length, ...samples.map(({ data }) => data.length))),
    fullBox('stco', 0, u32(1, offset)),
  );
}

/** Everything before the pictures. */
function movie(track: Track, offset: number): Uint8Array {
  const perFrame = TICKS / track.fps;
  const ticks = perFrame * track.samples.length;
  const [film, header] = headers(ticks, track);
  const media = box(
    'minf',
    fullBox('vmhd', 1, u16(0, 0, 0, 0)),
    // The pictures are in this file itself.
    box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1))),
    tables(track, perFrame, offset),
  );
  const mdia = box(
    'mdia',
    fullBox('mdhd', 0, u32(0, 0, TICKS, ticks), u16(UNDETERMINED, 0)),
    fullBox('hdlr', 0, u32(0), 'vide', u32(0, 0, 0), 'Timeslice\0'),
    media,
  );
  return box('moov', film, box('trak', header, mdia));
}

/** Writes the file. */
export function mp4(track: Track): Blob {
  const kind = box('ftyp', 'isom', u32(0x200), 'isomiso2avc1mp41');
  // The length does not depend on the value of the offset.
  const offset = kind.length + movie(track, 0).length + 8;
  const data = track.samples.map((sample) => sample.data);
  const length = data.reduce((sum, { length }) => sum + length, 8);
  const head = joined([kind, movie(track, offset), bigEndian(length, 4), bytesOf('mdat')]);
  return new Blob([head, ...data], { type: 'video/mp4' });
}
