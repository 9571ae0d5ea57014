/** Text ↔ deflate-raw ↔ base64url, with a limit on both sides, as a link is not trusted. */

import { Refused } from '../lib/refused';

/** Longest packed text that is unpacked. */
export const MAX_PACKED = 8 * 1024;
/** Longest text that unpacking may give. */
export const MAX_UNPACKED = 256 * 1024;

function toBase64Url(data: Uint8Array): string {
  let binary = '';
  for (const byte of data) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new Refused('has letters that no link contains');
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const out = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) out[i] = binary.charCodeAt(i);
  return out;
}

async function collect(stream: ReadableStream<Uint8Array>, cap: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > cap) {
      await reader.cancel();
      throw new Refused(`unpacks to more than ${String(cap / 1024)} kB`);
    }
    parts.push(value);
  }
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.byteLength;
  }
  return out;
}

function through(data: Uint8Array<ArrayBuffer>, via: CompressionStream | DecompressionStream) {
  const stream: ReadableStream<Uint8Array> = new Blob([data]).stream().pipeThrough(via);
  return stream;
}

/** Packs a text for a link. */
export async function pack(text: string): Promise<string> {
  const data = new TextEncoder().encode(text);
  return toBase64Url(await collect(through(data, new CompressionStream('deflate-raw')), Infinity));
}

/** Unpacks a text from a link; refuses one that is too long before or after. */
export async function unpack(packed: string): Promise<string> {
  if (packed.length > MAX_PACKED)
    throw new Refused(`is longer than ${String(MAX_PACKED / 1024)} kB`);
  const data = fromBase64Url(packed);
  const out = await collect(through(data, new DecompressionStream('deflate-raw')), MAX_UNPACKED);
  return new TextDecoder('utf-8', { fatal: true }).decode(out);
}
