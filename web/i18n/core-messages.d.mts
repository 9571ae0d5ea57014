/** Sentences that workers say. */
export const OF_WORKERS: readonly string[];
/** The sentences of some Rust, with numbered places. */
export function messagesOf(rust: string): string[];
/** All sentences that the core says of what it refuses. */
export function coreMessages(): string[];
/** Those in the list. */
export function knownCoreMessages(): string[];
