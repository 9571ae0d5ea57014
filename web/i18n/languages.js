// Languages of the page. Without a package: set-up installs those, and the scripts before it read this.

/** The language of the tests; it is made, not translated. */
export const PSEUDO = 'en-XA';

/** Languages of the page beside English, by what they call themselves. */
export const LANGUAGES = { de: 'Deutsch' };
