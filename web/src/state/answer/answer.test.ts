import { beforeAll, describe, expect, it } from 'vitest';
import { Frame, FrameSchema } from '../../sim/frame';
import { Host } from '../../sim/host';
import { normal, realCore } from '../../sim/test-core';
import type { Scenario } from '../../sim/types/Scenario';
import { countOf, percentOf, ratioOf, timeOf } from '../../lib/amount';
import { idle, openLab } from '../test-lab';
import { shareBars } from './bars';
import { answerLine, areEqual } from './line';
import { type MeasuredLane, measureOf, MEASURES } from './measures';
import { askingOf, type Facts, ruleOf } from './rule';
import { fairOf, mainLoss, shareOf, workOf } from './shares';

const host = new Host(realCore, {
  clock: () => performance.now(),
  breathe: () => Promise.resolve(),
  alive: () => undefined,
});

/** The lanes of a scenario at a time, as the page has them. */
async function lanesOf(scenario: Scenario, at: number): Promise<readonly MeasuredLane[]> {
  const result = await host.configure({ scenario, at });
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  const { moment, tree } = result;
  return moment.lanes.map(({ frame, metrics, names, present }, l) => {
    if (!names || !present) throw new Error('a new lane tells its names and its present');
    return {
      calm: new Frame(new FrameSchema(host.catalog, scenario.schedulers[l]?.id ?? ''), frame),
      names,
      present,
      tree,
      metric: (id) => metrics[host.catalog.metrics.findIndex((m) => m.id === id)] ?? Number.NaN,
    };
  });
}

/** Hogs on the eight CPUs of a Core i7 860. */
const hogs = (count: number, more: object = {}) =>
  normal({
    version: 1,
    name: 'hogs',
    machine: 'i7860',
    schedulers: [{ id: 'ule' }, { id: 'bfs' }],
    groups: [{ name: 'hog', count, behaviour: { kind: 'compute' }, startSpacingNs: 0 }],
    background: { daemons: {} },
    end: { atNs: 60e9 },
    ...more,
  });

const NO_FACTS: Facts = {
  sleeps: false,
  hasDeadlines: false,
  cores: 4,
  threads: 9,
  shares: true,
};

describe('amounts', () => {
  it('have three significant digits at most, thin spaces and a real minus', () => {
    const text = ({ number, unit }: { number: string; unit: string }) => `${number}|${unit}`;
    expect(text(percentOf(0.6949))).toBe('69|%');
    expect(text(percentOf(0.0042))).toBe('0.4|%');
    expect(text(percentOf(-0.18))).toBe('−18|%');
    expect(text(percentOf(Number.NaN))).toBe('–|');
    expect(text(timeOf(15_712_345_678))).toBe('15.7|s');
    expect(text(timeOf(560))).toBe('560|ns');
    expect(text(timeOf(3_940))).toBe('3.94|µs');
    expect(text(timeOf(999_999_999))).toBe('1.00|s');
    expect(text(countOf(11_809))).toBe('11\u202f809|');
    expect(text(ratioOf(3.966))).toBe('3.97|×');
    expect(text(ratioOf(-0.28))).toBe('−0.28|×');
  });
});

