/** The only source of time, in epoch milliseconds. Read once per operation and passed down. */
export interface Clock {
  now(): number;
  /** For a clock that can be advanced: before that and after it, the listeners do what is due, one after the other. */
  onAdvance?(doWhatIsDue: () => Promise<void>): void;
}

export const systemClock: Clock = { now: () => Date.now() };
