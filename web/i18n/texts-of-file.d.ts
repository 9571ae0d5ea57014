export function textsOfFile(filename: string): Promise<string[]>;
