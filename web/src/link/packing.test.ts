import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_PACKED, MAX_UNPACKED, pack, unpack } from './packing';

describe('packing', () => {
  it('gives back any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ maxLength: 2000, unit: 'grapheme' }), async (text) => {
        expect(await unpack(await pack(text))).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  it('uses only letters that need no escaping in a link', async () => {
    expect(await pack('ÿþý?>~'.repeat(50))).toMatch(/^[A-Za-z0-9_-]+$/);
  });

  it('stops at a text that grows too large, however small it is packed', async () => {
    const bomb = await pack('0'.repeat(MAX_UNPACKED + 1));
    expect(bomb.length).toBeLessThan(MAX_PACKED);
    await expect(unpack(bomb)).rejects.toThrow('unpacks to more than 256 kB');
  });

  it('does not unpack a text that is too long', async () => {
    await expect(unpack('A'.repeat(MAX_PACKED + 1))).rejects.toThrow('is longer than 8 kB');
  });

  it('refuses damage', async () => {
    await expect(unpack('!!!')).rejects.toThrow();
    await expect(unpack('AAAA')).rejects.toThrow();
  });
});
