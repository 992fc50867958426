import { callAuth } from '../api.ts';
import { queriesBy } from '../parts/query.ts';

/** A query about the person's own account. */
export const { query: accountQuery } = queriesBy(callAuth, () => ['account']);

/** The providers with which the person is connected, and whether they have a password. */
export const identitiesQuery = accountQuery('GET /identities');

export const passkeysQuery = accountQuery('GET /passkeys');

export const twoFactorQuery = accountQuery('GET /two-factor');
