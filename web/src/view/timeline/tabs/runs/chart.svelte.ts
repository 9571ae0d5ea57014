/** Which thread ran on which CPU: single slices if these are known and distinguishable, else totals of equal spans. */
import type { Slice } from '../../../../sim/history';
import { RECORDED } from '../../../../state/recorded/traces.svelte';
import { cpuOrder } from '../../../machine/areas';
import { markAt, paintMarks } from '../../../recorded/marks';
import { sayDisagreement } from '../../../recorded/words';
import { type Axis, LABEL_WIDTH, letterPx, nsAt, xOf } from '../../axis';
import { Feed } from '../../feed.svelte';
import { haveNumbers, type Rows, rowsAbout, rowsOf, explainedCpus, usedCpus } from '../../rows';
import { firstAfter, lists, type Slices } from '../../slices';
import type { Box, Chart, ChartOf, Place } from '../../tab';
import type { Span } from '../../../../state/time-window.svelte';
import type { TableWords } from '../../table-words';
import {
  budgetHeight,
  type BudgetRow,
  budgetsOf,
  paintAhead,
  paintBudget,
  tellBudget,
  untilNow,
} from './budget';
import { chooseSlice, paintSpot, reveal, type Spot, tellHit, walk } from './choose';
import { hit } from './hit';
import { idleSpans, paintIdle } from './idle';
import { paintWakes } from './moves';
import { paintTimeline } from './paint';
import { type Picture, pictureOf } from './stretches';
import { runsTable, stretchesTable } from './table';

/** Most single slices in view: more would not be distinguishable, nor quick to paint. */
const MOST_SLICES = 6_000;

