import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { withTexts } from './png-text';

/** One white pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=';

interface Chunk {
  readonly type: string;
  readonly body: Buffer;
}

/** The chunks of a file; fails where a checksum is wrong. */
function chunksOf(file: Buffer): Chunk[] {
  const out: Chunk[] = [];
  for (let at = 8; at < file.length;) {
    const length = file.readUInt32BE(at);
    const typed = file.subarray(at + 4, at + 8 + length);
    expect(file.readUInt32BE(at + 8 + length)).toBe(crc32(typed));
    out.push({ type: typed.subarray(0, 4).toString(), body: typed.subarray(4) });
    at += 12 + length;
  }
  return out;
}

describe('withTexts', () => {
  it('puts texts behind the header, with their checksums', async () => {
    const texts = { Title: 'BFS on four cores — ü', Source: 'https://host/#bfs-smt&t=25' };
    const blob = await withTexts(new Blob([Buffer.from(PIXEL, 'base64')]), texts);
    const chunks = chunksOf(Buffer.from(await blob.arrayBuffer()));
    expect(chunks.map((c) => c.type)).toEqual(['IHDR', 'iTXt', 'iTXt', 'IDAT', 'IEND']);
    expect(chunks[1]?.body.toString('utf8')).toBe(`Title\0\0\0\0\0${texts.Title}`);
    expect(chunks[2]?.body.toString('utf8')).toBe(`Source\0\0\0\0\0${texts.Source}`);
  });
});
