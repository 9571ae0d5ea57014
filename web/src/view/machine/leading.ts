/**
 * Announces moments: looks for them while time runs, announces one, slows time until it was seen, and restores the
 * chosen speed. `state/moments.ts` decides which moments and for how long; `paint-sight.ts` draws them.
 */
import { clock } from '../../lib/format';
import { roundDown125 } from '../../lib/scale';
import type { MomentKind } from '../../sim/types/MomentKind';
import type { Sight } from '../../state/shown-moment.svelte';
import type { Lab } from '../../state/lab.svelte';
import { follow, kindsThatLead, type Leading, NOTHING, SLOW_MS, wanted } from '../../state/moments';
import { MIN_SPEED } from '../../state/playback.svelte';
import { busiest, eachMoveSpeed } from '../../state/regime';
import { wordsNow } from './holds';
import { FLIGHT_MS } from './motion';
import { seekMoment } from './seek-moment';
import { sightsOf } from './sights';

/** Drawn seconds before a move that are needed to show its whole flight. */
const LEAD_S = 0.25;
/** Highest speed at which a state is shown: it may last for a few ms only, and goes with its words. */
const STATE_SPEED = 5e6;
/** Moments that are states. */
const STATES: readonly MomentKind[] = ['sharedCore', 'wait', 'refusal'];
/** Longest real time between two pictures; a hidden tab does not catch up. */
const MAX_FRAME_MS = 100;

/** The parts of the page that a moment is shown in. */
export type LedPage = Pick<
  Lab,
  'config' | 'editing' | 'look' | 'moment' | 'playback' | 'prefs' | 'run' | 'speech'
>;

/** Announces moments until the returned function is called. */
export function leadToMoments(lab: LedPage): () => void {
  const leader = new Leader(lab);
  const stop = lab.playback.paintWith((nowMs) => leader.look(nowMs));
  lab.moment.seek = async (lane, kinds, back) => {
    const sight = await seekMoment(lab, lane, kinds, back);
    if (sight) leader.show(sight);
  };
  return () => {
    stop();
    leader.forget();
    lab.moment.seek = null;
  };
}

class Leader {
  readonly #lab: LedPage;
  #leading: Leading<Sight> = NOTHING;
  #lastMs: number | null = null;
  /** Time up to which each lane was searched. */
  #since = new Map<number, number>();
  /** Time at which playing began: a state that held already is not announced. */
  #startNs = 0;
  #jumps = -1;
  /** The speed that this object set. */
  #slowed: number | null = null;
  /** The moment that W cannot ask about yet. */
  #unannounced: Sight | null = null;
  #isGoingBack = false;
  /** Whether the last moment is no longer so. */
  #isOver = false;
  /** Whether time has just gone back for a flight. */
  #isBack = false;

  constructor(lab: LedPage) {
    this.#lab = lab;
  }