describe('the rule for the question', () => {
  it('asks the question that fits the run', () => {
    const of = (scenario: Scenario, facts: Partial<Facts> = {}) =>
      ruleOf(scenario, { ...NO_FACTS, ...facts }).measure;
    expect(of(hogs(9))).toBe('leastShare');
    expect(of(hogs(4), { threads: 4 })).toBe('throughput');
    expect(of(hogs(4), { threads: 4, shares: false })).toBe('leastShare');
    expect(of(hogs(9), { sleeps: true })).toBe('longestWait');
    // Who has deadlines sleeps between them, and a hog beside it is another kind of thread.
    expect(of(hogs(9), { sleeps: true, hasDeadlines: true })).toBe('missedDeadlines');
    expect(of(hogs(9, { end: { atNs: 60e9, whenAllExited: true } }))).toBe('lastExit');
    const [group] = hogs(1).groups;
    const two = normal({ ...hogs(1), groups: [group, { ...group, name: 'nice', nice: 10 }] });
    expect(ruleOf(two, NO_FACTS)).toEqual({ measure: 'share', of: 'hog' });
    expect(of(two, { hasDeadlines: true })).toBe('missedDeadlines');
  });

  it('yields to the scenario, and both yield to the reader', () => {
    const own = { ...hogs(9), ask: 'Who moves?', answer: { measure: 'moves' } } as Scenario;
    expect(askingOf(own, NO_FACTS, {})).toMatchObject({ question: 'Who moves?', by: 'scenario' });
    const chosen = askingOf(own, NO_FACTS, { measure: 'leastShare', price: 'switches' });
    expect(chosen.by).toBe('reader');
    expect(chosen.question).toBe(measureOf('leastShare').question(''));
    expect(chosen.price.id).toBe('switches');
  });

  it('keeps the measure of four jobs for three, and gives it up for nine, which fill every core', () => {
    const left = {
      ...hogs(9),
      ask: '',
      answer: { measure: 'throughput', price: 'moves' },
    } as const;
    expect(askingOf(left, { ...NO_FACTS, threads: 3 }, {}).measure.id).toBe('throughput');
    expect(askingOf(left, NO_FACTS, {})).toMatchObject({
      by: 'rule',
      measure: { id: 'leastShare' },
    });
    expect(askingOf({ ...left, ask: 'Why?' }, NO_FACTS, {}).by).toBe('scenario');
  });

  it('finds a question for every shipped scenario', () => {
    for (const { scenario } of host.catalog.scenarios) {
      const asking = askingOf(scenario, NO_FACTS, {});
      expect(asking.question.endsWith('?'), scenario.name).toBe(true);
      expect(asking.question.length, asking.question).toBeLessThanOrEqual(60);
    }
  });
});

describe('the longest wait', () => {
  it('is that of the group or the thread which the scenario asks about', async () => {
    const typing = normal({
      ...hogs(9),
      groups: [
        { name: 'hog', count: 9, behaviour: { kind: 'compute' }, allowed: [0] },
        { name: 'typist', count: 1, behaviour: { kind: 'interactive' }, allowed: [1] },
      ],
      answer: { measure: 'longestWait', of: 'typist' },
    });
    const asking = askingOf(typing, NO_FACTS, {});
    expect(asking.of).toBe('typist');
    const [lane] = await lanesOf(typing, 3e9);
    if (!lane) throw new Error('no lane');
    const read = (of: string) => asking.measure.read(lane, of);
    // The typist has a CPU for itself; the hogs wait for each other.
    expect(read('').value).toBeGreaterThan(50e6);
    expect(read('hog').value).toBe(read('').value);
    expect(read('typist')).toMatchObject({ about: 'typist' });
    expect(read('typist').value).toBeLessThan(10e6);
    expect(read('typist-1').value).toBe(read('typist').value);
    expect(read('nobody').value).toBeNaN();
    // A reader who chooses the measure by hand gets that of all.
    expect(askingOf(hogs(9), NO_FACTS, { measure: 'longestWait' }).of).toBe('');
  });
});

describe('CPUs idle while others wait', () => {
  it('count only where the waiting threads may run', async () => {
    const pinned = (allowed: number[]) =>
      normal({
        ...hogs(2),
        groups: [{ name: 'hog', count: 16, behaviour: { kind: 'compute' }, allowed }],
      });
    const wasted = async (allowed: number[]) => {
      const [lane] = await lanesOf(pinned(allowed), 3e9);
      if (!lane) throw new Error('no lane');
      return measureOf('idleWhileWaiting').read(lane, '').value;
    };
    // Sixteen hogs on four CPUs: four others are idle, and no hog may go there.
    expect(await wasted([0, 1, 2, 3])).toBeLessThan(0.1);
  });
});

describe('the longest wait', () => {
  it('names who waits, where it asks about all', async () => {
    const { read } = measureOf('longestWait');
    for (const lane of await lanesOf(hogs(9), 3e9)) {
      const { value, about } = read(lane, '');
      const waits = lane.calm.task('longestWaitNs');
      expect(waits[lane.names.tasks.indexOf(about)]).toBe(value);
      expect(Math.max(...waits)).toBe(value);
    }
  });
});

