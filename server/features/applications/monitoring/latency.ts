/** Upper bounds in milliseconds; one more bucket counts anything slower. */
const BOUNDS_MS = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 2000, 5000, 10_000,
];

/** A histogram of durations: small, and two can be added bucket by bucket. */
export function emptyLatencies(): number[] {
  return new Array<number>(BOUNDS_MS.length + 1).fill(0);
}

export function countLatency(latencies: number[], ms: number): void {
  let i = 0;
  while (i < BOUNDS_MS.length && ms > (BOUNDS_MS[i] as number)) i++;
  latencies[i] = (latencies[i] as number) + 1;
}

export function addLatencies(sum: number[], latencies: readonly number[]): void {
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (latencies[i] ?? 0);
}

/** The percentile for this share, by linear interpolation; undefined without durations. */
export function percentileMs(latencies: readonly number[], share: number): number | undefined {
  const total = latencies.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  const wanted = total * share;
  let before = 0;
  for (const [i, count] of latencies.entries()) {
    if (before + count >= wanted && count > 0) {
      const from = BOUNDS_MS[i - 1] ?? 0;
      const to = BOUNDS_MS[i] ?? from;
      return Math.round((from + ((to - from) * (wanted - before)) / count) * 10) / 10;
    }
    before += count;
  }
  return BOUNDS_MS.at(-1);
}
