/** Keys as data: the effect, and the text in the list of keys. Features bring keys of their own. */
import type { Lab } from '../../state/lab.svelte';
import { focusStage } from './focus';

/** Effects of keys outside of the stage. A missing function leaves its key without effect. */
export interface PageActions {
  /** Whether the stage is visible: most keys concern it. */
  hasStage(): boolean;
  /** Opens or closes the list of keys. */
  help(): void;
  /** Opens or closes a panel. */
  toggle(panel: 'setup' | 'inspect'): void;
  search?(): void;
  start?(): void;
  /** Closes the topmost panel; returns whether there was one. */
  close?(): boolean;
}

/** Groups of the list, in order. */
export const GROUPS = [
  'Time',
  'Asking',
  'On a machine',
  'On a timeline',
  'Page',
  'In a lesson',
  'While presenting',
] as const;

/** A key, or keys that belong together. */
export interface Key {
  readonly group: (typeof GROUPS)[number];
  /** Its name in the list of keys. */
  readonly label: string;
  readonly does: string;
  /**
   * Value of `KeyboardEvent.key`, with `Shift+` or `Ctrl+` before it; letters in lower case. Missing if a view
   * handles the key.
   */
  readonly on?: readonly string[];
  /** Whether it applies only while a lesson is open; false from `act` leaves the key to the entries below. */
  readonly isInLesson?: boolean;
  /** Whether it applies only while presenting. */
  readonly isPresenting?: boolean;
  /** Whether it also applies where there is no stage. */
  readonly isEverywhere?: boolean;
  /** The place that it needs. */
  readonly needs?: 'search' | 'start';
  /** The effect; false if there is none, so that the browser handles the key. */
  readonly act?: (lab: Lab, actions: PageActions, key: string) => unknown;
}

/** Changes the speed. */
export const faster = ({ playback }: Lab, factor: number): void => {
  playback.setSpeed(playback.pace * factor);
};

/** Whether a key has an effect on this page. */
export function isThere({ needs }: Key, actions: PageActions): boolean {
  return needs === undefined || actions[needs] !== undefined;
}

/** The lane of a digit. */
function chooseLane(lab: Lab, key: string): boolean {
  const { prefs, run, selection } = lab;
  const lane = Number(key) - 1;
  if (lane >= run.lanes.length) return false;
  if (lane < 0) {
    prefs.soloLane = null;
    return true;
  }
  if (prefs.isPresenting) prefs.soloLane = prefs.soloLane === lane ? null : lane;
  selection.lane = lane;
  return true;
}

/** Shows the card of the selected thread; without one, of the first running thread. */
function showThread(lab: Lab): boolean {
  const { look, prefs, run, selection } = lab;
  const lane = run.lanes[selection.lane];
  if (!lane || prefs.isPresenting || !look.has('inspect')) return false;
  if (selection.thread === null) {
    const running = [...lane.frame.cpu('curr')].filter((task) => task >= 0);
    const task = running.find((t) => !lane.isBackground(t)) ?? running[0];
    if (task === undefined) return false;
    selection.pick(lane.nameOf(task), lane.index);
  }
  if (prefs.isNarrow) prefs.setupOpen = false;
  prefs.inspectOpen = true;
  return true;
}

function close(lab: Lab, actions: PageActions): void {
  const { playback, prefs, run, selection } = lab;
  if (run.journey) playback.halt();
  else if (prefs.isBlank) prefs.isBlank = false;
  else if (prefs.isPresenting && selection.asked) selection.closeAnswer();
  else if (prefs.isPresenting) prefs.present(false);
  else if (actions.close?.()) focusStage(lab);
  else selection.clear();
}

