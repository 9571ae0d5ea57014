import { describe, expect, it } from 'vitest';
import { readPlace, writePlace } from './place';

describe('addresses of places', () => {
  it.each(['start', 'r=', 'r=s0-v890&seeds=3&if=2'])(
    'are the same after reading and writing: %s',
    (text) => {
      const place = readPlace(`#${text}`);
      expect(place && writePlace(place)).toBe(text);
    },
  );
  it.each(['', '#', '#start'])('begin at Start: “%s”', (text) => {
    expect(readPlace(text)).toEqual({ kind: 'start' });
  });
  it.each(['#s.bfs-smt', '#bfs-smt&k=5', '#v=2&x=s3-nice', '#started', '#start&k=3'])(
    'leave the laboratory alone: %s',
    (text) => {
      expect(readPlace(text)).toBeNull();
    },
  );
});
