/** The only source of time, in epoch milliseconds. Read once per operation and passed down. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
