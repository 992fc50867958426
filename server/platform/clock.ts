/** The only source of time, in epoch milliseconds. Read once per operation and passed down. */
export interface Clock {
  now(): number;
  /** For a clock that can be advanced: what is then due begins at once. */
  onAdvance?(listener: () => void): void;
}

export const systemClock: Clock = { now: () => Date.now() };