/** See the module comment. */
export class RunsChart implements Chart {
  readonly #of: ChartOf;
  readonly #past;
  readonly #limits;
  /** Where the keys are. */
  #spot = $state.raw<Spot | null>(null);
  readonly #rows: Rows = $derived.by(() => {
    const { page, lane, size } = this.#of;
    const { config, prefs, selection } = page;
    const height = size.height - this.#budgetHeight * this.#limited;
    const rows = rowsOf(lane.tree, height, config && usedCpus(config.scenario));
    const explained =
      prefs.isPresenting && selection.explained?.lane === lane.index ? selection.explained : null;
    const px = letterPx({ isLarge: true });
    if (!explained || haveNumbers(rows, px, LABEL_WIDTH)) return rows;
    // A class reads the rows that the reason is about.
    const about = explainedCpus(lane.tree, explained, lane.calm.task('cpu'));
    return about.size > 0 ? rowsAbout(lane.tree, height, about, px, LABEL_WIDTH) : rows;
  });
  /** Number of control groups with a limit, and the height of the row of each. */
  readonly #limited = $derived.by(() => this.#of.lane.calmLimits.length);
  readonly #budgetHeight = $derived.by(() => {
    const { lane, size } = this.#of;
    return budgetHeight(size.height, lane.tree.core.length, this.#limited);
  });
  readonly #budgets = $derived.by(() => {
    const { data } = this.#limits;
    const { cgroups } = this.#of.lane.names;
    return data && budgetsOf(data, cgroups.length);
  });
  readonly #found = $derived.by((): Slices | null => {
    const { data } = this.#past;
    return data?.kind === 'slices' ? lists(data.rows, this.#of.lane.tree.core.length) : null;
  });
  readonly #picture = $derived.by((): Picture | null => {
    const { data } = this.#past;
    if (data?.kind !== 'stretches') return null;
    const { page, lane, selected, theme } = this.#of;
    void page.prefs.colours;
    const levels = Math.min(8, Math.max(1, Math.round(this.#rows.height)));
    const { names, tree } = lane;
    return pictureOf(data, tree.core.length, levels, { theme, names, selected });
  });

  /** Choices of the kernel that the rules do not make. */
  get #marks() {
    const { page, lane } = this.#of;
    return (lane.scheduler === RECORDED ? page.traces?.disagreements : null) ?? [];
  }

  constructor(of: ChartOf) {
    this.#of = of;
    this.#past = new Feed(of.page, (fromNs, toNs) =>
      of.page.run.past({
        lane: of.lane.index,
        fromNs,
        toNs,
        columns: Math.ceil(Math.min(1200, of.size.width) * 2),
        most: MOST_SLICES * 2,
      }),
    );
    this.#limits = new Feed(of.page, (fromNs, toNs) =>
      of.page.run.limitsPast({ lane: of.lane.index, fromNs, toNs }),
    );
  }

  watch(): void {
    void [this.#past.data, this.#limits.data, this.#spot, this.#marks];
  }

  /** The page's own memory, if it covers the window and can be painted. */
  #live(): Slices | null {
    const { page, lane } = this.#of;
    const { history } = lane;
    const { fromNs, toNs, spanNs } = page.window;
    // The core also knows what came later.
    if (page.lessons?.open?.isKnown === true) return null;
    if (history.knownFrom > fromNs || toNs > lane.frame.nowNs + spanNs) return null;
    let count = 0;
    for (const list of history.slices as readonly (readonly Slice[])[]) {
      count += firstAfter(list, toNs) - firstAfter(list, fromNs);
      if (count > MOST_SLICES) return null;
    }
    return history.slices;
  }

  /** The rows of control groups, in a picture of this height. */
  #budgetRows({ height: all }: Pick<Box, 'height'>): readonly BudgetRow[] {
    const { lane } = this.#of;
    const { frame, limits, names } = lane;
    const height = this.#budgetHeight;
    if (height === 0) return [];
    return limits.map((limit, i) => {
      const top = all - (limits.length - i) * height;
      const known = this.#budgets?.[names.cgroups.indexOf(limit.name)] ?? [];
      return {
        top,
        height,
        limit,
        nowNs: frame.nowNs,
        states: untilNow(known, limit, frame.nowNs),
      };
    });
  }

  paint(box: Box): void {
    const { lane, selected, hovered } = this.#of;
    const rows = this.#rows;
    const own = this.#live();
    if (!own) this.#past.show(box.fromNs, box.toNs, '');
    const slices = own ?? this.#found;
    paintTimeline({
      ...box,
      nowNs: !own && slices ? (this.#past.data?.toNs ?? 0) : lane.frame.nowNs,
      rows,
      names: lane.names,
      selected,
      hovered,
      slices,
      stretches: own ? null : this.#picture,
      knownFrom: own ? lane.history.knownFrom : 0,
    });
    if (selected !== null && slices)
      paintWakes({ ...box, rows }, lane.history.wakes, slices, selected);
    // What nobody uses while somebody waits is shown with its length: to a class, and where a lesson explains it.
    const { page } = this.#of;
    const isExplained = page.prefs.isPresenting || page.lessons?.open?.isKnown === true;
    if (isExplained && !page.playback.isPlaying && slices)
      paintIdle(box, rows, idleSpans(lane, own ? null : slices, box), letterPx(box));
    paintMarks(box, rows, this.#marks);
    const budgets = this.#budgetRows(box);
    if (budgets.length > 0) this.#limits.show(box.fromNs, box.toNs, '');
    for (const row of budgets) paintBudget(box, row);
    if (this.#spot) paintSpot(box.ctx, box, rows, this.#spot, box.theme.accent);
  }

  paintAhead(box: Box): void {
    for (const row of this.#budgetRows(box)) paintAhead(box, row);
  }

  table(span: Span, last: TableWords | null): TableWords | null {
    const { names, tree } = this.#of.lane;
    const order = cpuOrder(tree);
    const slices = this.#live() ?? this.#found;
    if (slices) return runsTable(span, order, slices, names);
    const { data } = this.#past;
    return data?.kind === 'stretches' ? stretchesTable(span, order, data, names) : last;
  }

  at(axis: Axis, x: number, y: number): Place | null {
    const { page, lane } = this.#of;
    const marks = this.#marks;
    const mark = markAt(axis, this.#rows, { x, y }, marks);
    const found = marks[mark];
    if (found)
      return {
        words: sayDisagreement(found).join(' '),
        task: null,
        choose: () => {
          if (page.traces) page.traces.shown = mark;
        },
      };
    const budget = tellBudget(axis, this.#budgetRows(axis), y, nsAt(axis, x));
    if (budget !== null) return { words: budget, task: null, choose: () => undefined };
    const { data } = this.#past;
    const stretches = data?.kind === 'stretches' ? data : null;
    const slices = this.#live() ?? this.#found;
    const there = hit(axis, this.#rows, { x, y }, slices, stretches, page.run.nowNs);
    if (!there) return null;
    return {
      words: tellHit(lane, there),
      task: there.task,
      choose: (isByKey) => {
        chooseSlice(page, lane, there, isByKey);
      },
    };
  }

  walk(key: string, axis: Axis): string | null {
    if (!/^(Arrow(Up|Down)|Page(Up|Down)|Enter)$/.test(key)) return null;
    const { page, lane } = this.#of;
    const rows = this.#rows;
    if (key !== 'Enter') {
      const slices = this.#live() ?? this.#found;
      this.#spot = walk(key, this.#spot, rows.order, slices, page.window, lane.frame.nowNs);
    }
    const spot = this.#spot;
    if (!spot) return null;
    reveal(page.window, spot.ns);
    // The window may have moved to show it.
    const { fromNs, toNs } = page.window;
    const seen = { ...axis, fromNs, toNs };
    const there = this.at(seen, xOf(seen, spot.ns), rows.top[spot.cpu] ?? 0);
    if (key === 'Enter') there?.choose(true);
    return there?.words ?? '';
  }

  leaveKeys(): void {
    this.#spot = null;
  }
}
