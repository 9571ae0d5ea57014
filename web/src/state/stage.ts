/** What the parts of the page see of the whole, which holds them and is this. So no part imports the whole. */
import type { Scenario } from '../sim/types/Scenario';
import type { Link } from '../link/link';
import type { Place } from '../link/place';
import type { Route } from '../link/route';
import type { Catalog } from '../sim/types/Catalog';
import type { Change } from './change';
import type { Config } from './config.svelte';
import type { Look } from './look.svelte';
import type { Notices } from './notices.svelte';
import type { Playback } from './playback.svelte';
import type { Run } from './run.svelte';
import type { Selection } from './selection.svelte';

/** How a scenario is shown before anybody plays it. */
export interface Opened {
  readonly atNs: number;
  /** Simulated ns per second. */
  readonly speed: number;
}

/** See the module comment. */
export interface Stage {
  readonly run: Run;
  readonly playback: Playback;
  readonly selection: Selection;
  readonly notices: Notices;
  readonly look: Look;
  readonly config: Config | null;
  /** How titles, files and pictures call the run. */
  readonly runName: string;
  /** The shipped scenario that the scenario started from. */
  readonly base: Catalog['scenarios'][number] | undefined;
  /** The user's work, as this browser keeps it. */
  readonly kept: {
    readonly id: string;
    isShown: boolean;
    keep(isForced?: boolean): Promise<void>;
    takeIn(file: string): Promise<void>;
    keepAside(scenario: Scenario, file: string, baseId: string): Promise<boolean>;
  };
  readonly work: { save(): void };
  readonly places: {
    readonly at: Place | null;
    readonly route: Route | null;
    take(fragment: string): boolean;
  };
  /** Where and how fast the scenario opened by itself; null where a link or a file said the time. */
  readonly opened: Opened | null;
  readonly address: {
    readonly fragment: string;
    update(): Promise<void>;
    go(fragment: string): Promise<void>;
  };
  change(change: Change): void;
  /** Says what is wrong with something that was opened: the first of it, and how much more. */
  warn(sentences: readonly string[]): void;
  openLink(link: Link): Promise<void>;
  openScenario(scenario: unknown, baseId: string, atNs?: number): Promise<void>;
}
