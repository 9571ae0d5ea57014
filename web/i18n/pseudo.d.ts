/** A text in the made language. */
export function pseudo(text: string): string;
/** An element of a compiled catalog in it. */
export function pseudoItem(item: unknown): unknown;
