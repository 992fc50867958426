/** The closed list of error codes that an answer can contain (contract §7). */
export const ERROR_CODES = [
  'invalid-argument',
  'failed-precondition',
  'unauthenticated',
  'permission-denied',
  'not-found',
  'already-exists',
  'RATE_LIMIT_EXCEEDED',
  'resource-exhausted',
  'INTERNAL_ERROR',
] as const;

/** One code of {@link ERROR_CODES} (contract §7). */
export type ErrorCode = (typeof ERROR_CODES)[number];
