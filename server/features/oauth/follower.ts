import type { ApplicationFollower } from '#features/applications/follower.ts';
import { selectApplicationGrants } from './connection-queries.ts';
import { endGrants } from './queries.ts';

/** A deleted application's codes and tokens are revoked (contract §3). */
export const oauthFollower: ApplicationFollower = {
  async deleted(tx, { appId, at }) {
    const families = await selectApplicationGrants(tx, appId);
    await endGrants(tx, families, { at, reason: 'application-deleted' });
  },
};
