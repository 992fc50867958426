/** For a heavily loaded machine. */
export const LONG_TIMEOUT_MS = 20_000;
