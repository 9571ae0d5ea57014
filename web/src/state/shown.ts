/** What the page shows of a run, written into a link and read from it: lane and thread, speed, span of time, answer. */
import type { LinkView } from '../link/view';
import type { AnswerState } from './answer/answer.svelte';
import { isMeasureId } from './answer/measures';
import type { Fork } from './fork/fork.svelte';
import type { Playback } from './playback.svelte';
import type { Selection } from './selection.svelte';
import type { TimeWindow } from './time-window.svelte';

/** The parts of the page that show a run. */
export interface Shown {
  readonly answer: Pick<AnswerState, 'choice' | 'choose' | 'own' | 'isOwn'>;
  readonly playback: Pick<Playback, 'speed' | 'setSpeed'>;
  readonly selection: Selection;
  readonly window: TimeWindow;
  readonly fork: Pick<Fork, 'editLane'>;
}

/** What is shown, without the values that a new page has. */
export function viewOf({ answer, fork, playback, selection, window }: Shown): LinkView {
  const view: LinkView = { speed: Math.round(playback.speed) };
  const { lane, thread } = selection;
  if (lane > 0) view.lane = lane;
  if (thread !== null) view.thread = thread;
  if (fork.editLane !== null) view.edit = fork.editLane;
  const tab = window.chosenTab;
  if (tab !== null) view.tab = tab;
  if (tab === 'values' && window.column !== '') view.value = window.column;
  if (tab === 'events' && window.eventKind !== '') view.kind = window.eventKind;
  const { seen, marked } = window;
  if (seen) view.seen = seen;
  if (marked) view.sums = marked;
  const { measure, price } = answer.choice;
  const own = answer.own.text.trim();
  if (answer.isOwn) view.measure = own;
  else {
    if (measure !== undefined) view.measure = measure;
    if (own !== '') view.own = own;
  }
  if (price !== undefined) view.price = price;
  return view;
}

/**
 * Shows what a link says, in a run with `lanes` lanes; the rest stays as it is. Returns sentences about what cannot
 * be shown.
 */
export function show(page: Shown, view: LinkView, lanes: number): readonly string[] {
  const { answer, playback, selection, window } = page;
  if (view.speed !== undefined) playback.setSpeed(view.speed);
  selection.lane = Math.min(view.lane ?? 0, lanes - 1);
  if (view.thread !== undefined) {
    selection.thread = view.thread;
    selection.isByHand = true;
  }
  if (view.edit !== undefined) page.fork.editLane = view.edit < lanes ? view.edit : null;
  if (view.tab !== undefined) window.tab = view.tab;
  if (view.value !== undefined) window.column = view.value;
  if (view.kind !== undefined) window.eventKind = view.kind;
  const { seen } = view;
  if (seen?.fromNs != null) window.set(seen.fromNs, seen.fromNs + seen.spanNs);
  else if (seen) window.follow(seen.spanNs);
  if (view.sums) window.mark(view.sums);
  const wrong: string[] = [];
  if (view.own !== undefined) answer.own.open(view.own);
  for (const key of ['measure', 'price'] as const) {
    const id = view[key];
    if (id === undefined) continue;
    if (isMeasureId(id)) answer.choose({ [key]: id });
    else if (key === 'measure' && id.includes('(')) {
      answer.own.open(id);
      answer.choose({ isOwn: true });
    } else wrong.push(`In the link, ${key} “${id}” is no measure. The default is used.`);
  }
  return wrong;
}
