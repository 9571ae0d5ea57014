/** Finds the change from which the answer line counts, and asks the core for the threads' totals at that time. */
import type { Config } from '../config.svelte';
import type { LaneState } from '../lane.svelte';
import { MOST_TASKS, samplesAt } from '../lane-samples';
import type { Playback } from '../playback.svelte';
import type { Run } from '../run.svelte';
import type { Since } from './shares';

/** The part of the page that edits change. */
interface ChangedPage {
  readonly config: Config | null;
  readonly run: Run;
  readonly playback: Pick<Playback, 'tracked'>;
}

/** The last change before a time, in ns; 0 if there is none. */
export function lastChange(edits: readonly { readonly atNs: number }[], nowNs: number): number {
  return edits.reduce((last, { atNs }) => (atNs < nowNs ? Math.max(last, atNs) : last), 0);
}

/** Asks for the totals of a lane's threads at a time; null with too many threads, whose sums then cover the whole run. */
export async function totalsAt(run: Run, lane: LaneState, atNs: number): Promise<Since | null> {
  const tasks = lane.jobs;
  if (lane.names.tasks.length > MOST_TASKS) return null;
  const samples = await samplesAt(run, lane, atNs, tasks);
  if (samples.times.length === 0) return null;
  return { atNs, totals: new Map(tasks.map((t) => [t, samples.total(t)])) };
}

/** A change to count from, and its run. */
interface Wish {
  readonly atNs: number;
  readonly edits: unknown;
  readonly lanes: readonly LaneState[];
}

/** Keeps the lanes' `since` from now on. */
export function followChanges(page: ChangedPage): void {
  /** The newest request: while a slider is dragged, only this one counts. */
  let wanted: Wish | null = null;
  let asked: Wish | null = null;
  let isAsking = false;

  async function ask(): Promise<void> {
    const { playback, run } = page;
    isAsking = true;
    try {
      await playback.tracked(async () => {
        while (wanted && wanted !== asked) {
          asked = wanted;
          const { atNs, lanes } = wanted;
          for (const lane of lanes) {
            const since = atNs > 0 ? await totalsAt(run, lane, atNs) : null;
            // A newer request will set it.
            if (wanted === asked && run.lanes === lanes) lane.since = since;
          }
        }
      });
    } finally {
      isAsking = false;
    }
  }

  $effect.root(() => {
    $effect(() => {
      const { config, run } = page;
      const { lanes } = run;
      const edits = config?.scenario.edits ?? [];
      const atNs = lastChange(edits, run.calmNs);
      if (wanted?.atNs === atNs && wanted.edits === edits && wanted.lanes === lanes) return;
      if (run.status !== 'ready') return;
      wanted = { atNs, edits, lanes };
      if (!isAsking) void ask();
    });
  });
}
