/** Which page about published experiments is open, if any. What it shows is loaded with it. */
import { type Route, readRoute, writeRoute } from '../link/route';
import type { SweepWorker } from '../sim/sweep/pool';
import type { Scenario } from '../sim/types/Scenario';
import type { Stage } from './stage';

/** See the module comment. */
export class Gallery {
  readonly #lab: Stage;
  /** Starts a worker for whole runs. */
  readonly spawn: () => SweepWorker;
  route = $state.raw<Route | null>(null);

  constructor(lab: Stage, spawn: () => SweepWorker) {
    this.#lab = lab;
    this.spawn = spawn;
  }

  /** Takes a fragment; whether it was one of these. */
  take(fragment: string): boolean {
    this.route = readRoute(fragment);
    if (this.route) this.#lab.playback.isPlaying = false;
    return this.route !== null;
  }

  /** Says in the link what is chosen on the present page. */
  choose(change: Partial<Route>): void {
    if (!this.route) return;
    this.route = { ...this.route, ...change };
    history.replaceState(null, '', `#${writeRoute(this.route)}`);
  }

  /** Shows a scenario on the stage. */
  async show(scenario: Scenario, baseId: string): Promise<void> {
    this.leave();
    await this.#lab.openScenario(scenario, baseId);
  }

  /** Back to the stage. */
  leave(): void {
    if (!this.route) return;
    this.route = null;
    history.pushState(null, '', '#');
    void this.#lab.address.update();
  }
}
