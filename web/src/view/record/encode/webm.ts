/**
 * A film as a WebM file: one track of VP8 or VP9 pictures. Clusters begin with key pictures, and a table of these
 * allows jumps. Elements: RFC 8794 (EBML) and RFC 9559 (Matroska).
 */
import { bigEndian, joined, type Track } from './film-file';

/** WebM's names of codecs. */
export type WebmCodec = 'V_VP8' | 'V_VP9';

const NS_PER_S = 1_000_000_000;
const US_PER_MS = 1_000;
/** Times are in ms. */
const SCALE_NS = 1_000_000;

const ID = {
  ebml: 0x1a45dfa3,
  ebmlVersion: 0x4286,
  ebmlReadVersion: 0x42f7,
  ebmlMaxIdLength: 0x42f2,
  ebmlMaxSizeLength: 0x42f3,
  docType: 0x4282,
  docTypeVersion: 0x4287,
  docTypeReadVersion: 0x4285,
  segment: 0x18538067,
  info: 0x1549a966,
  scale: 0x2ad7b1,
  duration: 0x4489,
  muxer: 0x4d80,
  writer: 0x5741,
  tracks: 0x1654ae6b,
  track: 0xae,
  number: 0xd7,
  uid: 0x73c5,
  type: 0x83,
  codec: 0x86,
  defaultDuration: 0x23e383,
  video: 0xe0,
  width: 0xb0,
  height: 0xba,
  colour: 0x55b0,
  matrix: 0x55b1,
  range: 0x55b9,
  transfer: 0x55ba,
  primaries: 0x55bb,
  cluster: 0x1f43b675,
  time: 0xe7,
  block: 0xa3,
  cues: 0x1c53bb6b,
  cue: 0xbb,
  cueTime: 0xb3,
  cuePlace: 0xb7,
  cueTrack: 0xf7,
  cueCluster: 0xf1,
} as const;

type Name = keyof typeof ID;

/** Bytes of a whole number, without leading zeros. */
function bytesFor(value: number): number {
  let bytes = 1;
  while (value >= 256 ** bytes) bytes += 1;
  return bytes;
}

/** A length in eight bytes; the first bit of all marks that. */
function sizeOf(length: number): Uint8Array {
  const out = bigEndian(length, 8);
  out[0] = 1;
  return out;
}

function element(name: Name, ...content: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const id = ID[name];
  const body = joined(content);
  return joined([bigEndian(id, bytesFor(id)), sizeOf(body.length), body]);
}

const whole = (name: Name, value: number): Uint8Array =>
  element(name, bigEndian(value, bytesFor(value)));

const text = (name: Name, value: string): Uint8Array =>
  element(name, new TextEncoder().encode(value));

function real(name: Name, value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(name, bytes);
}

const msOf = (us: number): number => Math.round(us / US_PER_MS);

function header(): Uint8Array<ArrayBuffer> {
  return element(
    'ebml',
    whole('ebmlVersion', 1),
    whole('ebmlReadVersion', 1),
    whole('ebmlMaxIdLength', 4),
    whole('ebmlMaxSizeLength', 8),
    text('docType', 'webm'),
    whole('docTypeVersion', 4),
    whole('docTypeReadVersion', 2),
  );
}

function about({ fps, samples, width, height, colour }: Track, codec: WebmCodec): Uint8Array {
  const info = element(
    'info',
    whole('scale', SCALE_NS),
    real('duration', (samples.length * 1000) / fps),
    text('muxer', 'Timeslice'),
    text('writer', 'Timeslice'),
  );
  const meaning = element(
    'colour',
    whole('matrix', colour.matrix),
    whole('range', colour.isFullRange ? 2 : 1),
    whole('transfer', colour.transfer),
    whole('primaries', colour.primaries),
  );
  const track = element(
    'track',
    whole('number', 1),
    whole('uid', 1),
    whole('type', 1),
    text('codec', codec),
    whole('defaultDuration', Math.round(NS_PER_S / fps)),
    element('video', whole('width', width), whole('height', height), meaning),
  );
  return joined([info, element('tracks', track)]);
}

/** Pictures from one key picture to the next. */
function clustersOf({ samples }: Track): readonly (readonly Track['samples'][number][])[] {
  const clusters: Track['samples'][number][][] = [];
  for (const sample of samples) {
    if (sample.isKey || clusters.length === 0) clusters.push([]);
    clusters.at(-1)?.push(sample);
  }
  return clusters;
}

function clusterOf(samples: Track['samples']): Uint8Array<ArrayBuffer> {
  const from = msOf(samples[0]?.atUs ?? 0);
  const blocks = samples.map(({ data, atUs, isKey }) => {
    // Its track, its time relative to the cluster, and whether it is a key picture.
    const head = joined([
      Uint8Array.of(0x81),
      bigEndian(msOf(atUs) - from, 2),
      Uint8Array.of(isKey ? 0x80 : 0),
    ]);
    return element('block', head, data);
  });
  return element('cluster', whole('time', from), ...blocks);
}

function cueOf(ms: number, at: number): Uint8Array {
  const place = element('cuePlace', whole('cueTrack', 1), whole('cueCluster', at));
  return element('cue', whole('cueTime', ms), place);
}

/** Writes the file. Key pictures may be at most 30 s apart. */
export function webm(track: Track, codec: WebmCodec): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [joined([about(track, codec)])];
  let at = parts[0]?.length ?? 0;
  const cues = clustersOf(track).map((samples) => {
    const cluster = clusterOf(samples);
    parts.push(cluster);
    at += cluster.length;
    return cueOf(msOf(samples[0]?.atUs ?? 0), at - cluster.length);
  });
  parts.push(element('cues', ...cues));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const segment = joined([bigEndian(ID.segment, 4), sizeOf(length)]);
  return new Blob([header(), segment, ...parts], { type: 'video/webm' });
}
