/** A text in the pseudo-language. */
export function pseudo(text: string): string;
/** An element of a compiled catalog in the pseudo-language. */
export function pseudoItem(item: unknown): unknown;
