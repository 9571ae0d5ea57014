/** What the page hands to the editor of a program, which may not be open yet: a place to go to, or a file. */

/** A place in the program of a lane: a mistake, or the line that stopped it. */
export interface ProgramPlace {
  readonly lane: number;
  readonly line: number;
  readonly column: number;
}

/** A program from a file, for a lane. */
export interface OfferedProgram {
  readonly lane: number;
  readonly text: string;
}

/** See the module comment. */
export class PolicyPlace {
  wanted = $state.raw<ProgramPlace | null>(null);
  offered = $state.raw<OfferedProgram | null>(null);

  /** The place for the editor of a lane, once. */
  takePlace(lane: number): ProgramPlace | null {
    const { wanted } = this;
    if (wanted?.lane !== lane) return null;
    this.wanted = null;
    return wanted;
  }

  /** The program for the editor of a lane, once. */
  takeProgram(lane: number): string | null {
    const { offered } = this;
    if (offered?.lane !== lane) return null;
    this.offered = null;
    return offered.text;
  }
}
