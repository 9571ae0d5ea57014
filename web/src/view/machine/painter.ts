/** Paints one lane's machine, picture after picture, and remembers what the next picture needs. */
import type { Theme } from '../../lib/color';
import type { Move } from '../../sim/history';
import type { MachineSpec } from '../../sim/types/MachineSpec';
import { oneRefusal, type Sight } from '../../state/shown-moment.svelte';
import type { Lab } from '../../state/lab.svelte';
import type { LaneState } from '../../state/lane.svelte';
import { moverOf } from '../schedulers/folder';
import type { Surface } from '../surface';
import { Counting } from './counting';
import { Fade } from './fade';
import { Dimming } from './dimming';
import { ghostOf } from './ghost';
import { Ground } from './ground';
import type { Target } from './hit';
import { isOn, wordsNow } from './holds';
import { jobsOn } from './jobs-on';
import type { MachineLayout } from './layout';
import { memoryOf, memoryText, nodesOf, type OnNode } from './memory';
import { FLIGHT_MS, Motion, MOST_LINES, type Trail } from './motion';
import { paintMachine } from './paint';
import { CHIP } from './paint-sight';
import { bandRect } from './paint-slots';
import type { Picture } from './picture';
import { isFirstTurn, newestBetween, newestOfJobs } from './recent-moves';
import { type HeldRefusal, heldOf, type Refusal } from './refusals';
import { firstPlaceWords, moveWords, refusalWords, sayDaemons, sayTotals } from './say-line';
import { type Scene, sceneOf } from './scene';
import { NO_PAIRING, pairingOf, sharingOf } from './sharing';
import { SlotPace } from './slot-pace';
import { type Band, bandsOf, type Flows, flowsOf, type Link, linksIn } from './totals';

/** While time stands still, moves as recent as this stay drawn. */
const STILL_NS = 3_000_000;
/** Shortest time for which bands stay while time runs. */
const BANDS_MS = 1000;
/** Drawn seconds for which the line names a move. */
const SAID_S = 3;

/** The parts of the page that a painter reads, and reports to. */
export type MachinePage = Pick<
  Lab,
  'hues' | 'moment' | 'playback' | 'prefs' | 'regime' | 'run' | 'selection'
>;

/** The lane and layout to paint. */
interface View {
  readonly lane: LaneState;
  readonly layout: MachineLayout;
  readonly theme: Theme;
  readonly spec: MachineSpec | null;
  readonly selected: number | null;
  /** The move under the pointer. */
  readonly arrow: Move | null;
  readonly cursor: Target | null;
  /** Whether the chip that asks why is on the line. */
  readonly hasChip: boolean;
  /** Whether the page writes on the line. */
  readonly isExplained?: boolean;
}

/** A picture and the data behind its numbers. */
export interface Painted extends Omit<Picture, 'ctx'> {
  /** The drawn second that totals and bands are about. */
  readonly counted: Counting['tally'];
}

/** The bands of a CPU, their computation, the time when they were made, and a number of their own. */
interface Filling {
  readonly bands: readonly Band[];
  readonly number: number;
  readonly madeMs: number;
  readonly no: number;
}

/** See the module comment. */
export class MachinePainter {
  /** The last painted picture. */
  last: Painted | null = null;
  /** The last refusals of idle CPUs. */
  refusals: readonly Refusal[] = [];
  readonly #lab: MachinePage;
  readonly #motion = new Motion();
  readonly #counting = new Counting();
  readonly #pace = new SlotPace();
  readonly #ground = new Ground();
  readonly #fade = new Fade();
  readonly #dimming = new Dimming();
  #scene: Scene | null = null;
  /** The data that the scene was made from. */
  #drawnFrom: readonly unknown[] = [];
  #flows: Flows | null = null;
  #links: readonly Link[] = [];
  #jobs: Float64Array | null = null;
  /** By CPU. */
  readonly #bands = new Map<number, Filling>();
  #bandsNo = 0;
  /** The data that flows, links and jobs were made from. */
  #countedFrom: readonly unknown[] = [];
  #jumps = -1;
  #lane: LaneState | null = null;

  constructor(lab: MachinePage) {
    this.#lab = lab;
  }

