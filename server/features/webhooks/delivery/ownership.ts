import { BUCKETS, bucketOf } from '#platform/ids.ts';

/** Applications by their buckets, the end excluded. */
export interface Range {
  from: number;
  to: number;
}

/** The applications for which a worker sends. */
export interface Ownership {
  /** In ascending order. */
  ranges(): readonly Range[];
  owns(appId: string): boolean;
}

/** For the only worker. */
export const EVERYTHING: Ownership = { ranges: () => [{ from: 0, to: BUCKETS }], owns: () => true };

/** The number of parts into which the buckets are divided, each with one worker. */
export const PARTS = 64;
const BUCKETS_PER_PART = BUCKETS / PARTS;

export function partOf(appId: string): number {
  return Math.floor(bucketOf(appId) / BUCKETS_PER_PART);
}

/** Adjacent parts are one range, since a claim costs a statement for each range. */
export function rangesOf(parts: ReadonlySet<number>): Range[] {
  const ranges: Range[] = [];
  for (let part = 0; part < PARTS; part++) {
    if (!parts.has(part)) continue;
    const [from, to] = [part * BUCKETS_PER_PART, (part + 1) * BUCKETS_PER_PART];
    const last = ranges.at(-1);
    if (last?.to === from) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges;
}
