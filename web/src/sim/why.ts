/** The decisions behind a record, a slice or a thread's place: all data of a card, in one answer. */
import type { LaneApi } from './lane-api';
import type { Why, WhyOf } from './protocol';
import type { Catalog } from './types/Catalog';
import type { DecisionView } from './types/DecisionView';

/** Records read at a time, newest first, to find what brought a thread to its place. */
const PER_LOOK = 5_000;

/** Positions of the needed values in a row of `Lane.slice`. */
const [FROM, TO, TASK, DECISION, ALSO] = [1, 2, 3, 5, 9] as const;

/** Kinds of records that say why a thread is where it is. */
const PLACING = ['wakeup', 'fork', 'migrate', 'switch', 'queue'];

type Lane = Pick<LaneApi, 'decisions' | 'explain' | 'frame' | 'slice' | 'trace'>;

interface DecisionSource {
  readonly decision: number;
  readonly also: number;
  readonly slice: Why['slice'];
}

const NO_DECISION: DecisionSource = { decision: -1, also: -1, slice: null };

const parse = (json: string): unknown => JSON.parse(json);

/** The slice of a CPU at a time. */
function sliceAt(lane: Lane, cpu: number, atNs: number): DecisionSource {
  const row = lane.slice(cpu, atNs);
  if (!row) return NO_DECISION;
  const at = (column: number) => row[column] ?? -1;
  const slice = { fromNs: at(FROM), toNs: at(TO), task: at(TASK) };
  return { decision: at(DECISION), also: at(ALSO), slice };
}

/** The newest kept record that says why a thread is where it is. */
function placing(lane: Lane, task: number, catalog: Catalog): DecisionSource {
  const { trace, header } = catalog.frame;
  const column = (name: string) => trace.indexOf(name);
  const [kind, who, decision, also] = [
    column('kind'),
    column('task'),
    column('decision'),
    column('also'),
  ];
  const kinds = PLACING.map((name) => catalog.traceKinds.indexOf(name));
  let end = lane.frame()[header.indexOf('traceSeq')] ?? 0;
  while (end > 0) {
    const from = Math.max(0, end - PER_LOOK);
    const rows = lane.trace(from, end - from);
    for (let i = rows.length - trace.length; i >= 0; i -= trace.length) {
      if (rows[i + who] !== task || !kinds.includes(rows[i + kind] ?? -1)) continue;
      return { decision: rows[i + decision] ?? -1, also: rows[i + also] ?? -1, slice: null };
    }
    // Older records are no longer kept.
    if ((rows[0] ?? from) > from) break;
    end = from;
  }
  const about = parse(lane.decisions(-1, false, 1, task, -1, '')) as readonly DecisionView[];
  return { ...NO_DECISION, decision: about[0]?.id ?? -1 };
}

/** Reasons of a limit for holding a control group on a CPU, and of the limit of real time. */
const HOLDS = ['cgroup_throttled', 'cgroup_throttled_at_wake'];
const STOPS = ['rt_throttled'];
/** Most decisions that are looked at: control groups take turns on a CPU. */
const LOOKED_AT = 50;

/** The newest decision to hold a control group on a CPU, or with null its real-time threads. */
function holding(lane: Lane, cpu: number, group: string | null): DecisionSource {
  const ids = (group === null ? STOPS : HOLDS).flatMap((reason) => {
    const all = parse(lane.decisions(-1, false, LOOKED_AT, -1, cpu, reason));
    const own = (all as readonly DecisionView[]).find(
      ({ operands }) => group === null || operands.some(({ named }) => named === group),
    );
    return own ? [own.id] : [];
  });
  return { ...NO_DECISION, decision: Math.max(-1, ...ids) };
}

/** The number of the nearest decision of the same kind about the same thread, or CPU. */
function neighbour(lane: Lane, d: DecisionView, newer: boolean): number | null {
  const from = newer ? d.id + 1 : d.id - 1;
  if (from < 0) return null;
  const [task, cpu] = d.task === null ? [-1, d.cpu ?? -1] : [d.task, -1];
  const found = parse(lane.decisions(from, newer, 1, task, cpu, d.kind));
  return (found as readonly DecisionView[])[0]?.id ?? null;
}

/** The decisions behind the subject of a question. */
export function whyOf(lane: Lane, of: WhyOf, catalog: Catalog): Why {
  const explained = (id: number) =>
    id < 0 ? null : (parse(lane.explain(id)) as DecisionView | null);
  let found: DecisionSource;
  switch (of.kind) {
    case 'decisions':
      found = { ...of, slice: null };
      break;
    case 'slice':
      found = sliceAt(lane, of.cpu, of.atNs);
      break;
    case 'thread':
      found = placing(lane, of.task, catalog);
      break;
    case 'held':
      found = holding(lane, of.cpu, of.group);
      break;
  }
  const decision = explained(found.decision);
  const also = found.also === found.decision ? decision : explained(found.also);
  const main = decision ?? also;
  return {
    decision,
    also,
    slice: found.slice,
    older: main && neighbour(lane, main, false),
    newer: main && neighbour(lane, main, true),
  };
}
