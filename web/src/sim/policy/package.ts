/** The second package of the core, which has own policies. It is loaded when a lane first needs it. */

/** How a page gets it. */
export interface PolicyPackage {
  /** Why the page has none, as the core says what it refuses; null if it has one. */
  readonly missing: string | null;
  /** Whether they are being made behind the page: who loads it again later has them. */
  readonly isComing?: boolean;
  /** Loads it: workers that start from then on have it. What failed can be tried again. */
  load(): Promise<void>;
}

/** Of a page without it. */
export const noPolicies = (missing: string, isComing = false): PolicyPackage => ({
  missing,
  isComing,
  load: () => Promise.reject(new Error(missing)),
});