  /** Paints; returns whether the next frame must be painted, too. */
  paint(
    view: View,
    on: { readonly box: Surface; readonly under: Surface },
    nowMs: number,
  ): boolean {
    const { lane, layout, selected, arrow } = view;
    const { hues, moment, playback, prefs, regime, run, selection } = this.#lab;
    const motion = this.#motion;
    const { moves } = lane.history;
    if (run.jumps !== this.#jumps || lane !== this.#lane) {
      motion.reset(moves.at(-1)?.seq ?? -1);
      this.#pace.reset();
      this.#bands.clear();
      this.#fade.reset();
      this.#jumps = run.jumps;
      this.#lane = lane;
    }
    motion.notice(moves, nowMs, (task) => !lane.isBackground(task));
    this.#count(lane, nowMs);
    // After a step its event is shown, however fast time ran before. An announced moment is shown the same way.
    const isStepped = !playback.isPlaying && run.position !== null;
    const now = isStepped || moment.isLeading ? 'each move' : regime.now;
    const isTotal = now === 'totals';
    this.#addUp(lane, layout, isTotal);
    const scene = this.#sceneOf(lane, layout, isTotal, view.isExplained === true);
    const isCut = prefs.reducedMotion || now !== 'each move';
    if (playback.isPlaying)
      this.#pace.notice(scene.placed, layout.slots.length, nowMs, isCut ? 0 : FLIGHT_MS.most);
    const sight = moment.sight?.lane === lane.index ? moment.sight : null;
    // A thread of an announced moment is shown as a token, whatever else its CPU runs.
    const isLed = (cpu: number) => moment.isLeading && isAbout(sight, cpu, lane.frame.task('cpu'));
    const isBanded = (cpu: number) =>
      isTotal || (playback.isPlaying && this.#pace.isRapid(cpu) && !isLed(cpu));
    const banded = new Set(layout.slots.flatMap((s) => (isBanded(s.cpu) ? [s.cpu] : [])));
    this.#renewBands(lane, banded, playback.isPlaying ? nowMs : null);
    // Who stands still in a box is drawn there, however fast its CPU changes.
    const alone = scene.placed.filter((t) => t.kind === 'held' || !banded.has(t.cpu));
    // Bands show who waits, too.
    const labels = scene.labels.filter(({ cpu }) => cpu === undefined || !banded.has(cpu));
    const drawn = motion.at(alone, nowMs, isCut);
    const trails = isTotal ? [] : motion.trails(nowMs);
    const fading = playback.isPlaying || isTotal ? trails : still(lane, trails);
    // The move under the pointer does not fade, and neither does that of an announced moment.
    const ghost = playback.isPlaying || isTotal ? null : ghostOf(selection.explained, lane);
    // In front of a class all threads of an answer are bright.
    const held = arrow ?? (moment.isLeading ? sight?.move : null) ?? ghost?.move;
    const isHeld = held && !isTotal && !fading.some((t) => t.seq === held.seq);
    const shown = isHeld ? [...fading, { ...held, strength: 0.9 }] : fading;
    const isBackground = (task: number) => lane.isBackground(task);
    const holding = isTotal ? [] : heldOf(this.refusals, lane.frame, isBackground);
    const isAnswered = selection.explained?.lane === lane.index;
    const asked = isAnswered ? (selection.explained?.cpu ?? null) : null;
    // An open answer is about one refusal.
    const isOfAnswer = asked !== null && holding.some(({ to }) => to === asked);
    const one = oneRefusal(holding, isOfAnswer ? asked : selection.cpu);
    const refused = one && (layout.isWaitOnLine || isOfAnswer) ? [one] : holding;
    const { machineName, memory, thermal } = named(view.spec);
    const lies = selected === null || nodesOf(lane) < 2 ? [] : memoryOf(lane, selected);
    const chip = view.hasChip ? CHIP : 0;
    const said = view.isExplained
      ? SILENT
      : this.#said(lane, refused, sayMemory(lane, selected, lies));
    const ended = this.#fade.at(said, chip, nowMs, prefs.reducedMotion);
    this.last = {
      theme: view.theme,
      layout,
      tree: lane.tree,
      scheduler: lane.scheduler,
      speed: playback.pace,
      frame: lane.frame,
      names: lane.names,
      scene: labels.length < scene.labels.length ? { ...scene, labels } : scene,
      drawn,
      trails: shown.slice(refused.length - MOST_LINES),
      refused,
      isTotal,
      hasRings: now === 'each move',
      flows: this.#flows,
      links: this.#links,
      banded,
      bandsOf: (cpu) => this.#bands.get(cpu)?.bands ?? [],
      filledNo: (cpu) => (this.#jobs ? this.#counting.number : (this.#bands.get(cpu)?.no ?? 0)),
      jobsOn: this.#jobs,
      hueNo: hues.revision,
      limits: lane.limits,
      // Where more is drawn than can be followed, frames would flash.
      sharing: now === 'each move' ? pairingOf(sharingOf(lane)) : NO_PAIRING,
      showDaemons: prefs.showDaemons,
      led: this.#dimming.at(
        moment.isLeading
          ? (sight?.tasks ?? [])
          : // In front of a class all threads of an answer are bright.
            isAnswered && layout.isWaitOnLine
            ? (selection.explained?.tasks ?? null)
            : null,
        nowMs,
        !playback.isPlaying,
      ),
      sight: sight && { ...sight, forMs: moment.forMs },
      chip,
      said,
      fading: ended,
      ghost,
      machineName,
      memory,
      lies,
      thermal,
      selected,
      arrow: arrow?.seq ?? null,
      selectedCpu: selection.lane === lane.index ? selection.cpu : null,
      cursor: view.cursor,
      isRapid: isTotal,
      counted: this.#counting.tally,
    };
    this.#ground.paint(on.under, this.last, lane, nowMs, !playback.isPlaying);
    paintMachine({ ...this.last, ctx: on.box.ctx });
    return ended !== null || (!isTotal && motion.isBusy(nowMs));
  }

  /** The thread whose band is at a point of a slot; null if there is none, undefined if the slot has no bands. */
  bandAt(cpu: number, x: number): number | null | undefined {
    const { last } = this;
    const slot = last?.layout.slots[cpu];
    if (!slot || !last.banded.has(cpu)) return undefined;
    if (last.jobsOn) return null;
    const area = bandRect(slot);
    let right = area.x;
    for (const { task, part } of last.bandsOf(cpu)) {
      right += part * area.w;
      if (x < right) return task < 0 ? null : task;
    }
    return null;
  }

  /** Simulated time of a drawn second. */
  get #second(): number {
    const { achieved, isRushing, pace } = this.#lab.playback;
    return isRushing ? (achieved ?? pace) : pace;
  }