describe('missed deadlines', () => {
  const PLAYER = { kind: 'script', params: { program: 'run 15ms; every 16ms; repeat' } };
  const playing = (hogCount: number) =>
    normal({
      ...hogs(hogCount),
      groups: [
        { name: 'player', count: 1, behaviour: PLAYER, allowed: [0] },
        { name: 'hog', count: hogCount, behaviour: { kind: 'compute' }, allowed: [0] },
      ],
    });

  it('are a part of all deadlines: ULE runs who sleeps first, BFS shares', async () => {
    const lanes = await lanesOf(playing(3), 3e9);
    const [ule, bfs] = lanes.map((lane) => measureOf('missedDeadlines').read(lane, '').value);
    expect(ule).toBe(0);
    expect(bfs).toBeGreaterThan(0.9);
    for (const lane of await lanesOf(hogs(3), 1e9))
      expect(measureOf('missedDeadlines').read(lane, '').value).toBeNaN();
  });

  it('can be the answer of a scenario, before any thread has a deadline', async () => {
    const lab = await openLab('s.bfs-smt');
    const ask = 'How many deadlines does each scheduler miss?';
    const answer = { measure: 'missedDeadlines', price: 'moves' } as const;
    expect(await lab.openScenario({ ...playing(3), ask, answer }, 'given')).toBe(true);
    expect(lab.answer.asking).toMatchObject({ question: ask, by: 'scenario' });
    expect(lab.answer.asking?.measure.id).toBe('missedDeadlines');
  });

  it('are asked about from the first deadline on', async () => {
    const lab = await openLab('s.bfs-smt');
    expect(await lab.openScenario(playing(3), 'given')).toBe(true);
    await lab.playback.seek(2e9);
    await idle(lab);
    expect(lab.answer.asking?.measure.id).toBe('missedDeadlines');
    // It stays where there is none yet; another run has none.
    await lab.playback.seek(0);
    await idle(lab);
    expect(lab.answer.asking?.measure.id).toBe('missedDeadlines');
    expect(await lab.openScenario(hogs(9), 'given')).toBe(true);
    expect(lab.answer.asking?.measure.id).toBe('leastShare');
  });
});

describe('the line', () => {
  let nine: readonly MeasuredLane[] = [];
  beforeAll(async () => {
    nine = await lanesOf(hogs(9), 3e9);
  });

  it('shows the unluckiest thread of each lane, the worst lane, the difference and the fair share', () => {
    const line = answerLine(askingOf(hogs(9), NO_FACTS, {}), nine);
    for (const [i, lane] of nine.entries()) {
      const frame = lane.calm;
      const parts = lane.names.tasks.flatMap((name, t) => {
        if (lane.names.groups[lane.names.taskGroup[t] ?? -1]?.background !== false) return [];
        const [run = 0, wait = 0, sleep = 0] = ['runNs', 'waitNs', 'sleepNs'].map(
          (id) => frame.task(id)[t] ?? 0,
        );
        return [{ name, share: run / (run + wait + sleep) }];
      });
      const least = parts.reduce((a, b) => (b.share < a.share ? b : a));
      expect(line.lanes[i]?.about).toBe(least.name);
      expect(line.lanes[i]?.amount).toEqual(percentOf(least.share));
    }
    // ULE leaves two threads on one CPU for longer than BFS does.
    expect(line.lanes.map((l) => l.isWorst)).toEqual([true, false]);
    expect(line.difference?.unit).toBe('points');
    expect(line.difference?.number.startsWith('−')).toBe(true);
    expect(line.fair).toBe('Fair would be 8 CPUs / 9 threads = 89 %.');
    expect(line.price).toHaveLength(2);
  });

  it('gives equal numbers equal colours', () => {
    const asking = askingOf(hogs(9), NO_FACTS, {});
    const colours = (...of: readonly number[]) => {
      let at = 0;
      const read = () => ({ value: of[at++] ?? NaN, about: '' });
      const [lane] = nine;
      if (!lane) throw new Error('no lane');
      const { lanes } = answerLine(
        { ...asking, better: 'higher', measure: { ...asking.measure, read } },
        of.map(() => lane),
      );
      return lanes.map((l) => [l.amount.number, l.isWorst]);
    };
    expect(colours(0.9955, 1, 0.987)).toEqual([
      ['100', false],
      ['100', false],
      ['99', true],
    ]);
    expect(colours(0.4, 0.402, 0.6)).toEqual([
      ['40', true],
      ['40', true],
      ['60', false],
    ]);
  });

  it('shows no difference between equal lanes, nor among three lanes', () => {
    const [lane] = nine;
    if (!lane) throw new Error('no lane');
    const asking = askingOf(hogs(9), NO_FACTS, {});
    expect(answerLine(asking, [lane, lane]).difference).toEqual({
      number: 'no',
      unit: 'difference',
    });
    expect(answerLine(asking, [lane, lane]).lanes.some((l) => l.isWorst)).toBe(false);
    expect(answerLine(asking, [...nine, lane]).difference).toBeNull();
    expect(answerLine(asking, [lane]).difference).toBeNull();
    expect(areEqual(0.5, 0.509, true)).toBe(true);
    expect(areEqual(0, 0.009, true)).toBe(false);
    expect(areEqual(0, 0.0009, true)).toBe(true);
    expect(areEqual(100, 102, false)).toBe(false);
  });

  it('says in words what the number counts, and that it does not know one yet', async () => {
    const four = { ...hogs(4), answer: { measure: 'throughput', fair: 4 } } as Scenario;
    const lanes = await lanesOf(four, 0);
    const line = answerLine(askingOf(four, { ...NO_FACTS, threads: 4 }, {}), lanes);
    expect(line.fair).toBe('Fair: as much work as 4 free cores.');
    expect(line.lanes[0]?.about).toBe('not yet');
    const later = answerLine(
      askingOf(four, { ...NO_FACTS, threads: 4 }, {}),
      await lanesOf(four, 1e9),
    );
    expect(later.lanes[0]?.about).toBe('');
  });

  it('reads every measure of every lane without throwing', () => {
    for (const measure of MEASURES)
      for (const lane of nine) measure.show(measure.read(lane, 'hog').value);
  });

  it('counts threads on cores', () => {
    const reading = measureOf('fullestCore').read(nine[0] as MeasuredLane, '');
    expect(reading.value).toBe(3);
    expect(reading.about).toMatch(/^core \d$/);
  });
});

