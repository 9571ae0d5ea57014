/** The part of `gifenc` that is used; the package brings no types. */
declare module 'gifenc' {
  interface FrameOptions {
    /** Up to 256 colours; without it, the palette of the first picture applies. */
    readonly palette?: readonly (readonly number[])[];
    /** How long it is shown, in ms. */
    readonly delay?: number;
    /** 0: again and again. */
    readonly repeat?: number;
    readonly dispose?: number;
    readonly transparent?: boolean;
    readonly transparentIndex?: number;
  }

  interface Encoder {
    writeFrame(index: Uint8Array, width: number, height: number, options: FrameOptions): void;
    finish(): void;
    bytes(): Uint8Array;
  }

  export function GIFEncoder(): Encoder;
}
