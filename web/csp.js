// The Content-Security-Policy of the built page, as a meta element, because static hosts set no headers.

const common = {
  'default-src': ["'none'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'manifest-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'object-src': ["'none'"],
  'require-trusted-types-for': ["'script'"],
};

/** Of the page as files. */
export const pagePolicy = {
  ...common,
  'script-src': ["'self'", "'wasm-unsafe-eval'"],
  'worker-src': ["'self'", 'blob:'],
  'style-src': ["'self'"],
  'connect-src': ["'self'"],
  'trusted-types': ['svelte-trusted-html', 'app'],
};

/** The policy of the single-file page, from the hashes of its scripts and styles. */
export const singlePolicy = (scripts, styles) => ({
  ...common,
  'script-src': [...scripts, "'wasm-unsafe-eval'"],
  'worker-src': ['blob:'],
  'style-src': styles,
  // So are its fonts.
  'font-src': ['data:'],
  // Its WebAssembly is in data: addresses.
  'connect-src': ['data:'],
  'trusted-types': ['svelte-trusted-html', 'app', 'default'],
});

/** A policy as the text of the header. */
export const policyOf = (policy) =>
  Object.entries(policy)
    .map(([name, values]) => [name, ...values].join(' '))
    .join('; ');
