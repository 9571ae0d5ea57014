/**
 * Paints the stage as a picture of any size, separately from the page: question and numbers, machines, timelines,
 * legend and origin.
 */
import type { Theme } from '../../lib/color';
import type { Rect } from '../../lib/geom';
import type { LaneState } from '../../state/lane.svelte';
import type { Lab } from '../../state/lab.svelte';
import { specOf } from '../../state/machine/machine';
import { wrapped } from '../figure/wrap';
import { areasOf } from '../machine/areas';
import { layoutMachine, type MachineLayout } from '../machine/layout';
import { type MachinePage, MachinePainter } from '../machine/painter';
import { askRefusals, idleBesideWaiting } from '../machine/refusals';
import type { Surface } from '../surface';
import { paintTimeAxis } from '../timeline/time-axis';
import type { Chart, ChartPage, Tab } from '../timeline/tab';
import { tabOf } from '../timeline/tabs';
import { paintTimes } from '../timeline/times';
import { legendOf } from './legend';
import { type Places, placesOf } from './layout';
import type { Disc, Line, Part, Sheet } from './sheet';

/** The painted parts of a page; `charts`: the parts that timelines read. */
export type DrawnPage = MachinePage &
  Pick<Lab, 'answer' | 'config' | 'window'> & {
    readonly charts: ChartPage;
    /** Waits for data that charts requested; returns whether they had requested any. */
    settled(): Promise<boolean>;
  };

/** The origin of the picture, in at most two lines. */
export type SayWhere = (nowNs: number) => readonly string[];

/** The canvases and painters of one lane. */
interface Drawn {
  readonly lane: LaneState;
  readonly painter: MachinePainter;
  readonly layout: MachineLayout;
  readonly under: Surface;
  readonly box: Surface;
  readonly past: Surface;
  chart: { readonly tab: Tab; readonly chart: Chart } | null;
}

/** Most requests of a chart for one picture: it may request a part at first, and more after that. */
const MOST_ASKED = 3;
/** Lines of a lane's name before its timeline, and their height. */
const WHO_LINES = 2;
const WHO_LINE = 17;
/** Letters of axes. */
const AXIS_PX = 12;

function surfaceOf({ w, h }: Rect, ratio: number): Surface {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(w * ratio);
  canvas.height = Math.round(h * ratio);
  const ctx = canvas.getContext('2d');
  if (!ctx) throw new Error('the browser gives no canvas');
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { canvas, ctx, width: w, height: h, zoom: 1 };
}

/** See the module comment. */
export class StagePainter {
  readonly #page: DrawnPage;
  readonly #theme: Theme;
  readonly #say: SayWhere;
  readonly places: Places;
  readonly #lanes: readonly Drawn[];
  readonly #axes: readonly Surface[];

