/** Whether the page is built as one file that opens without a server. */
declare const __SINGLE_FILE__: boolean;