  /** Searches the newest picture. Needs no picture of its own, as pictures come anyway while time runs. */
  look(nowMs: number): boolean {
    const { moment, playback, prefs, run } = this.#lab;
    if (this.#isGoingBack) return false;
    if (run.jumps !== this.#jumps) {
      this.#jumps = run.jumps;
      this.forget();
    }
    this.#endUntrue();
    // The result of a step or of a jump to a moment stays until time runs.
    if (!playback.isPlaying) {
      this.#lastMs = null;
      return false;
    }
    if (this.#lastMs === null && !this.#isBack) {
      this.#since = this.#now();
      this.#startNs = run.nowNs;
    }
    this.#isBack = false;
    const drawnMs = Math.min(MAX_FRAME_MS, nowMs - (this.#lastMs ?? nowMs));
    this.#lastMs = nowMs;
    const was = this.#leading.now?.found;
    this.#leading = follow(this.#leading, drawnMs, prefs.leadsEye ? this.#find() : [], this.#kinds);
    const { now } = this.#leading;
    if (now && now.found !== was) this.#announce(now.found);
    moment.forMs = now?.forMs ?? 0;
    if (!now || this.#isOver) moment.clear();
    else if (now.forMs >= SLOW_MS) this.#letGo();
    else if (playback.slowed !== this.#slowed) {
      // A speed that the user chooses meanwhile holds.
      this.#slowed = null;
      moment.isLeading = false;
    }
    // After time went back, the decision is still to come.
    if (this.#unannounced && run.nowNs >= this.#unannounced.atNs && !this.#isGoingBack) {
      announce(this.#lab, this.#unannounced);
      this.#unannounced = null;
    }
    const hasArrived = prefs.reducedMotion || (now?.forMs ?? 0) >= FLIGHT_MS.most;
    moment.hasChip = moment.sight !== null && this.#unannounced === null && hasArrived;
    return false;
  }

  /** Shows a moment that the user went to: its words and its chip; its kind is not announced again at once. */
  show(sight: Sight): void {
    const { moment, run } = this.#lab;
    this.#jumps = run.jumps;
    this.forget();
    this.#leading = { seen: [sight.kind], now: { found: sight, forMs: SLOW_MS } };
    this.#isOver = false;
    moment.sight = sight;
    moment.forMs = SLOW_MS;
    moment.hasChip = true;
    announce(this.#lab, sight);
    this.#lab.playback.redraw();
  }

  /** Nothing has led so far. */
  forget(): void {
    this.#leading = NOTHING;
    this.#unannounced = null;
    this.#since = this.#now();
    this.#letGo();
    this.#lab.moment.clear();
  }

  /** An announcement ends as soon as it is no longer true. */
  #endUntrue(): void {
    const { moment, run } = this.#lab;
    const { sight } = moment;
    const lane = sight && run.lanes[sight.lane];
    if (!lane || lane.frame.nowNs < sight.atNs || wordsNow(lane, sight)) return;
    this.#isOver = true;
    this.#unannounced = null;
    this.#letGo();
    moment.clear();
  }

  #letGo(): void {
    const { moment, playback } = this.#lab;
    if (this.#slowed !== null && playback.slowed === this.#slowed) playback.slow(null);
    this.#slowed = null;
    moment.isLeading = false;
  }

  get #kinds() {
    const { config, editing } = this.#lab;
    return kindsThatLead(config?.scenario.moments ?? [], editing.changes.length > 0);
  }

  #now(): Map<number, number> {
    return new Map(this.#lab.run.lanes.map((lane) => [lane.index, lane.frame.nowNs]));
  }

  #find(): readonly Sight[] {
    const { moment, run } = this.#lab;
    const kinds = wanted(this.#leading, this.#kinds);
    const found =
      kinds.length === 0
        ? []
        : [...moment.lanes].flatMap(([index, refused]) => {
            const lane = run.lanes[index];
            if (!lane) return [];
            const happened = this.#since.get(index) ?? 0;
            const since = { happened, began: this.#startNs - 1, until: lane.frame.nowNs };
            return sightsOf(lane, kinds, since, refused());
          });
    this.#since = this.#now();
    return found;
  }

  #announce(sight: Sight): void {
    const { moment, playback, prefs } = this.#lab;
    this.#isOver = false;
    moment.sight = sight;
    this.#unannounced = sight;
    if (prefs.reducedMotion) return;
    moment.isLeading = true;
    const slow = Math.min(this.#slowSpeed(), STATES.includes(sight.kind) ? STATE_SPEED : Infinity);
    if (slow < playback.pace || playback.isRushing) {
      this.#slowed = slow;
      playback.slow(slow);
    }
    // At high speed the picture is long past the move: time goes back to where the flight begins.
    const leadNs = LEAD_S * playback.pace;
    const { nowNs } = this.#lab.run;
    if (sight.move && nowNs - sight.atNs > leadNs) void this.#goBack(sight.atNs - leadNs);
  }

  /** The speed at which each move of the last drawn second can be followed. */
  #slowSpeed(): number {
    const { run, playback } = this.#lab;
    const { isRushing, achieved, pace } = playback;
    const speed = isRushing ? (achieved ?? pace) : pace;
    const pulses = run.lanes.map((lane) => {
      const { frame, history } = lane;
      const isBackground = (task: number) => lane.isBackground(task);
      const pulse = history.recent.pulse(frame.nowNs, speed, frame.cpu('curr'), isBackground);
      return { moves: pulse.moves, sliceMs: (pulse.sliceNs / speed) * 1000 };
    });
    const slow = eachMoveSpeed(busiest(pulses), speed);
    return slow < speed ? roundDown125(slow, MIN_SPEED) : speed;
  }

  async #goBack(atNs: number): Promise<void> {
    const { playback, run } = this.#lab;
    this.#isGoingBack = true;
    const jumps = run.jumps + 1;
    try {
      await playback.seek(Math.max(0, Math.floor(atNs)));
    } finally {
      this.#isGoingBack = false;
      this.#isBack = true;
      // This jump does not count as another time.
      if (run.jumps === jumps) this.#jumps = jumps;
      this.#since = this.#now();
      this.#lastMs = null;
    }
  }
}

/** Makes a moment the subject of W, and speaks it. */
function announce(lab: LedPage, sight: Sight): void {
  const { asked, atNs, lane, tasks } = sight;
  const [task] = tasks;
  const of = lab.run.lanes[lane];
  const [text] = (of && wordsNow(of, sight)) ?? sight.words;
  const thread = of && task !== undefined ? of.nameOf(task) : null;
  // A listener may hear it later, and may ask long after it: so it says when.
  const said = `${text} at ${clock(atNs)}.`;
  lab.speech.announced = { text: said, asked, thread, atNs };
  const who = lab.run.lanes.length > 1 && of ? `${of.name}: ` : '';
  lab.speech.say(`${who}${said}${lab.look.has('inspect') ? ' W asks why.' : ''}`);
}
