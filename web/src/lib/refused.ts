/** An error in the words of the page, which begin with a verb: `is longer than 8 kB`. Those of browsers have other words. */
export class Refused extends Error {}
