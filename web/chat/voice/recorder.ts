import { levelOf } from './loudness.ts';

/**
 * The format that bots expect by the contract (M4A) first, then the one that every browser except Safari
 * records.
 */
const FORMATS = [
  { type: 'audio/mp4;codecs=mp4a.40.2', ending: 'm4a' },
  { type: 'audio/webm;codecs=opus', ending: 'webm' },
  { type: 'audio/mp4', ending: 'm4a' },
  { type: 'audio/ogg;codecs=opus', ending: 'ogg' },
];
/** Enough for speech; an hour stays below the size limit of an audio file. */
const BITS_PER_SECOND = 32_000;
export const LONGEST_MS = 60 * 60_000;
const LEVEL_EVERY_MS = 50;

/** A recording from the microphone, started when the person grants access. */
export class Recorder implements Disposable {
  /** The level, every 50 ms. */
  readonly levels: number[] = [];
  readonly #stream: MediaStream;
  readonly #context = new AudioContext();
  readonly #recorder: MediaRecorder;
  readonly #chunks: Blob[] = [];
  readonly #format: (typeof FORMATS)[number];
  readonly #listening: ReturnType<typeof setInterval>;
  readonly #startedAt = performance.now();

  /** @param onLevel called with each new level */
  constructor(stream: MediaStream, onLevel: () => void) {
    this.#stream = stream;
    const format = FORMATS.find(({ type }) => MediaRecorder.isTypeSupported(type));
    if (!format) throw new DOMException('no known format', 'NotSupportedError');
    this.#format = format;
    this.#recorder = new MediaRecorder(stream, {
      mimeType: format.type,
      audioBitsPerSecond: BITS_PER_SECOND,
    });
    this.#recorder.ondataavailable = ({ data }) => this.#chunks.push(data);
    const analyser = this.#context.createAnalyser();
    this.#context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    this.#listening = setInterval(() => {
      analyser.getFloatTimeDomainData(samples);
      this.levels.push(levelOf(samples));
      onLevel();
    }, LEVEL_EVERY_MS);
    this.#recorder.start();
  }

  get durationMs(): number {
    return Math.round(performance.now() - this.#startedAt);
  }

  /** Stops the recording and returns it. */
  async finish(): Promise<{ file: File; durationMs: number }> {
    const { durationMs } = this;
    const stopped = new Promise((resolve) =>
      this.#recorder.addEventListener('stop', resolve, { once: true }),
    );
    this.#recorder.stop();
    await stopped;
    this[Symbol.dispose]();
    const { type, ending } = this.#format;
    const file = new File(this.#chunks, `voice.${ending}`, { type: type.split(';', 1)[0] ?? type });
    return { file, durationMs };
  }

  /** Releases the microphone; an unfinished recording is discarded. */
  [Symbol.dispose](): void {
    clearInterval(this.#listening);
    if (this.#recorder.state !== 'inactive') this.#recorder.stop();
    for (const track of this.#stream.getTracks()) track.stop();
    void this.#context.close().catch(() => undefined);
  }
}
