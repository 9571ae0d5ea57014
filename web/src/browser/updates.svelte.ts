/**
 * The page without a network, and its new versions. A service worker keeps every file of the page. A new version
 * waits until the user asks for it; it is not offered while time runs.
 */
import { scriptUrl } from '../lib/trusted';

/** The part of the page that a new version must know before it replaces it. */
interface Page {
  readonly playback: { readonly isPlaying: boolean };
  readonly notices: {
    show(kind: 'info', text: string, action: { label: string; run: () => void }): void;
  };
  readonly kept: { keep(): Promise<void> };
  readonly address: { update(): Promise<void> };
}

/** Registers the service worker and offers new versions. */
export async function keepUpToDate(page: Page): Promise<void> {
  if (!import.meta.env.PROD || !__SERVICE_WORKER__ || !('serviceWorker' in navigator)) return;
  const { Workbox } = await import('workbox-window');
  const workbox = new Workbox(scriptUrl('./sw.js'));
  let isAsked = false;
  let isOffered = false;
  const offer = () => {
    // The first version of a visit replaces none. A page in a folder above may have a worker of its own.
    const own = new URL('./sw.js', location.href).href;
    if (isOffered || navigator.serviceWorker.controller?.scriptURL !== own) return;
    isOffered = true;
    $effect.root(() => {
      let isShown = false;
      $effect(() => {
        if (isShown || page.playback.isPlaying) return;
        isShown = true;
        page.notices.show('info', 'A new version of Timeslice is ready.', {
          label: 'Update',
          run: () => {
            isAsked = true;
            void page.kept.keep().then(() => {
              workbox.messageSkipWaiting();
            });
          },
        });
      });
    });
  };
  workbox.addEventListener('waiting', offer);
  workbox.addEventListener('controlling', () => {
    // Another tab may have asked for it; this one goes on with the files that it has loaded.
    if (isAsked) void page.address.update().then(() => location.reload());
  });
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
