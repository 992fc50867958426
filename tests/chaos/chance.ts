/** The random choices of a scenario. */
export function oneOf<T>(all: readonly T[]): T {
  return all[Math.floor(Math.random() * all.length)] as T;
}

export function isHeads(): boolean {
  return Math.random() < 0.5;
}