  /** For the present lanes of the page. `pixels`: size of the picture. */
  constructor(
    page: DrawnPage,
    pixels: { readonly width: number; readonly height: number },
    theme: Theme,
    say: SayWhere,
  ) {
    this.#page = page;
    this.#theme = theme;
    this.#say = say;
    const { lanes, tree } = page.run;
    const cpus = tree?.core.length ?? 0;
    this.places = placesOf({ pixels, lanes: lanes.length, cpus });
    const { ratio } = this.places;
    this.#axes = this.places.axes.map((at) => surfaceOf(at, ratio));
    this.#lanes = lanes.flatMap((lane, i) => {
      const at = this.places.lanes[i];
      if (!at) return [];
      const { machine, timeline } = at;
      const size = { width: machine.w, height: machine.h };
      const layout = layoutMachine(areasOf(lane.tree), size, false, '', lane.limits.length);
      const [under, box] = [surfaceOf(machine, ratio), surfaceOf(machine, ratio)];
      const painter = new MachinePainter(page);
      return [{ lane, painter, layout, under, box, past: surfaceOf(timeline, ratio), chart: null }];
    });
  }

  /** Paints the present; `nowMs`: time of the film, for flights and fading. */
  async paint(nowMs: number): Promise<Sheet> {
    for (const drawn of this.#lanes) await this.#paintMachine(drawn, nowMs);
    for (let asked = 0; asked < MOST_ASKED; asked++) {
      for (const drawn of this.#lanes) this.#paintPast(drawn);
      if (!(await this.#page.settled())) break;
    }
    const { fromNs, toNs } = this.#page.window;
    for (const { ctx, width, height } of this.#axes)
      paintTimeAxis(ctx, { fromNs, toNs, width, height }, this.#theme, AXIS_PX);
    return this.#sheet();
  }

  async #paintMachine(drawn: Drawn, nowMs: number): Promise<void> {
    const { config, run, selection } = this.#page;
    const { lane, painter, layout, under, box } = drawn;
    const isBackground = (task: number): boolean => lane.isBackground(task);
    const idle = idleBesideWaiting(lane.frame, isBackground);
    painter.refusals = idle.length === 0 ? [] : await askRefusals(run, lane, idle);
    const { thread } = selection;
    const view = {
      lane,
      layout,
      theme: this.#theme,
      spec: config && run.catalog ? specOf(run.catalog, config.scenario.machine) : null,
      selected: thread === null ? null : (lane.idOf.get(thread) ?? null),
      arrow: null,
      cursor: null,
      hasChip: false,
    };
    painter.paint(view, { box, under }, nowMs);
  }

  #paintPast(drawn: Drawn): void {
    const { window, run, config } = this.#page;
    const { width, height, ctx } = drawn.past;
    const { fromNs, toNs } = window;
    const box = { fromNs, toNs, width, height, ctx, theme: this.#theme };
    this.#chartOf(drawn)?.paint(box);
    paintTimes(drawn.past, box, {
      nowNs: run.nowNs,
      edits: config?.scenario.edits ?? [],
      differNs: run.differNs,
      cursorNs: null,
      marked: null,
    });
    this.#chartOf(drawn)?.paintAhead?.(box);
  }

  /** The chart of the present tab; if that is not a chart, slices. */
  #chartOf(drawn: Drawn): Chart | null {
    const { charts, window } = this.#page;
    const chosen = tabOf(window.tab);
    const tab = chosen.chart ? chosen : tabOf('runs');
    if (drawn.chart?.tab !== tab) {
      const { lane, past } = drawn;
      const { thread } = this.#page.selection;
      const selected = thread === null ? null : (lane.idOf.get(thread) ?? null);
      const size = { width: past.width, height: past.height };
      const of = { page: charts, lane, size, selected, hovered: null, theme: this.#theme };
      const chart = tab.chart?.(of);
      drawn.chart = chart ? { tab, chart } : null;
    }
    return drawn.chart?.chart ?? null;
  }

  #sheet(): Sheet {
    const { places } = this;
    const { width, height } = places;
    const parts = this.#lanes.flatMap(({ under, box, past }, i): Part[] => {
      const at = places.lanes[i];
      if (!at) return [];
      return [
        { canvas: under.canvas, at: at.machine },
        { canvas: box.canvas, at: at.machine },
        { canvas: past.canvas, at: at.timeline },
      ];
    });
    const axes = this.#axes.flatMap(({ canvas }, i): Part[] => {
      const at = places.axes[i];
      return at ? [{ canvas, at }] : [];
    });
    const { discs, lines } = this.#legend();
    return {
      width,
      height,
      paper: this.#theme.paper,
      parts: [...parts, ...axes],
      lines: [...this.#words(), ...lines, ...this.#caption()],
      discs,
    };
  }

  /** Question, names and numbers. */
  #words(): Line[] {
    const { answer, run } = this.#page;
    const { places } = this;
    const line = answer.line(run.lanes);
    const out: Line[] = [
      this.#line(answer.asking?.question ?? '', places.margin, places.questionY, 24, 500),
    ];
    places.lanes.forEach(({ head, timeline }, i) => {
      const [lane, inLine] = [run.lanes[i], line?.lanes[i]];
      if (!lane) return;
      const base = head.y + head.h - 10;
      out.push(this.#line(lane.name, head.x, base - 16, 20, 600));
      const more = inLine?.about === '' ? lane.era : (inLine?.about ?? lane.era);
      out.push(this.#small(more, head.x, base + 2));
      if (inLine) out.push(...this.#number(inLine, head.x + head.w, base));
      if (places.who > 0) out.push(...this.#who(lane.name, timeline));
    });
    return out;
  }

  /** The name of a lane before its timeline, in two lines if it is long. */
  #who(name: string, { y, h }: Rect): Line[] {
    const { margin, who } = this.places;
    const line = this.#line(name, margin, y + h / 2 + 5, 14, 600);
    const measure = (text: string): number => this.#widthOf({ ...line, text });
    const texts = wrapped(name, who - 6, WHO_LINES, measure);
    return texts.map((text, i) => ({
      ...line,
      text,
      y: line.y + (i - (texts.length - 1) / 2) * WHO_LINE,
    }));
  }

  /** A large number with its unit at half size, right-aligned. */
  #number(
    {
      amount,
      isWorst,
    }: {
      readonly amount: { readonly number: string; readonly unit: string };
      readonly isWorst: boolean;
    },
    right: number,
    y: number,
  ): Line[] {
    const ink = isWorst ? this.#theme.accent : this.#theme.ink;
    const unit = { ...this.#line(amount.unit, right, y, 22, 500), ink, isRight: true };
    const room = amount.unit === '' ? 0 : this.#widthOf(unit) + 5;
    const number = { ...this.#line(amount.number, right - room, y, 44, 600), ink, isRight: true };
    return amount.unit === '' ? [number] : [number, unit];
  }

  #legend(): { readonly discs: readonly Disc[]; readonly lines: readonly Line[] } {
    const { margin, legendY, width } = this.places;
    const names = this.#lanes[0]?.lane.names;
    const discs: Disc[] = [];
    const lines: Line[] = [];
    let x = margin;
    for (const { name, fill, rim } of names ? legendOf(names, this.#theme) : []) {
      const line = this.#small(name, x + 15, legendY + 4);
      const end = x + 15 + this.#widthOf(line);
      if (end > width - margin) break;
      discs.push({ x: x + 5.5, y: legendY, r: 5, fill, rim });
      lines.push(line);
      x = end + 14;
    }
    return { discs, lines };
  }

  #caption(): Line[] {
    const { captionY, margin, width } = this.places;
    const room = width - 2 * margin;
    return this.#say(this.#page.run.nowNs)
      .slice(0, captionY.length)
      .map((text, i) => {
        const line = this.#small(text, margin, captionY[i] ?? 0);
        const measure = (part: string): number => this.#widthOf({ ...line, text: part });
        return { ...line, text: wrapped(text, room, 1, measure)[0] ?? '' };
      });
  }

  #line(text: string, x: number, y: number, px: number, weight: number): Line {
    return { text, x, y, px, weight, font: this.#theme.of('--serif'), ink: this.#theme.ink };
  }

  #small(text: string, x: number, y: number): Line {
    return { text, x, y, px: 13, weight: 400, font: this.#theme.sans, ink: this.#theme.muted };
  }

  #widthOf({ text, px, weight, font }: Line): number {
    const [pen] = this.#axes;
    if (!pen) return 0;
    pen.ctx.save();
    pen.ctx.font = `${String(weight)} ${String(px)}px ${font}`;
    const { width } = pen.ctx.measureText(text);
    pen.ctx.restore();
    return width;
  }
}
