import { createHash } from 'node:crypto';

/** Random choices that a seed determines. */
export interface Chance {
  /** At least 0, and less than 1. */
  fraction(): number;
  /** A whole number, both bounds included. */
  between(least: number, most: number): number;
  oneOf<T>(all: readonly T[]): T;
  isHeads(): boolean;
  /** Of further choices, which do not depend on how many are taken from this. */
  seed(): number;
}

/** The generator mulberry32; equal seeds give equal choices on every machine. */
export function createChance(seed: number | string): Chance {
  let state = createHash('sha256').update(String(seed)).digest().readUInt32LE();
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const fraction = () => next() / 2 ** 32;
  return {
    fraction,
    between: (least, most) => least + Math.floor(fraction() * (most - least + 1)),
    oneOf: <T>(all: readonly T[]) => all[Math.floor(fraction() * all.length)] as T,
    isHeads: () => fraction() < 0.5,
    seed: next,
  };
}
