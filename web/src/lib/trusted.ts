/**
 * Addresses of scripts, and the only text that becomes markup. The built page allows only what this file passes
 * (Trusted Types): its own files, blobs of code that it made, and worksheets, which the core has written and escaped.
 */

interface Rules {
  createScriptURL: (url: string) => string;
  createHTML?: (text: string) => string;
}

interface Policy {
  createScriptURL(url: string): unknown;
  createHTML(text: string): unknown;
}

interface Factory {
  createPolicy(name: string, rules: Rules): Policy;
}

/** The address, or an error if it leads to another site. */
export function ownScript(url: string, base: string): string {
  const { protocol, origin } = new URL(url, base);
  // A page from file:// has the origin `null`, and then only blobs are its own.
  if (protocol === 'blob:' || (origin !== 'null' && origin === new URL(base).origin)) return url;
  throw new TypeError(`not a script of this page: ${url}`);
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
const rules = { createScriptURL: (url: string) => ownScript(url, location.href) };
let made: Policy | undefined;

/** Made when it is needed: the page allows it once, and the start of another language loads this file a second time. */
const policy = (): Policy | undefined =>
  (made ??= factory?.createPolicy('app', { ...rules, createHTML: (text) => text }));

/** The address of a script of this page, for `Worker` and service workers. */
export function scriptUrl(url: string): string {
  return (policy()?.createScriptURL(url) ?? ownScript(url, location.href)) as string;
}

/** Allows generated code (an inlined worker) to start workers from blobs. */
export function trustOwnBlobs(): void {
  factory?.createPolicy('default', rules);
}

/** A worksheet of the core as a separate document, in which no script runs. */
export function sheetDocument(html: string): Document {
  const trusted = (policy()?.createHTML(html) ?? html) as string;
  return new DOMParser().parseFromString(trusted, 'text/html');
}
