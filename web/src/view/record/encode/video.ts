/**
 * Compresses pictures with the browser's encoder (WebCodecs). The pictures that it returns are counted: a film that
 * lacks one is refused.
 */
import { frameUs } from '../../../state/film/plan';
import { configOf, type FilmSize, type VideoFormat } from '../codecs';
import type { Colour, Encoder, Sample, Track } from './film-file';
import { mp4 } from './mp4';
import { webm, type WebmCodec } from './webm';

/** Seconds between key pictures, to which a player can jump. */
const KEY_EVERY_S = 2;
/** Most pictures that wait for the encoder; more only take memory. */
const MOST_WAITING = 4;

/** The browser's names, and their numbers in H.273. */
const PRIMARIES = new Map([
  ['bt709', 1],
  ['bt470bg', 5],
  ['smpte170m', 6],
]);
const TRANSFERS = new Map([
  ['bt709', 1],
  ['smpte170m', 6],
  ['iec61966-2-1', 13],
]);
const MATRICES = new Map([
  ['rgb', 0],
  ['bt709', 1],
  ['bt470bg', 5],
  ['smpte170m', 6],
]);
/** Nothing is said. */
const UNSPECIFIED = 2;

function colourOf(space: VideoColorSpaceInit | undefined): Colour {
  return {
    primaries: PRIMARIES.get(space?.primaries ?? '') ?? UNSPECIFIED,
    transfer: TRANSFERS.get(space?.transfer ?? '') ?? UNSPECIFIED,
    matrix: MATRICES.get(space?.matrix ?? '') ?? UNSPECIFIED,
    isFullRange: space?.fullRange === true,
  };
}

function bytesOf(source: AllowSharedBufferSource | undefined): Uint8Array<ArrayBuffer> {
  if (!source) return new Uint8Array();
  const view = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
  return Uint8Array.from(view);
}

/** See the module comment. */
export class VideoFilm implements Encoder {
  readonly #format: VideoFormat;
  readonly #codec: string;
  readonly #size: FilmSize;
  readonly #encoder: VideoEncoder;
  readonly #samples: Sample[] = [];
  #taken = 0;
  #config: VideoDecoderConfig | null = null;
  #error: Error | null = null;

  constructor(format: VideoFormat, codec: string, size: FilmSize) {
    this.#format = format;
    this.#codec = codec;
    this.#size = size;
    this.#encoder = new VideoEncoder({
      output: (chunk, more) => {
        if (more?.decoderConfig) this.#config = more.decoderConfig;
        const data = new Uint8Array(chunk.byteLength);
        chunk.copyTo(data);
        this.#samples.push({ data, atUs: chunk.timestamp, isKey: chunk.type === 'key' });
      },
      error: (error) => {
        this.#error = error;
      },
    });
    this.#encoder.configure(configOf(codec, size));
  }

  async add(canvas: HTMLCanvasElement): Promise<void> {
    const { fps } = this.#size;
    const timestamp = frameUs(this.#size, this.#taken);
    const duration = frameUs(this.#size, this.#taken + 1) - timestamp;
    const picture = new VideoFrame(canvas, { timestamp, duration });
    try {
      this.#check();
      this.#encoder.encode(picture, { keyFrame: this.#taken % (KEY_EVERY_S * fps) === 0 });
      this.#taken += 1;
    } finally {
      picture.close();
    }
    while (this.#encoder.encodeQueueSize > MOST_WAITING && !this.#error)
      await new Promise((resolve) => {
        this.#encoder.addEventListener('dequeue', resolve, { once: true });
      });
  }

  async finish(): Promise<Blob> {
    this.#check();
    await this.#encoder.flush();
    this.#check();
    const track = this.#track();
    if (this.#format === 'mp4') return mp4(track);
    const codec: WebmCodec = this.#codec === 'vp8' ? 'V_VP8' : 'V_VP9';
    return webm(track, codec);
  }

  close(): void {
    if (this.#encoder.state !== 'closed') this.#encoder.close();
  }

  #track(): Track {
    const samples = this.#samples;
    const isWhole =
      samples.length === this.#taken &&
      samples.every(({ atUs }, i) => atUs === frameUs(this.#size, i));
    if (!isWhole)
      throw new Error(
        `the browser's encoder gave back ${String(samples.length)} of ${String(this.#taken)} pictures, or not in their order`,
      );
    const { width, height, fps } = this.#size;
    const setup = bytesOf(this.#config?.description);
    return { width, height, fps, samples, setup, colour: colourOf(this.#config?.colorSpace) };
  }

  #check(): void {
    if (this.#error) throw this.#error;
  }
}
