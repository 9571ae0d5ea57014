/** What the judge says of claims and figures, in the language of the page. Only those who look at replications load its words. */
import { TABLE } from '../locales/claims-table';

/** Words of the judge; those that nobody translated stay English. */
export const claimWords = (english: string): string =>
  Object.hasOwn(TABLE, english) ? (TABLE[english] ?? english) : english;
