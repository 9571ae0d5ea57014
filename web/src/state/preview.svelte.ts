/**
 * Small runs beside the run of the page, one after the other in their own worker: Start shows scenarios with them.
 * Each is shown once where it opens; at most one goes on. When the worker breaks, the last pictures stay, and another worker goes on,
 * twice at most.
 */
import { beforePicture } from '../browser/pictures';
import { SvelteMap } from 'svelte/reactivity';
import { SimClient, type WorkerLike } from '../sim/client';
import type { LanesUpdate } from '../sim/protocol';
import type { Catalog } from '../sim/types/Catalog';
import type { Scenario } from '../sim/types/Scenario';
import { LaneState } from './lane.svelte';

/** Shortest time between two of these small pictures. */
const EVERY_MS = 50;
/** Longest real time between two pictures; a hidden tab does not catch up. */
const MOST_MS = 200;

/** What to show of a scenario. */
export interface Plan {
  readonly id: string;
  readonly scenario: Scenario;
  /** Where it stands at first. */
  readonly at: number | 'opening';
  /** How far it goes on from there before it is shown, ns; 0 if not given. */
  readonly on?: number;
  /** Simulated ns per second. */
  readonly speed: number;
}

/** The first lane of a scenario at a moment, and the lanes beside it. Each moment is a new object. */
export interface Shot {
  readonly lane: LaneState;
  readonly others: readonly LaneState[];
  readonly nowNs: number;
}

/** See the module comment. */
export class Preview {
  readonly #spawn: () => WorkerLike;
  /** The last picture of each scenario, by its id. */
  readonly shots = new SvelteMap<string, Shot>();
  #client: SimClient | null = null;
  #wanted: Plan[] = [];
  /** The scenario that goes on. */
  #subject: Plan | null = null;
  /** The last picture of the worker's present scenario. */
  #there: Shot | null = null;
  #thereId = '';
  /** Scenarios that the core refused. */
  readonly #refused = new Set<string>();
  #wake: () => void = () => undefined;
  #lastMs = 0;
  /** How many more workers may take the place of broken ones. */
  #attempts = 2;

  constructor(spawn: () => WorkerLike) {
    this.#spawn = spawn;
  }

  /** Starts the worker. */
  open(): void {
    if (this.#client) return;
    const client = new SimClient(this.#spawn, () => {
      end();
    });
    // Another worker may have been started meanwhile.
    const end = (): void => {
      if (client !== this.#client) return;
      this.close();
      // A phone that starts many things at once may end a worker: the first picture is worth another.
      if (this.#attempts-- > 0) this.open();
    };
    this.#client = client;
    client.respawn();
    this.#drive(client).catch(end);
  }

  /** Ends the worker. */
  close(): void {
    this.#client?.dispose();
    this.#client = null;
    this.#there = null;
    this.#wake();
  }

  /** Shows scenarios where they open, as soon as there is time. */
  want(plans: readonly Plan[]): void {
    this.#wanted = [...plans];
    this.#wake();
  }

  /** Lets one scenario go on, and no other; null: none. */
  play(plan: Plan | null): void {
    this.#subject = plan;
    this.#wake();
  }

  async #drive(client: SimClient): Promise<void> {
    const catalog = await client.call('load', null);
    while (client === this.#client) {
      const still = this.#nextStill();
      if (still) await this.#show(client, catalog, still);
      else if (this.#subject && !this.#refused.has(this.#subject.id))
        await this.#goOn(client, catalog, this.#subject);
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  /** The next scenario without a picture; the one that goes on comes first. */
  #nextStill(): Plan | null {
    const plans = this.#subject ? [this.#subject, ...this.#wanted] : this.#wanted;
    return plans.find(({ id }) => !this.shots.has(id) && !this.#refused.has(id)) ?? null;
  }

  async #show(client: SimClient, catalog: Catalog, plan: Plan): Promise<void> {
    const { id, scenario, at, on = 0 } = plan;
    let result = await client.call('configure', { scenario, at });
    // A run that has ended already is shown at its opening moment.
    if ('moment' in result && result.moment.finished && at !== 'opening')
      result = await client.call('configure', { scenario, at: 'opening' });
    if ('problems' in result) {
      this.#refused.add(id);
      return;
    }
    const { tree, moment } = result;
    const [lane, ...others] = scenario.schedulers.flatMap((choice, i) => {
      const update = moment.lanes[i];
      return update ? [new LaneState(i, choice, { catalog, tree }, update)] : [];
    });
    if (!lane) {
      this.#refused.add(id);
      return;
    }
    const { nowNs } = moment;
    this.#there = { lane, others, nowNs };
    this.#thereId = id;
    if (on === 0) this.shots.set(id, this.#there);
    else await this.#goTo(client, Math.floor(nowNs + on));
  }

  /** Goes on to a time, in whole ns, and shows what is there. A busy computer gets there in several steps, of which none is shown. */
  async #goTo(client: SimClient, untilNs: number): Promise<void> {
    for (;;) {
      const moment = await client.call('advance', { untilNs });
      const isThere = moment.finished || moment.nowNs >= Math.min(untilNs, moment.endNs);
      this.#take(moment, isThere);
      if (isThere) return;
    }
  }

  async #goOn(client: SimClient, catalog: Catalog, plan: Plan): Promise<void> {
    if (!this.#there || this.#thereId !== plan.id) await this.#show(client, catalog, plan);
    const ms = await new Promise<number>((resolve) => beforePicture(resolve));
    const passed = ms - this.#lastMs;
    if (passed < EVERY_MS || !this.#there || client !== this.#client) return;
    this.#lastMs = ms;
    const untilNs = this.#there.nowNs + (plan.speed * Math.min(MOST_MS, passed)) / 1000;
    this.#take(await client.call('advance', { untilNs }));
  }

  #take(moment: LanesUpdate, isShown = true): void {
    if (!this.#there) return;
    const { lane, others } = this.#there;
    moment.lanes.forEach((update, i) => {
      [lane, ...others][i]?.take(update);
    });
    // At its end it begins again.
    const isOver = moment.finished || moment.nowNs >= moment.endNs;
    const shot = { lane, others, nowNs: moment.nowNs };
    this.#there = isOver ? null : shot;
    if (isShown) this.shots.set(this.#thereId, shot);
  }
}
