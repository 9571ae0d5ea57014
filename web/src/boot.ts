/** Runs before the page: decides the language, and loads the program in that language, so that no other one is loaded. */
import { languageOf, withLanguage } from './lib/address-language';
import { LOCALE } from './lib/language';
import { beginAhead } from './spawn';
import { language, rememberLanguage } from './storage/language';
import './styles/fonts.css';
import { fetchFonts } from './view/fonts';

/** Moves a language that is in the fragment to where links keep it: `?lang=de`, outside of the fragment. */
function asked(): string | null {
  const { own, rest } = languageOf(location.search, location.hash);
  if (own !== null && rest !== null) history.replaceState(history.state, '', rest);
  return own;
}

/** Loads the page in its language. */
async function begin(): Promise<void> {
  const own = asked();
  const chosen = own ?? language() ?? 'en';
  const other = Object.hasOwn(__LANGUAGES__, chosen) ? __LANGUAGES__[chosen] : undefined;
  if (own === 'en') rememberLanguage(null);
  if (LOCALE !== 'en' || other === undefined) {
    document.documentElement.lang = LOCALE;
    beginAhead(location.hash);
    void fetchFonts();
    await import('./main');
    return;
  }
  document.documentElement.lang = chosen;
  // The language was chosen before, so links that are copied here contain it.
  if (own === null) history.replaceState(history.state, '', withLanguage(location.href, chosen));
  await import(/* @vite-ignore */ new URL(other, import.meta.url).href);
}

// A link to another language that is followed while the page is open.
addEventListener(
  'hashchange',
  (event) => {
    const { own, rest } = languageOf(location.search, location.hash);
    if (rest === null) return;
    history.replaceState(history.state, '', rest);
    if (own !== LOCALE) location.reload();
    event.stopImmediatePropagation();
  },
  { capture: true },
);

void begin();
