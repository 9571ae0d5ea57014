/**
 * Addresses of scripts, and the one text that becomes markup. The built page allows only what passes here (Trusted Types):
 * files that came with it, code that it made itself as a blob, and worksheets, which the core has written and escaped.
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

/** The address, unless it leads elsewhere. */
export function ownScript(url: string, base: string): string {
  const { protocol, origin } = new URL(url, base);
  // A page from file:// has the origin `null`, and then only blobs are its own.
  if (protocol === 'blob:' || (origin !== 'null' && origin === new URL(base).origin)) return url;
  throw new TypeError(`not a script of this page: ${url}`);
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
const rules = { createScriptURL: (url: string) => ownScript(url, location.href) };
const policy = factory?.createPolicy('app', { ...rules, createHTML: (text) => text });

/** The address of a script of this page, for `Worker` and service workers. */
export function scriptUrl(url: string): string {
  return (policy ? policy.createScriptURL(url) : ownScript(url, location.href)) as string;
}

/** Lets code that others generated (an inlined worker) start workers from blobs. */
export function trustOwnBlobs(): void {
  factory?.createPolicy('default', rules);
}

/** A worksheet of the core as a document of its own, in which no script runs. */
export function sheetDocument(html: string): Document {
  const trusted = (policy ? policy.createHTML(html) : html) as string;
  return new DOMParser().parseFromString(trusted, 'text/html');
}
