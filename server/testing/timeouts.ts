/** On a machine with much else to do. */
export const LONG_TIMEOUT_MS = 20_000;
