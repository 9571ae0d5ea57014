/**
 * What differs from a shipped scenario, as properties: `groups.hog.sliceNs=3ms&lanes.2=ule`. The core's table says what
 * there is (docs/manual/changes.md), and its command line reads the same.
 */
import { sameJson } from '../lib/json';
import { GUIDE, withFittingGuide } from '../sim/guide';
import { between } from '../sim/property/between';
import { NotSet } from '../sim/property/not-set';
import { isRoot, stepsOf } from '../sim/property/path';
import { withProperty } from '../sim/property/set';
import { shortened } from '../sim/property/short';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';
import { decoded, encoded, type Fields, textOf } from './fields';
import { editsOf, isOldKey, type OldEdit, type Part, partsOf } from './old-keys';
import { Complaints } from './values';

/** More differences are packed: a link has fewer parts. */
const MOST = 100;

/** A path and a value as a part of a link. */
const part = (path: string, text: string) => [path, text].map(readable).join('=');

const readable = (text: string) => encoded(text).replaceAll('%2C', ',').replaceAll('%40', '@');

/** Properties of the guide are set after all others, as a change of the run drops them. */
const isGuide = ({ path }: Part) => (GUIDE as readonly string[]).includes(path.split('.')[0] ?? '');

/** The differences as parts of a link, or null where properties cannot say them. */
export function writeDifferences(
  scenario: Scenario,
  base: Scenario,
  catalog: Catalog,
): readonly string[] | null {
  const sets = between(base, scenario, catalog);
  if (!sets || sets.length > MOST) return null;
  const parts = sets.map(({ path, text }) => ({ key: path, path, text }));
  // Reading them back is the proof: a difference that they cannot say shows up here.
  const wrong = new Complaints();
  const read = applied(base, parts, catalog, wrong);
  if (wrong.list.length > 0 || !sameJson(shortened(read), shortened(scenario))) return null;
  return parts.map(({ path, text }) => part(path, text));
}

/** Whether a key belongs to the scenario. */
export function isDifference(key: string, catalog: Catalog): boolean {
  return isOldKey(key) || isProperty(key, catalog);
}

/** Whether a key is the path of a property. */
export function isProperty(key: string, catalog: Catalog): boolean {
  return !isOldKey(key) && isRoot(stepsOf(decoded(key) ?? '')?.[0] ?? '', catalog);
}

/**
 * A base with the differences, and with as much of its guide as fits them. A wrong value stays at the base's, with a
 * sentence.
 */
export function applyDifferences(
  base: Scenario,
  fields: Fields,
  catalog: Catalog,
  wrong: Complaints,
): Scenario {
  const old = partsOf(fields, base, wrong);
  const own = [...fields]
    .map(([key, value]) => [key.replace(/&.*/, ''), value] as const)
    .filter(([key]) => isProperty(key, catalog))
    .flatMap(([key, value]) => {
      const path = decoded(key) ?? '';
      const text = textOf(path, value, wrong);
      return text === null ? [] : [{ key: path, path, text }];
    });
  const edits = fields.get('e');
  const given = edits === undefined ? [] : editsOf(edits, catalog, wrong);
  const start = edits === undefined ? base : { ...base, edits: [] };
  return applied(base, [...old, ...own, ...given], catalog, wrong, start);
}

function applied(
  base: Scenario,
  parts: readonly OldEdit[],
  catalog: Catalog,
  wrong: Complaints,
  start = base,
): Scenario {
  let scenario = structuredClone(start);
  const set = (one: OldEdit) => {
    if ('atNs' in one) scenario.edits.push(one);
    else scenario = withPart(scenario, one, catalog, wrong);
  };
  const ofGuide = parts.filter((one) => 'path' in one && isGuide(one));
  parts.filter((one) => !ofGuide.includes(one)).forEach(set);
  scenario = withFittingGuide(scenario, base);
  ofGuide.forEach(set);
  return scenario;
}

function withPart(
  scenario: Scenario,
  { key, path, text }: Part,
  catalog: Catalog,
  wrong: Complaints,
): Scenario {
  try {
    return withProperty(scenario, path, text, catalog);
  } catch (error) {
    if (!(error instanceof NotSet)) throw error;
    if ('must' in error.reason) wrong.add(key, error.reason.must, text);
    else wrong.unknown(key, error.reason.known);
    return scenario;
  }
}
