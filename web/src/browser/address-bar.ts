/** The address bar and its history. Without a page, as in tests, it only remembers what was written to it. */

/** Where there is no page. */
let alone = '';
const isPage = () => typeof location !== 'undefined';

/** The fragment of the address, without the `#`. */
export function fragment(): string {
  return isPage() ? location.hash.replace(/^#/, '') : alone;
}

/** The whole address of this page with another fragment; without one if none is given. */
export function addressOf(other = ''): string {
  const page = isPage() ? location.href.replace(/#.*$/, '') : '';
  return other === '' ? page : `${page}#${other}`;
}

/** Whether the address opens this page again. In a notebook it does so only while the notebook is open. */
export function isLasting(): boolean {
  return !addressOf().startsWith('blob:');
}

/** Where the state of the present entry is kept beside the history. */
const TAB = 'timeslice.tab';

/**
 * Keeps the state of an address for this tab. A browser that loads a tab again after its process was killed knows the
 * address, and no state of the history.
 */
function keepState(to: string, state: unknown): void {
  try {
    if (state !== null) sessionStorage.setItem(TAB, JSON.stringify({ to, state }));
    else sessionStorage.removeItem(TAB);
  } catch {
    // Refused: then only the history has it.
  }
}

/** The state that was kept so, if it is of this address; else null. */
function keptState(at: string): unknown {
  try {
    const { to, state } = JSON.parse(sessionStorage.getItem(TAB) ?? '') as Record<string, unknown>;
    return to === at ? (state ?? null) : null;
  } catch {
    return null;
  }
}

/** Writes a fragment in place of the present one. Throws where the browser refuses, as in sandboxed frames. */
export function replaceFragment(to: string, state: unknown = null): void {
  if (isPage()) {
    history.replaceState(state, '', `#${to}`);
    keepState(to, state);
  }
  alone = to;
}

/** Adds an entry with a fragment to the history, so that Back returns to the entry before. */
export function pushFragment(to: string): void {
  if (isPage()) history.pushState(null, '', `#${to}`);
  alone = to;
}

/** The state that was saved with the present entry. */
export function stateOfAddress(): unknown {
  return isPage() ? ((history.state as unknown) ?? keptState(fragment())) : null;
}

/**
 * Calls back when the reader goes to another fragment: by a link, by typing, or by Back. By then the page may have
 * written another one over it, so it is the event's own address that counts.
 */
export function onFragment(follow: (fragment: string) => void): void {
  addEventListener('hashchange', ({ newURL }) => {
    follow(/#(.*)$/s.exec(newURL)?.[1] ?? '');
  });
}

/** Leaves for another address of this page. Reloads even if only the part after the `#` differs. */
export function goTo(address: string): void {
  if (!isPage()) return;
  history.replaceState(null, '', address);
  location.reload();
}

/** Reloads the page. */
export function reload(): void {
  location.reload();
}