  /** Computes the sums of the last drawn second if that is due, and reports the rate of events. */
  #count(lane: LaneState, nowMs: number): void {
    const { hues, playback, regime, run } = this.#lab;
    const when = { nowMs, isPlaying: playback.isPlaying, jumps: run.jumps };
    if (!this.#counting.count(lane, this.#second, when)) return;
    const { pulse, tally } = this.#counting;
    regime.report(lane.index, run.lanes.length, pulse, playback.slowed !== null);
    if (tally) hues.report(lane, run.lanes, tally, nowMs);
  }

  /** Sums the CPU time of threads by CPU, and the moves by pair of cores. */
  #addUp(lane: LaneState, layout: MachineLayout, isTotal: boolean): void {
    const { number, tally } = this.#counting;
    const from = [number, layout, isTotal];
    if (from.every((part, i) => part === this.#countedFrom[i])) return;
    this.#countedFrom = from;
    const flows = isTotal && tally ? flowsOf(tally, lane.tree.core) : null;
    this.#flows = flows;
    this.#links = flows ? linksIn(layout, flows, newestBetween(lane, flows)) : [];
    const isBackground = (task: number) => lane.isBackground(task);
    this.#jobs = isTotal ? jobsOn({ frame: lane.frame, shape: lane.shape, isBackground }) : null;
  }

  /**
   * Makes the bands of these CPUs again if that is due. They stay long enough to be read; while time stands they are
   * exact.
   */
  #renewBands(lane: LaneState, cpus: ReadonlySet<number>, playingMs: number | null): void {
    const { number, tally } = this.#counting;
    const isBackground = (task: number) => lane.isBackground(task);
    for (const cpu of this.#bands.keys()) if (!cpus.has(cpu)) this.#bands.delete(cpu);
    for (const cpu of cpus) {
      const old = this.#bands.get(cpu);
      if (old?.number === number) continue;
      if (old && playingMs !== null && playingMs - old.madeMs < BANDS_MS) continue;
      const bands = tally ? bandsOf(tally, cpu, isBackground) : [];
      this.#bandsNo += 1;
      const madeMs = playingMs ?? -Infinity;
      this.#bands.set(cpu, { bands, number, madeMs, no: this.#bandsNo });
    }
  }

  /** The core may take longer than a picture, so frame and scene can be the same as before. */
  #sceneOf(lane: LaneState, layout: MachineLayout, isTotal: boolean, isExplained: boolean): Scene {
    const { showDaemons } = this.#lab.prefs;
    // Who has not begun stands beside the machine.
    const first = lane.frame.nowNs === 0 ? lane.first : null;
    const queues = !isTotal && (lane.frame.nowNs > 0 || first !== null);
    const from = [lane.frame, layout, isTotal, showDaemons, isExplained, first];
    if (!this.#scene || from.some((part, i) => part !== this.#drawnFrom[i])) {
      const shown = { daemons: showDaemons, queues, first, isBusyOnly: isExplained };
      this.#scene = sceneOf(layout, lane, shown);
      this.#drawnFrom = from;
    }
    return this.#scene;
  }

