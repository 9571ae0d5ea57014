/** The reasons of decisions, from the files beside the code that decides (`web/reasons.js`). */
declare module 'virtual:reasons/names' {
  /** Who decides a move. */
  export type Mover = 'wake' | 'pick' | 'steal' | 'balance' | 'forced' | 'random' | 'other';

  /** What pictures and cards need of a reason. */
  export interface ReasonNames {
    readonly mover?: Mover;
    /** For a refusal: the operand that names the CPU where a thread goes on waiting. */
    readonly waitsOn?: string;
    /** A change that a card offers: a tunable, and the operand whose value it gets. */
    readonly try?: { readonly tunable: string; readonly to: string };
  }

  /** By scheduler and reason. */
  const names: Readonly<Record<string, Readonly<Record<string, ReasonNames>>>>;
  export default names;
}

declare module 'virtual:reasons/texts' {
  /** What readers are told of a reason. */
  export interface ReasonTexts {
    readonly sentence: string;
    readonly formula?: string;
    readonly deviation?: string;
  }

  /** By scheduler and reason. */
  const texts: Readonly<Record<string, Readonly<Record<string, ReasonTexts>>>>;
  export default texts;
}
