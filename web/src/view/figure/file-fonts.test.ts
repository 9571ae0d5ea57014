/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fileFonts } from './file-fonts';

const css = readFileSync(`${import.meta.dirname}/../../styles/tokens.css`, 'utf8');
const stack = (name: string) =>
  new RegExp(`--${name}:\\s*([^;]+);`).exec(css)?.[1]?.replace(/\s+/g, ' ') ?? 'missing';

describe('fonts of a saved picture', () => {
  it.each([
    ['sans', /^Inter, .*Arial.*, sans-serif$/],
    ['serif', /^'Source Serif 4', .*Georgia.*(?<!sans-)serif$/],
    ['mono', /^Menlo, .*monospace$/],
  ])('stand in for the %s font of the page, with a general one at the end', (name, expected) => {
    expect(stack(name)).not.toBe('missing');
    expect(fileFonts(stack(name))).toMatch(expected);
    // Only browsers know these.
    expect(fileFonts(stack(name))).not.toMatch(/system-ui|ui-monospace|-apple-system/);
  });
});
