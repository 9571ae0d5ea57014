import { describe, expect, it } from 'vitest';
import type { Track } from './film-file';
import { mp4 } from './mp4';
import { webm } from './webm';

/** Three pictures of one byte value each; the last one is a key picture. */
const TRACK: Track = {
  width: 320,
  height: 180,
  fps: 30,
  samples: [1, 2, 3].map((value, i) => ({
    data: new Uint8Array(10 * value).fill(0xe0 + value),
    atUs: Math.round((i * 1_000_000) / 30),
    isKey: i !== 1,
  })),
  setup: Uint8Array.of(1, 100, 0, 42),
  colour: { primaries: 1, transfer: 1, matrix: 1, isFullRange: false },
};

const bytesOf = async (blob: Blob): Promise<Buffer> => Buffer.from(await blob.arrayBuffer());

describe('an MP4 file', () => {
  it('has the positions of the pictures before the pictures', async () => {
    const file = await bytesOf(mp4(TRACK));
    const table = (name: string): number => file.indexOf(name, 0, 'latin1') + 8;
    expect(file.readUInt32BE(table('stsz') + 4)).toBe(3);
    expect([0, 1, 2].map((i) => file.readUInt32BE(table('stsz') + 8 + 4 * i))).toEqual([
      10, 20, 30,
    ]);
    const offset = file.readUInt32BE(table('stco') + 4);
    expect(offset).toBe(file.indexOf('mdat', 0, 'latin1') + 4);
    expect([...file.subarray(offset, offset + 30)]).toEqual([
      ...Array<number>(10).fill(0xe1),
      ...Array<number>(20).fill(0xe2),
    ]);
    expect(file.length).toBe(offset + 60);
    // All have equal lengths; the first and the third are key pictures.
    expect(file.readUInt32BE(table('stts') + 8)).toBe(90_000 / 30);
    expect([1, 2].map((i) => file.readUInt32BE(table('stss') + 4 * i))).toEqual([1, 3]);
  });

  it('is made of boxes that fill it', async () => {
    const file = await bytesOf(mp4(TRACK));
    const names: string[] = [];
    let at = 0;
    for (; at < file.length; at += file.readUInt32BE(at))
      names.push(file.toString('latin1', at + 4, at + 8));
    expect(names).toEqual(['ftyp', 'moov', 'mdat']);
    expect(at).toBe(file.length);
  });
});

describe('a WebM file', () => {
  it('has a cluster for each key picture, and its position', async () => {
    const file = await bytesOf(webm(TRACK, 'V_VP9'));
    const cluster = Buffer.from('1f43b675', 'hex');
    const [first, second] = [file.indexOf(cluster), file.lastIndexOf(cluster)];
    expect(second).toBeGreaterThan(first);
    // Positions are counted from the beginning of the segment's content.
    const begin = file.indexOf(Buffer.from('18538067', 'hex')) + 12;
    const cues = file.indexOf(Buffer.from('1c53bb6b', 'hex'));
    const told: number[] = [];
    for (let at = cues; (at = file.indexOf(0xf1, at + 1)) >= 0;) {
      const length = Number(file.readBigUInt64BE(at + 1) & 0xffffffn);
      if (length > 0 && length < 5) told.push(file.readUIntBE(at + 9, length));
    }
    expect(told).toEqual([first - begin, second - begin]);
    // The time of a picture is relative to its cluster: 33 ms after 0.
    const block = file.indexOf(Buffer.from('81002100', 'hex'));
    expect(file.readUInt8(block + 4)).toBe(0xe2);
  });
});
