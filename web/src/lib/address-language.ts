/** The language in an address: `?lang=de`, outside of the fragment, so that a fragment is the same in every language. */

/** Two or three letters, as in BCP 47. */
const PART = /^lang=([a-z]{2,3})$/;

/** The language that an address names, and the address to go to if the language stood in the fragment; null for none. */
export function languageOf(
  search: string,
  hash: string,
): { readonly own: string | null; readonly rest: string | null } {
  const parts = hash.replace(/^#/, '').split('&');
  const inHash = parts.map((part) => PART.exec(part)?.[1]).find((found) => found !== undefined);
  const own = inHash ?? new URLSearchParams(search).get('lang');
  if (inHash === undefined) return { own, rest: null };
  const fragment = parts.filter((part) => !PART.test(part)).join('&');
  const query = new URLSearchParams(search);
  query.set('lang', inHash);
  return { own, rest: `?${query.toString()}${fragment === '' ? '' : `#${fragment}`}` };
}

/** An address with a language. English is the default and is left out. */
export function withLanguage(address: string, language: string): string {
  const url = new URL(address);
  if (language === 'en') url.searchParams.delete('lang');
  else url.searchParams.set('lang', language);
  return url.href;
}
