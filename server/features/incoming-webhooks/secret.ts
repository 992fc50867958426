import { secretKind } from '#platform/crypto/random-secrets.ts';

/** The secret in the address of an incoming webhook: begins with the application's id; 192 random bits follow. */
export const { make: makeSecret, parse: parseSecret } = secretKind('xih_', 'app', 24);