/** Keys of no feature, in the order of the list. */
export const PAGE_KEYS: readonly Key[] = [
  {
    group: 'Time',
    label: 'Space, K',
    does: 'play or pause; a button with keyboard focus keeps Space',
    on: [' ', 'k'],
    act: ({ playback }) => {
      playback.toggle();
    },
  },
  {
    group: 'Time',
    label: '.',
    does: 'one step on, of the kind chosen beside the buttons',
    on: ['.'],
    act: (lab) => {
      lab.steps.step();
    },
  },
  {
    group: 'Time',
    label: ',',
    does: 'one step back',
    on: [','],
    act: (lab) => {
      lab.steps.step(true);
    },
  },
  {
    group: 'Time',
    label: 'J, Shift J',
    does: 'next moment, previous moment',
    on: ['j', 'Shift+j'],
    act: (lab, _, key) => {
      void lab.steps.toMoment(key !== 'j');
    },
  },
  {
    group: 'Time',
    label: '+, −',
    does: 'faster, slower',
    on: ['+', '=', '-', '−'],
    act: (lab, _, key) => {
      faster(lab, key === '+' || key === '=' ? 2 : 0.5);
    },
  },
  {
    group: 'Asking',
    label: 'T',
    does: 'card of the selected thread',
    on: ['t'],
    act: showThread,
  },
  { group: 'On a machine', label: '← ↑ → ↓', does: 'from thread to thread, and to CPUs' },
  {
    group: 'On a machine',
    label: 'Page Up, Page Down',
    does: 'the part around it (core, cache, node), the first part inside',
  },
  { group: 'On a machine', label: 'M', does: 'from one move that is shown to the next' },
  {
    group: 'On a machine',
    label: 'Enter',
    does: 'select and ask why; the same thread is marked in every lane',
  },
  {
    group: 'On a timeline',
    label: '← →, + −, 0, End',
    does: 'move, zoom, show the whole run, follow the present',
  },
  {
    group: 'On a timeline',
    label: '↑ ↓, Page Up, Page Down',
    does: 'to another CPU, to another slice; Enter asks why',
  },
  {
    group: 'On a timeline',
    label: '[ ], dragging',
    does: 'mark a span: its sums for every lane; Esc takes the mark away',
  },
  {
    group: 'Page',
    label: 'S',
    does: 'open or close Setup',
    on: ['s'],
    act: (_, { toggle }) => {
      toggle('setup');
    },
  },
  {
    group: 'Page',
    label: 'I',
    does: 'open or close Inspect',
    on: ['i'],
    act: (_, { toggle }) => {
      toggle('inspect');
    },
  },
  {
    group: 'Page',
    label: 'Shift D',
    does: 'show or hide daemons',
    on: ['Shift+d'],
    act: ({ prefs }) => {
      prefs.showDaemons = !prefs.showDaemons;
    },
  },
  {
    group: 'Page',
    label: '1 – 4, 0',
    does: 'look at lane 1 to 4 (alone while presenting), at all lanes',
    on: ['0', '1', '2', '3', '4'],
    act: (lab, _, key) => chooseLane(lab, key),
  },
  {
    group: 'Page',
    label: '/',
    does: 'search',
    on: ['/'],
    needs: 'search',
    isEverywhere: true,
    act: (_, { search }) => search?.(),
  },
  {
    group: 'Page',
    label: 'H',
    does: 'the start page',
    on: ['h'],
    needs: 'start',
    isEverywhere: true,
    act: (_, { start }) => start?.(),
  },
  {
    group: 'Page',
    label: 'Ctrl Z, Ctrl Y',
    does: 'undo a change, redo it',
    on: ['Ctrl+z', 'Ctrl+y', 'Ctrl+Shift+z'],
    act: (lab, _, key) => {
      if (key === 'Ctrl+z') lab.editing.undo();
      else lab.editing.redo();
    },
  },
  {
    group: 'Page',
    label: '?',
    does: 'this sheet',
    on: ['?'],
    isEverywhere: true,
    act: (_, { help }) => {
      help();
    },
  },
  { group: 'Page', label: 'Esc', does: 'close the topmost panel', on: ['Escape'], act: close },
];
