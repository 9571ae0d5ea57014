/** Start of the page: creates the state, mounts the view, opens the link. */
import { mount } from 'svelte';
import App from './App.svelte';
import { must } from './lib/assert';
import { policies, recordings, spawn, spawnLesson, spawnSweep, spawnTrace } from './spawn';
import { followChanges } from './state/answer/since.svelte';
import { Lab } from './state/lab.svelte';
import { fragment, onFragment } from './browser/address-bar';
import { offerPort } from './browser/parent-page';
import { keepUpToDate, tellMissing } from './browser/updates.svelte';
import { loadFonts } from './view/fonts';
import { fetchPanels } from './view/shell/panels';
import { type MachineRects, stageRects } from './view/machine/rects';
import { allPainted, unpainted } from './view/painted';
import './styles/tokens.css';
import './styles/base.css';
import './styles/print.css';

const lab = new Lab(spawn, spawnSweep, spawnLesson, policies, recordings, spawnTrace);

declare global {
  interface Window {
    /** For tests and for curious people at the console. */
    __sim: {
      /** Resolves when nothing plays, no request is open, and everything is drawn; rejects if the page cannot start. */
      whenIdle(): Promise<void>;
      /** Digest of each lane at the present time. */
      digests(): (string | null)[];
      /** Digests of every shipped scenario, run to its end in its own worker (JSON). */
      shippedDigests(): Promise<string>;
      /** Opens a scenario given as JSON. */
      open(scenario: string): Promise<void>;
      /** Goes to a time. */
      seek(ns: number): Promise<void>;
      /** Simulated time. */
      nowNs(): number;
      /** Breaks the core as a bug in it would: it panics, or takes memory until there is no more. */
      fail(how: 'panic' | 'memory'): void;
      /** The last painted places of slots and threads of each machine, and the words of its lines. */
      stageRects(): readonly MachineRects[];
      /** The canvases of a part of the page that do not show the present yet, with reasons. */
      unpainted(part: Element): readonly string[];
      /** Beginning and end of the timelines, in ns. */
      seen(): readonly [number, number];
      /** Main-thread cost of the last pictures in ms. */
      costs(): readonly number[];
    };
  }
}

/** Checks twice in a row, so that work that begins in between is noticed. */
async function whenIdle(): Promise<void> {
  for (let calm = 0; calm < 2;) {
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    });
    await Promise.resolve();
    // Callers must learn that the page will not start.
    if (lab.run.status === 'failed') throw new Error('the simulation could not be started');
    // At Start nothing has to run, but the core is loaded.
    const isThere = lab.places.isStart
      ? lab.run.catalog !== null
      : lab.config !== null && lab.run.status === 'ready';
    const isCalm =
      isThere && lab.playback.isIdle && lab.lessons.isIdle && !lab.address.isDue && !lab.kept.isDue;
    calm = isCalm ? calm + 1 : 0;
    if (!isCalm) await new Promise((resolve) => setTimeout(resolve, 4));
  }
}

window.__sim = {
  whenIdle,
  digests: () => lab.run.lanes.map((lane) => lane.digest),
  shippedDigests: () => lab.run.shippedDigests(),
  open: async (scenario) => {
    await lab.openScenario(JSON.parse(scenario), 'given');
  },
  seek: (ns) => lab.playback.seek(ns),
  nowNs: () => lab.run.nowNs,
  fail: (how) => void lab.run.fail(how === 'memory').catch(() => undefined),
  stageRects,
  unpainted,
  seen: () => [lab.window.fromNs, lab.window.toNs],
  costs: () => lab.playback.costs,
};

const target = must(document.getElementById('app'), 'the element #app');
// Removes the message for a program that never arrives.
target.replaceChildren();
mount(App, { target, props: { lab } });
lab.address.follow();
lab.kept.follow();
tellMissing(lab);
followChanges(lab);
lab.answer.follow();
onFragment((to) => void lab.address.followHash(to));
const letters = loadFonts(() => {
  lab.playback.redraw();
});
/** The page around an embedded page can send it messages. */
async function openEmbedPort(): Promise<void> {
  if (!lab.isGuest) return;
  const { EmbedPort } = await import('./state/embed/embed.svelte');
  offerPort((port) => new EmbedPort(lab, port));
}

// The first picture goes before what nobody has asked for yet.
void lab
  .start(fragment(), letters)
  .then(() => Promise.allSettled([openEmbedPort(), lab.kept.wake(), allPainted()]))
  // What is missing of it is told when it is needed.
  .then(() => Promise.allSettled([fetchPanels(), keepUpToDate(lab)]));
