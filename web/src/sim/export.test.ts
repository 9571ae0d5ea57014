import { describe, expect, it } from 'vitest';
import { exportTrace } from './export';

/** A source of given pieces. */
function sourceOf(...pieces: string[]) {
  let isFree = false;
  return {
    more: () => pieces.shift() ?? '',
    free: () => (isFree = true),
    get isFree() {
      return isFree;
    },
  };
}
const breathe = () => Promise.resolve();

describe('a trace for other programs', () => {
  it('consists of all pieces in order', async () => {
    const source = sourceOf('head\n', '1\n2\n', '3\n');
    expect(await (await exportTrace(source, 'csv', breathe)).text()).toBe('head\n1\n2\n3\n');
    expect(source.isFree).toBe(true);
  });

  it('in the format of FreeBSD begins with the newest line', async () => {
    const source = sourceOf('head\n', '1\n2\n', '3\n');
    expect(await (await exportTrace(source, 'ktr', breathe)).text()).toBe('head\n3\n2\n1\n');
  });

  it('has no header where the format has none', async () => {
    expect(await (await exportTrace(sourceOf('{}\n'), 'jsonl', breathe)).text()).toBe('{}\n');
  });
});
