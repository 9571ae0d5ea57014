/** Whether the page is built as a single file that opens without a server. */
declare const __SINGLE_FILE__: boolean;
/** Whether a service worker lies beside the page: not beside a single file, nor beside the first page of `npm start`. */
declare const __SERVICE_WORKER__: boolean;
/** The language that the page is built for: `en`, `de`, or `en-XA` in tests. */
declare const __LOCALE__: string;
/** Entries of the page in other languages, relative to the importing file. */
declare const __LANGUAGES__: Readonly<Record<string, string>>;
/** The package with own policies, relative to the page; null where it was not built. */
declare const __POLICIES__: string | null;
/** The first answers of the core, as files beside the page; null where the build recorded none. */
declare const __FIRST__: {
  readonly catalog: string;
  readonly scenarios: Readonly<Record<string, string>>;
} | null;
