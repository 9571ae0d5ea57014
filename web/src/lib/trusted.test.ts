import { describe, expect, it } from 'vitest';
import { ownScript } from './trusted';

describe('addresses of scripts', () => {
  const base = 'https://host.example/lab/index.html';

  it.each(['./sw.js', 'https://host.example/lab/a.js', 'blob:https://host.example/1'])(
    '%s belongs to this page',
    (url) => {
      expect(ownScript(url, base)).toBe(url);
    },
  );

  it.each([
    'https://other.example/a.js',
    '//other.example/a.js',
    'data:text/javascript,1',
    'javascript:1',
  ])('%s is not', (url) => {
    expect(() => ownScript(url, base)).toThrow('not a script of this page');
  });

  it('only blobs belong to a page from a file', () => {
    expect(() => ownScript('file:///a.js', 'file:///page.html')).toThrow();
    expect(ownScript('blob:null/1', 'file:///page.html')).toBe('blob:null/1');
  });
});