describe('share bars', () => {
  it('are sorted, and keep their order while no bar may move', async () => {
    const [lane] = await lanesOf(hogs(9), 3e9);
    if (!lane) throw new Error('no lane');
    const { above, band, fair } = shareBars(lane);
    expect(band).toBeNull();
    expect(above).toHaveLength(9);
    above.slice(1).forEach((bar, i) => {
      expect(bar.share).toBeLessThanOrEqual((above[i]?.share ?? 0) + 0.005);
    });
    expect(above.filter((bar) => bar.isWorst)).toHaveLength(1);
    expect(fair).toBeCloseTo(8 / 9, 9);
    const backwards = above.map((bar) => bar.task).reverse();
    expect(shareBars(lane, backwards, false).above.map((bar) => bar.task)).toEqual(backwards);
  });

  it('of many threads show the best, the worst, and a band of the others', async () => {
    const [lane] = await lanesOf(hogs(40), 2e9);
    if (!lane) throw new Error('no lane');
    const { above, band, below } = shareBars(lane);
    expect([above.length, band?.threads, below.length]).toEqual([3, 32, 5]);
    const last = above.at(-1)?.share ?? 0;
    expect(band?.most).toBeLessThanOrEqual(last);
    expect(below[0]?.share).toBeLessThanOrEqual(band?.least ?? 0);
  });

  it('of work done add up to the number of the answer, and say what took the rest', async () => {
    const [lane] = await lanesOf(hogs(6), 1e9);
    if (!lane) throw new Error('no lane');
    const { above } = shareBars(lane, [], true, true);
    const sum = above.reduce((total, bar) => total + bar.share, 0);
    expect(sum).toBeCloseTo(measureOf('throughput').read(lane, '').value, 2);
    expect(sum).toBeLessThan(5.5);
    const worst = above.find((bar) => bar.isWorst)?.task ?? -1;
    expect(lane.calm.schema.causes[mainLoss(lane.calm, worst)]).toBe('sibling');
    expect(workOf(lane, worst)).toBeLessThan(shareOf(lane, worst));
  });

  it('have no fair mark where threads are not meant to get equal shares', async () => {
    const [group] = hogs(2).groups;
    const unlike = normal({ ...hogs(2), groups: [group, { ...group, name: 'nice', nice: 10 }] });
    const [lane] = await lanesOf(unlike, 1e9);
    expect(lane && fairOf(lane)).toBeNull();
  });
});
