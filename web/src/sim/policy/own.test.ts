/// <reference types="node" />
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rowOf } from '../property/path';
import { realCore } from '../test-core';
import type { Catalog } from '../types/Catalog';
import {
  fileOf,
  mistakeOf,
  offsetOf,
  OWN,
  programOf,
  runsOwnPolicy,
  TEXTBOOK,
  withOwnPolicies,
} from './own';

const catalog = JSON.parse(realCore.catalog()) as Catalog;
const folder = `${import.meta.dirname}/../../../../sim-core/policy`;

describe('own policies', () => {
  it('are in the list of schedulers once, last, whichever package wrote it', () => {
    const once = withOwnPolicies(catalog);
    expect(once.schedulers.at(-1)?.id).toBe(OWN);
    expect(withOwnPolicies(once)).toEqual(once);
  });

  it('have a property for the program, which is none of the tunables', () => {
    const { properties } = withOwnPolicies(catalog);
    expect(rowOf(['lanes', '2', 'program'], { properties } as Catalog)?.kind.type).toBe('text');
  });

  it('keep the reasons of the second package', () => {
    const reasons = [{ id: 'policy_pick', kind: 'pickNext', kernel: '', operands: [] }];
    const [first] = withOwnPolicies(catalog).schedulers.slice(-1);
    const second = {
      ...catalog,
      schedulers: [...catalog.schedulers, { ...first, reasons }],
    } as unknown as Catalog;
    expect(withOwnPolicies(second).schedulers.at(-1)?.reasons).toEqual(reasons);
  });

  it('have the policies of the textbook that the core has, in its order and words', () => {
    const rust = readFileSync(`${folder}/src/templates.rs`, 'utf8');
    const rows = [...rust.matchAll(/^ {4}"(\w+)", "([^"]+)", \d+, "([^"]+)", "([^"]+)";$/gm)];
    expect(rows.map(([, id, label, summary]) => ({ id, label, summary }))).toEqual(TEXTBOOK);
    expect(rows.map(([, id = '']) => fileOf(id))).toEqual(rows.map(([, , , , file]) => file));
  });

  it.each(TEXTBOOK)('have the program of $label', async ({ id }) => {
    const text = readFileSync(`${folder}/templates/${fileOf(id)}.policy.py`, 'utf8');
    expect(await programOf({ id: OWN, era: id, tunables: {} })).toBe(text);
  });

  it('begin with the first one, unless the lane has a program', async () => {
    expect(await programOf({ id: OWN, tunables: {} })).toMatch(/^# Round robin/);
    expect(await programOf({ id: OWN, tunables: {}, program: 'x' })).toBe('x');
  });

  it.each([
    [{ schedulers: [{ id: 'ule' }, { id: 'own' }] }, true],
    [{ schedulers: [{ id: 'ule' }] }, false],
    [{ schedulers: ['own', null, 3] }, false],
    [{ schedulers: 'own' }, false],
    [null, false],
    [[], false],
  ])('are found in %j: %s', (given, found) => {
    expect(runsOwnPolicy(given)).toBe(found);
  });
});

describe('a mistake', () => {
  it.each([
    ['line 4, column 12: there is no `mix`', 4, 12, 'there is no `mix`'],
    ['line 31: `pick(cpu 3)` answered nothing', 31, null, '`pick(cpu 3)` answered nothing'],
    ['must be at most 16384 bytes', null, null, 'must be at most 16384 bytes'],
  ])('in “%s” has its place apart', (text, line, column, message) => {
    expect(mistakeOf(text)).toEqual({ line, column, message });
  });

  it.each([
    [1, 1, 0],
    [2, 3, 5],
    [2, 99, 6],
    [9, 1, 7],
  ])('at line %i, column %i lies in the text at %i', (line, column, at) => {
    expect(offsetOf('ab\ncde\n', line, column)).toBe(at);
  });
});
