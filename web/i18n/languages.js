// Languages of the page. Imports no package, as scripts read this before set-up installs any.

/** The pseudo-language of the tests, made from English. */
export const PSEUDO = 'en-XA';

/** Languages of the page besides English, by their own names. */
export const LANGUAGES = { de: 'Deutsch' };
