/**
 * Every shipped scenario, also those of lessons, tells one story: its question, its number and its opening agree, and after Play the moment
 * and the number come while somebody still looks.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Scenario } from '../../sim/types/Scenario';
import { idle, openLab } from '../../state/test-lab';
import { leadToMoments } from './leading';

/** Drawn time between two pictures. */
const FRAME_MS = 100;
/** Drawn time in which the first moment and the first number come. */
const MOMENT_MS = 10_000;
const NUMBER_MS = 20_000;

const SCENARIOS = `${import.meta.dirname}/../../../../scenarios`;

/** The files, which may be newer than the package. */
const scenarios = ['experiments', 'lessons/scenarios'].flatMap((folder) =>
  readdirSync(`${SCENARIOS}/${folder}`).map((file) => {
    const text = readFileSync(`${SCENARIOS}/${folder}/${file}`, 'utf8');
    return { id: file.replace('.json', ''), scenario: JSON.parse(text) as Scenario };
  }),
);

let drawnMs = 0;
/** Whether the run still answers: a picture waits for it, however slow the computer is. */
let isBusy = () => false;
beforeEach(() => {
  drawnMs = 0;
  vi.stubGlobal('requestAnimationFrame', (paint: (ms: number) => void) => {
    const draw = () => {
      if (isBusy()) {
        setTimeout(draw);
        return;
      }
      drawnMs += FRAME_MS;
      paint(drawnMs);
    };
    setTimeout(draw);
    return 1;
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** Drawn ms from Play to the first announced moment and to the first number of all lanes; null if they do not come. */
async function played(scenario: Scenario) {
  const lab = await openLab('s.bfs-smt');
  expect(await lab.openScenario(scenario, 'given')).toBe(true);
  lab.prefs.reducedMotion = false;
  for (const lane of lab.run.lanes) lab.moment.sees(lane.index, () => []);
  const stopLeading = leadToMoments(lab);
  const isKnown = () => {
    const { asking } = lab.answer;
    return lab.run.lanes.every((lane) => {
      // Numbers follow pictures a few times in a second of real time, which drawn time does not wait for.
      lane.tell();
      const value = asking?.measure.read(lane, asking.of).value ?? Number.NaN;
      // A thread that the question names may never wait.
      const mayBeNothing = asking?.fair === 0 || asking?.of !== '';
      return Number.isFinite(value) && (value > 0 || mayBeNothing);
    });
  };
  let [moment, number]: (number | null)[] = [null, null];
  isBusy = () => lab.playback.isPlaying && lab.run.pending > 0;
  const from = drawnMs;
  await new Promise<void>((resolve) => {
    const stop = lab.playback.paintWith(() => {
      const ms = drawnMs - from;
      if (moment === null && lab.moment.sight) moment = ms;
      if (number === null && isKnown()) number = ms;
      const isDone = moment !== null && number !== null;
      if (!isDone && ms < NUMBER_MS && (ms === 0 || lab.playback.isPlaying)) return false;
      stop();
      resolve();
      return false;
    });
    lab.playback.play();
  });
  lab.playback.pause();
  stopLeading();
  isBusy = () => false;
  // The last measures of a run come when it has ended.
  await idle(lab);
  if (number === null && drawnMs - from < NUMBER_MS && isKnown()) number = drawnMs - from;
  return { moment, number };
}

describe('after Play', { timeout: 240_000 }, () => {
  it.each(scenarios)('$id shows its moment and its number soon', async ({ scenario }) => {
    const { moment, number } = await played(scenario);
    // The moment of a run of one thread is its end, which the number tells.
    const isItsEnd = scenario.moments?.every((kind) => kind === 'exit') === true;
    expect((isItsEnd ? number : moment) ?? Infinity, 'the moment').toBeLessThanOrEqual(MOMENT_MS);
    expect(number ?? Infinity, 'the number').toBeLessThanOrEqual(NUMBER_MS);
  });
});
