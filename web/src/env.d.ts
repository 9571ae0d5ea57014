/** Whether the page is built as one file that opens without a server. */
declare const __SINGLE_FILE__: boolean;
/** The language that the page is built for: `en`, `de`, or `en-XA` in tests. */
declare const __LOCALE__: string;
/** Where the page begins in other languages, beside the file that asks. */
declare const __LANGUAGES__: Readonly<Record<string, string>>;