  /** The words of the line under the machine. */
  #said(
    lane: LaneState,
    [refusal]: readonly HeldRefusal[],
    memory: readonly string[],
  ): Picture['said'] {
    const { tally } = this.#counting;
    const { sight } = this.#lab.moment;
    const words = sight?.lane === lane.index ? wordsNow(lane, sight) : null;
    if (words) return { main: words, isLoud: true, more: '' };
    const more = tally && !this.#lab.prefs.showDaemons ? sayDaemons(tally.daemonMoves) : '';
    if (this.#flows && tally) {
      const main = sayTotals(this.#flows, tally.toNs - tally.fromNs);
      return { main, isLoud: false, more };
    }
    if (refusal)
      return { main: refusalWords(refusal, lane.nameOf(refusal.task)), isLoud: true, more };
    const since = lane.frame.nowNs - SAID_S * this.#second;
    if (lane.frame.nowNs === 0 && this.#scene?.begins.size) return sayFirst(lane);
    const move = newestOfJobs(lane, since);
    const first = lane.history.firstPlace;
    const isFirst = first && !lane.isBackground(first.task) && first.atNs >= since;
    if (isFirst && isFirstTurn(lane.history, first) && first.atNs > (move?.atNs ?? -1))
      return { main: firstPlaceWords(lane.nameOf(first.task), first.cpu), isLoud: true, more };
    if (move && isOn(lane.frame, move.task, move.to)) {
      const by = moverOf(lane.scheduler, move.reason);
      return { main: moveWords(move, by, lane.nameOf(move.task)), isLoud: true, more };
    }
    const isQuiet = more !== '' && tally?.moves === 0;
    return { main: isQuiet ? ['0 moves of jobs'] : memory, isLoud: false, more };
  }
}

const SILENT: Picture['said'] = { main: [], isLoud: false, more: '' };

/** Who will wait from the beginning, and where. */
function sayFirst(lane: LaneState): Picture['said'] {
  const [first, ...others] = lane.first?.waits ?? [];
  if (!first) return SILENT;
  const [task, cpu] = first;
  const main =
    others.length > 0
      ? `${String(others.length + 1)} threads find every CPU taken`
      : `${lane.nameOf(task)} finds every CPU taken`;
  const where = cpu < 0 ? 'it waits in the one queue' : `it queues at cpu ${String(cpu)}`;
  return { main: [main], isLoud: true, more: others.length > 0 ? '' : where };
}

/** Whether a moment is about a CPU: it begins or ends there, or one of its threads is there. */
function isAbout(sight: Sight | null, cpu: number, cpuOf: Float64Array): boolean {
  if (!sight) return false;
  return sight.from === cpu || sight.to === cpu || sight.tasks.some((t) => cpuOf[t] === cpu);
}

function named(spec: MachineSpec | null): Pick<Picture, 'machineName' | 'memory' | 'thermal'> {
  return {
    machineName: spec?.name ?? '',
    memory: spec?.memory ?? null,
    thermal: spec?.thermal ?? null,
  };
}

/** The nodes of the selected thread's memory; the longest words first. */
function sayMemory(
  lane: LaneState,
  selected: number | null,
  lies: readonly OnNode[],
): readonly string[] {
  const text = memoryText(lies);
  return selected === null || text === null
    ? []
    : [`memory of ${lane.nameOf(selected)}: ${text}`, `memory: ${text}`];
}

/** Trails of the shown moment do not fade. */
function still(lane: LaneState, trails: readonly Trail[]): readonly Trail[] {
  const { moves } = lane.history;
  const fixed: Trail[] = [];
  for (let i = moves.length - 1; i >= 0; i--) {
    const m = moves[i];
    if (!m || m.atNs < lane.frame.nowNs - STILL_NS || fixed.length >= MOST_LINES) break;
    const isMove = m.from >= 0 && m.from !== m.to && !lane.isBackground(m.task);
    if (isMove) fixed.push({ ...m, strength: 0.9 });
  }
  return [...trails.filter((t) => !fixed.some((f) => f.task === t.task)), ...fixed];
}
