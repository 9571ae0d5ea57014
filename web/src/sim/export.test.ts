import { describe, expect, it } from 'vitest';
import { exportTrace } from './export';

/** A source of given pieces; its header counts those that were asked for. */
function sourceOf(...pieces: string[]) {
  let isFree = false;
  let asked = 0;
  return {
    more: () => {
      asked += pieces.length > 0 ? 1 : 0;
      return pieces.shift() ?? '';
    },
    packets: () => new TextEncoder().encode(pieces.shift() ?? ''),
    header: () => `head of ${asked}\n`,
    free: () => (isFree = true),
    get isFree() {
      return isFree;
    },
  };
}
const breathe = () => Promise.resolve();

describe('a trace for other programs', () => {
  it('consists of all pieces in order', async () => {
    const source = sourceOf('1\n2\n', '3\n');
    expect(await (await exportTrace(source, 'csv', breathe)).text()).toBe('head of 2\n1\n2\n3\n');
    expect(source.isFree).toBe(true);
  });

  it('of Perfetto is no text and has nothing before its packets', async () => {
    const source = { ...sourceOf('\u0000one', 'two'), header: () => '' };
    const blob = await exportTrace(source, 'perfetto', breathe);
    expect(blob.type).toBe('application/octet-stream');
    expect(await blob.text()).toBe('\u0000onetwo');
  });

  it('in the format of FreeBSD begins with the newest line', async () => {
    const source = sourceOf('1\n2\n', '3\n');
    expect(await (await exportTrace(source, 'ktr', breathe)).text()).toBe('head of 2\n3\n2\n1\n');
  });
});
