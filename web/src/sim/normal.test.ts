/**
 * Whether the core's output has the generated types. A scenario without optional fields is made from the JSON Schema
 * and read by the core. The TypeScript compiler then checks the result as a `Scenario`.
 */
/// <reference types="node" />
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { normal, realCore } from './test-core';
import type { Catalog } from './types/Catalog';
import { DEFAULTS } from './types/defaults';

/** The part of JSON Schema that the core's schema uses. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
  readonly allOf?: readonly Schema[];
}

const root = `${import.meta.dirname}/../../..`;
const schema = JSON.parse(readFileSync(`${root}/scenarios/schema.json`, 'utf8')) as Schema;

/** A schema without references and choices: for a choice, one schema for each kind. */
function kindsOf(s: Schema): readonly Schema[] {
  if (s.$ref !== undefined) {
    const found = schema.$defs?.[s.$ref.replace('#/$defs/', '')];
    if (!found) throw new Error(`no ${s.$ref}`);
    return kindsOf(found);
  }
  const choice = s.oneOf ?? s.anyOf ?? s.allOf;
  const kinds = choice ? choice.flatMap(kindsOf) : [s];
  return kinds.filter((k) => k.type !== 'null');
}

const holdsMore = (s: Schema): boolean =>
  kindsOf(s).some(
    (k) =>
      k.properties !== undefined ||
      k.examples !== undefined ||
      (k.items !== undefined && holdsMore(k.items)),
  );

/**
 * Values of a schema that together leave out every optional field, at every depth: such a field is present only to
 * leave out the fields in it. With `all`, no field is left out.
 */
function examples(s: Schema, all: boolean): readonly unknown[] {
  return kindsOf(s).flatMap((kind): readonly unknown[] => {
    if (kind.const !== undefined) return [kind.const];
    if (kind.enum) return kind.enum.slice(0, 1);
    if (kind.examples) return kind.examples;
    if (kind.properties) {
      const must = kind.required ?? [];
      const fields = Object.entries(kind.properties)
        // An edit sets a property or copies a thread.
        .filter(([key]) => key !== 'copy')
        .filter(([key, of]) => all || must.includes(key) || holdsMore(of))
        .map(([key, of]) => [key, examples(of, all)] as const);
      const most = Math.max(1, ...fields.map(([, values]) => values.length));
      return Array.from({ length: most }, (_, i) =>
        Object.fromEntries(fields.map(([key, values]) => [key, values[i % values.length]])),
      );
    }
    if (kind.items) return [examples(kind.items, all)];
    const [type] = [kind.type ?? 'object'].flat();
    if (type === 'integer' || type === 'number') return [kind.minimum ?? 0];
    if (type === 'boolean') return [false];
    if (type === 'string') return ['x'];
    return [{}];
  });
}

/** The compiler's errors for values of a type. */
function complaints(type: string, values: readonly unknown[]): readonly string[] {
  const file = `${import.meta.dirname}/values-of-a-test.ts`;
  const text = [
    `import type { ${type} } from './types/${type}';`,
    ...values.map((v, i) => `export const value${String(i)}: ${type} = ${JSON.stringify(v)};`),
  ].join('\n');
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    lib: ['lib.es2022.d.ts'],
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists.call(host, name);
  host.getSourceFile = (name, ...more) =>
    name === file
      ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022)
      : getSourceFile.call(host, name, ...more);
  const program = ts.createProgram([file], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .map((d) => ts.flattenDiagnosticMessageText(d.messageText, ' '));
}

describe('a scenario as the core writes it', { timeout: 60_000 }, () => {
  it('has the generated type, whichever fields were left out', () => {
    const short = examples(schema, false);
    // A machine by name and one written out, each kind of edit.
    expect(short.length).toBeGreaterThan(1);
    const read = short.map(normal);
    expect(read.flatMap((s) => s.edits).length).toBeGreaterThan(5);
    expect(read.some((s) => typeof s.machine !== 'string')).toBe(true);
    expect(complaints('Scenario', read)).toEqual([]);
    // The test can fail: the input does not have that type.
    expect(complaints('Scenario', short)).not.toEqual([]);
  });

  it('has the generated type where no field was left out', () => {
    expect(complaints('Scenario', examples(schema, true).map(normal))).toEqual([]);
  });

  it('contains every default', () => {
    for (const [type, { defaults }] of Object.entries(DEFAULTS)) {
      const text = readFileSync(`${import.meta.dirname}/types/${type}.ts`, 'utf8');
      for (const field of Object.keys(defaults)) expect(text).toMatch(`\n${field}: `);
    }
  });

  it('is so in the catalog', () => {
    const { scenarios } = JSON.parse(realCore.catalog()) as Catalog;
    expect(
      complaints(
        'Scenario',
        scenarios.map((s) => s.scenario),
      ),
    ).toEqual([]);
  });
});
