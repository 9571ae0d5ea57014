/** What can be typed next in an expression of the measure language, from the core's own list. Pure functions. */
import type { Catalog } from '../../sim/types/Catalog';
import type { FunctionEntry } from '../../sim/types/FunctionEntry';

/** Something that can be typed. */
export interface Offer {
  /** What stands in the list. */
  readonly name: string;
  /** What is put into the expression. */
  readonly insert: string;
  /** What it is, in a sentence; empty if the name says it. */
  readonly says: string;
}

/** What the run has that expressions can name. */
export interface Known {
  readonly catalog: Pick<Catalog, 'functions' | 'metrics' | 'schedulers'>;
  readonly lanes: readonly { readonly name: string; readonly scheduler: string }[];
  readonly groups: readonly string[];
  readonly threads: readonly string[];
}

/** The place of the caret. */
export interface Place {
  /** The word at the caret: where it begins and ends. */
  readonly from: number;
  readonly to: number;
  /** Its letters before the caret. */
  readonly begun: string;
  /** The function whose arguments are typed; null outside of one. */
  readonly call: FunctionEntry | null;
  /** The parameter that is typed; empty if there is none. */
  readonly parameter: string;
}

/** Most offers at once. */
const MOST = 60;

/** Texts in quotes (perhaps not closed), words, and single characters. */
const TOKENS = /"[^"]*"?|'[^']*'?|[\p{L}_][\p{L}\p{N}_]*|[\d.]+[\p{L}%]*|\S/gu;
const WORD = /^[\p{L}_]/u;

/** Looks where the caret is. */
export function placeOf(text: string, caret: number, functions: readonly FunctionEntry[]): Place {
  interface Open {
    readonly name: string;
    place: number;
    key: string;
  }
  const open: Open[] = [];
  let [from, to, before] = [caret, caret, ''];
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const end = index + token.length;
    if (index >= caret) break;
    const isName = WORD.test(token) || /^["']/.test(token);
    if (isName && end >= caret) [from, to] = [index, end];
    const top = open.at(-1);
    if (token === '(' || token === '[')
      open.push({ name: token === '(' && WORD.test(before) ? before : '', place: 0, key: '' });
    else if (token === ')' || token === ']') open.pop();
    else if (top && token === ',') [top.place, top.key] = [top.place + 1, ''];
    else if (top && token === '=' && WORD.test(before)) top.key = before;
    before = token;
  }
  const top = open.at(-1);
  const call = functions.find((f) => f.name === top?.name) ?? null;
  const parameter = top?.key || (call?.parameters[top?.place ?? 0] ?? '');
  return { from, to, begun: text.slice(from, caret), call, parameter };
}

const quoted = (name: string) => (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : `"${name}"`);

const named = (names: readonly string[], says = ''): Offer[] =>
  [...new Set(names)].map((name) => ({ name, insert: quoted(name), says }));

function ids(call: FunctionEntry | null, { catalog, lanes }: Known): Offer[] {
  if (call?.name === 'metric')
    return catalog.metrics.map((m) => ({ name: m.id, insert: m.id, says: m.summary }));
  if (call?.name !== 'tunable') return [];
  const here = catalog.schedulers.filter((s) => lanes.some((lane) => lane.scheduler === s.id));
  const all = here.flatMap((s) => s.eras.flatMap((e) => e.tunables));
  return [...new Map(all.map((t) => [t.id, t])).values()].map((t) => ({
    name: t.id,
    insert: quoted(t.id),
    says: t.summary,
  }));
}

function reasons({ catalog, lanes }: Known): Offer[] {
  const here = catalog.schedulers.filter((s) => lanes.some((lane) => lane.scheduler === s.id));
  const all = here.flatMap((s) => s.reasons);
  return named([...all.map((r) => r.id), ...all.map((r) => r.kind)]);
}

/** What fits into a parameter; null: any expression. */
function ofParameter({ call, parameter }: Place, known: Known): Offer[] | null {
  const { groups, lanes, threads } = known;
  switch (parameter) {
    case 'lane':
      return [
        { name: 'lane', insert: 'lane', says: 'each lane in turn' },
        ...lanes.map(({ name }, i) => ({
          name: String(i + 1),
          insert: String(i + 1),
          says: name,
        })),
      ];
    case 'who': {
      const whole = call?.name === 'exit' ? ['last', 'first'] : ['all'];
      return [...named(groups, 'group'), ...named(whole), ...named(threads)];
    }
    case 'thread':
      return [...named(groups, 'group'), ...named(threads)];
    case 'group':
      return named(groups, 'group');
    case 'reason':
      return reasons(known);
    case 'id':
      return ids(call, known);
    case 'what':
      return named(['queue']);
    case 'run':
    case 'name':
    case 'n':
    case 'nth':
    case 'cpu':
    case 'percent':
    case 'step':
      return [];
    default:
      return null;
  }
}

/** What can be typed at a place. Without a begun word, only names are offered, unless `all` is asked for. */
export function offersAt(place: Place, known: Known, all: boolean): readonly Offer[] {
  const fitting = ofParameter(place, known);
  const begun = place.begun.replace(/^["']/, '').toLowerCase();
  if (fitting === null && begun === '' && !all) return [];
  const list =
    fitting ??
    known.catalog.functions
      .filter((f) => !f.ofLessons)
      .map((f) => ({ name: f.usage, insert: `${f.name}(`, says: f.summary }));
  const starts = list.filter(({ name }) => name.toLowerCase().startsWith(begun));
  const has = list
    .filter(({ name }) => !starts.some((o) => o.name === name))
    .filter(({ name }) => name.toLowerCase().split('(')[0]?.includes(begun));
  const found = [...starts, ...has];
  // A word that is complete needs no list.
  const [only] = found;
  return found.length === 1 && only?.insert === place.begun ? [] : found.slice(0, MOST);
}
