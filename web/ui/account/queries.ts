import { callAuth } from '../api.ts';
import { changeBy } from '../parts/change.ts';
import { accountQuery } from '../session/means.ts';

export const profileQuery = { ...accountQuery('GET /profile'), staleTime: 60_000 };

export const sessionsQuery = accountQuery('GET /sessions');

/** The prefix of all queries about the person’s own account. */
export const accountKey = ['account'];
export const accountKeys = [accountKey];

/** Such a change by an endpoint. */
export const useAccountChange = changeBy(callAuth, () => accountKeys);
