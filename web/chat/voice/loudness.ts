/** The number of bars of a voice message. */
const BARS = 56;

/** The waveform of a recording, from 0 to 100: the peak level of each part, relative to the overall peak. */
export function waveformOf(levels: readonly number[], bars = BARS): number[] {
  const loudest = Math.max(...levels, Number.EPSILON);
  const count = Math.min(bars, levels.length);
  return Array.from({ length: count }, (_, i) => {
    const part = levels.slice(
      Math.floor((i * levels.length) / count),
      Math.floor(((i + 1) * levels.length) / count),
    );
    return Math.round((Math.max(...part) / loudest) * 100);
  });
}

/** The root mean square of samples between -1 and 1. */
export function levelOf(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / (samples.length || 1));
}
