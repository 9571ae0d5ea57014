/**
 * A fragment as fields: `key=value` joined by `&`. The first part may be a bare name, the id of a shipped scenario:
 * `#bfs-smt&k=5` is the short form that fits on a slide, and `#s.bfs-smt` is the scenario as it opens.
 *
 * Values stay encoded: lists are split before their parts are decoded.
 */
import { UPGRADES } from './upgrades';
import type { Complaints } from './values';

/** Version of the link format that this page writes. */
export const LINK_VERSION = 2;
/** Longest fragment that is read. */
export const MAX_LINK = 9 * 1024;
const MAX_FIELDS = 200;
/** The prefix of a scenario's id that stands alone. */
const SHIPPED = /^s\./;

/**
 * Fields by key, in their order; a Map, in which no key has a special meaning. A key that is there again has a number
 * after `&`: a property may be set at several times of a run. The first of other fields counts.
 */
export type Fields = ReadonlyMap<string, string>;

/** A fragment that cannot be read, with a sentence that says why. */
export class Unreadable extends Error {}

/** Fields of a fragment in the present version of the format. A part without a value is told. */
export function readFields(fragment: string, wrong?: Complaints): Fields {
  const text = fragment.replace(/^#/, '');
  if (text.length > MAX_LINK) throw new Unreadable('The link is longer than 9 kB.');
  const fields = new Map<string, string>();
  for (const [i, part] of text.split('&').entries()) {
    if (i > MAX_FIELDS) throw new Unreadable(`The link has more than ${String(MAX_FIELDS)} parts.`);
    const cut = part.indexOf('=');
    const [key, value] =
      cut < 0 ? ['x', part.replace(SHIPPED, '')] : [part.slice(0, cut), part.slice(cut + 1)];
    if (part === '') continue;
    if (cut < 0 && i > 0) {
      wrong?.say(`In the link, “${clip(part)}” has no value. It is left out.`);
      continue;
    }
    fields.set(fields.has(key) ? `${key}&${String(i)}` : key, value);
  }
  return upgraded(fields);
}

function upgraded(given: Fields): Fields {
  // The short form exists since version 2.
  const said = given.get('v') ?? String(LINK_VERSION);
  const version = Number(said);
  if (!/^\d{1,6}$/.test(said) || version < 1)
    throw new Unreadable(
      `In the link, v must be a version from 1 to ${String(LINK_VERSION)}, not “${clip(said)}”.`,
    );
  if (version > LINK_VERSION)
    throw new Unreadable(
      `The link was made by a newer Timeslice: its v is ${said}, this page reads up to ${String(LINK_VERSION)}. Reload the page to update it.`,
    );
  let fields = given;
  for (let from = version; from < LINK_VERSION; from++)
    fields = UPGRADES.get(from)?.(fields) ?? fields;
  return fields;
}

/** A part of a value as text; null when its percent signs are damaged. */
export function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** The text of a part; one with damaged percent signs is told. */
export function textOf(key: string, part: string, wrong: Complaints): string | null {
  const text = decoded(part);
  if (text === null)
    wrong.say(`In the link, ${clip(key, 60)} is damaged: “${clip(part)}”. It is left out.`);
  return text;
}

/** A text as part of a value; characters that links may contain stay readable. */
export function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%2F', '/');
}

/** A text, shortened so that a sentence can quote it. */
export function clip(text: string, most = 24): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
