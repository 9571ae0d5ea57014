/**
 * The page without a network, and its new versions. A service worker keeps every file of the page. A new version
 * waits until the user asks for it; it is not offered while time runs.
 */
import { scriptUrl } from '../lib/trusted';
import { fragment, reload } from './address-bar';
import { onMissing, type WhyMissing } from './missing';

/** The part of the page that a new version must know before it replaces it. */
interface Page {
  readonly playback: { readonly isPlaying: boolean };
  readonly notices: {
    show(
      kind: 'info' | 'warning',
      text: string,
      action: { label: string; run: () => void } | null,
    ): void;
  };
  readonly kept: {
    readonly isUnwritten: boolean;
    /** Saves answers in a lesson that are not written; null if there are none. */
    readonly saveAnswers: (() => void) | null;
    keep(): Promise<void>;
  };
  readonly address: { update(): Promise<void> };
  readonly work: { save(): void };
}

/** Why a part is missing, and the name of the button that loads the page anew. */
export const WHY_MISSING: Readonly<Record<WhyMissing, { text: string; label: string }>> = {
  newer: {
    text: 'A new version of Timeslice is there, and this tab still shows the old one.',
    label: 'Update',
  },
  network: { text: 'Is the network there?', label: 'Reload' },
  file: { text: 'The host of the page does not have it.', label: 'Reload' },
};

const ownWorker = (): string => new URL('./sw.js', location.href).href;

/** The new version that waits, after looking for one; null if there is none. */
async function waitingWorker(): Promise<ServiceWorker | null> {
  // A page in a folder above may have a worker of its own.
  const registrations = await navigator.serviceWorker.getRegistrations();
  const own = registrations.find(({ scope }) => scope === new URL('./', location.href).href);
  if (!own) return null;
  if (!own.waiting) await own.update();
  const { installing } = own;
  if (installing)
    await new Promise((resolve) => {
      installing.addEventListener('statechange', resolve, { once: true });
    });
  return own.waiting;
}

/** Lets the version that waits take the place of the old one; resolves when it has. */
async function takeNewest(): Promise<void> {
  try {
    const waiting = await waitingWorker();
    if (!waiting) return;
    const isOver = new Promise<void>((resolve) => {
      waiting.addEventListener('statechange', ({ target }) => {
        if (/^activated|redundant$/.test((target as ServiceWorker).state)) resolve();
      });
    });
    waiting.postMessage({ type: 'SKIP_WAITING' });
    await isOver;
  } catch {
    // No service worker here, or no network: what is there is loaded.
  }
}

/**
 * Writes what is due, and loads the page anew in its newest version. Another tab may have brought that here already:
 * then nothing waits, and loading is enough.
 */
export async function renew(page: Page): Promise<void> {
  await Promise.allSettled([page.kept.keep(), page.address.update()]);
  const { saveAnswers } = page.kept;
  const isLarge = page.kept.isUnwritten && /(^|&)kept=/.test(fragment());
  if (isLarge || saveAnswers) {
    const save = () => {
      if (isLarge) page.work.save();
      saveAnswers?.();
    };
    page.notices.show(
      'warning',
      isLarge
        ? 'This work is not kept, and it is too large for a link. Save it as a file before the page is loaded anew.'
        : 'Your answers in lessons are not kept. Save them as a file before the page is loaded anew.',
      { label: 'Save as a file', run: save },
    );
    return;
  }
  await takeNewest();
  reload();
}

/** Says when a part of the page did not arrive, and why. */
export function tellMissing(page: Page): void {
  onMissing((why) => {
    const { text, label } = WHY_MISSING[why];
    page.notices.show('warning', `A part of the page could not be loaded. ${text}`, {
      label,
      run: () => void renew(page),
    });
  });
}

/** Registers the service worker and offers new versions. */
export async function keepUpToDate(page: Page): Promise<void> {
  if (!import.meta.env.PROD || !__SERVICE_WORKER__ || !('serviceWorker' in navigator)) return;
  const { Workbox } = await import('workbox-window');
  const workbox = new Workbox(scriptUrl('./sw.js'));
  let isOffered = false;
  const offer = () => {
    // The first version of a visit replaces none. A page in a folder above may have a worker of its own.
    if (isOffered || navigator.serviceWorker.controller?.scriptURL !== ownWorker()) return;
    isOffered = true;
    $effect.root(() => {
      let isShown = false;
      $effect(() => {
        if (isShown || page.playback.isPlaying) return;
        isShown = true;
        page.notices.show('info', 'A new version of Timeslice is ready.', {
          label: 'Update',
          run: () => void renew(page),
        });
      });
    });
  };
  workbox.addEventListener('waiting', offer);
  try {
    const registration = await workbox.register();
    // The browser may have found it before this listener was added.
    const coming = registration?.installing;
    coming?.addEventListener('statechange', () => {
      if (registration?.waiting) offer();
    });
  } catch {
    // The browser refused it (private window, frame, no https): the page works as long as there is a network.
  }
}
