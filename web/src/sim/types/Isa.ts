// Generated from the core; do not edit.

/**
 * Instruction set.
 */
export type Isa = "amd64" | "sparc64" | "arm64";
