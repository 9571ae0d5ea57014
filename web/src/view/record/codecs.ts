/** The codecs with which a browser can compress pictures. */

/** File formats for which the browser can compress pictures. */
export type VideoFormat = 'mp4' | 'webm';

/** The size of a film in pixels (even numbers), and its pictures per second. */
export interface FilmSize {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
}

/** Codecs by file format, the most widely supported first. */
const CODECS: Readonly<Record<VideoFormat, readonly string[]>> = {
  // H.264, high, main and baseline profile, for up to 1920 × 1080 at 60 a second.
  mp4: ['avc1.64002a', 'avc1.4d002a', 'avc1.42002a'],
  webm: ['vp09.00.41.08', 'vp8'],
};

/** Bits per pixel: enough for sharp letters. */
const BITS = 0.2;

/** The configuration of the encoder. */
export function configOf(codec: string, { width, height, fps }: FilmSize): VideoEncoderConfig {
  return {
    codec,
    width,
    height,
    framerate: fps,
    bitrate: Math.round(width * height * fps * BITS),
    // In real time it might drop pictures.
    latencyMode: 'quality',
    // Each picture with its length, and the decoder's configuration separately.
    ...(codec.startsWith('avc1') ? { avc: { format: 'avc' } } : {}),
  };
}

/** The codec with which this browser makes such a file; null if it cannot. */
export async function codecFor(format: VideoFormat, size: FilmSize): Promise<string | null> {
  if (typeof VideoEncoder === 'undefined') return null;
  for (const codec of CODECS[format]) {
    // Browsers throw for codecs that they do not know.
    const answer = await VideoEncoder.isConfigSupported(configOf(codec, size)).catch(() => null);
    if (answer?.supported === true) return codec;
  }
  return null;
}
