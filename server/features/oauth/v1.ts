import { UserInfo } from '#contract/oauth.ts';
import type { Accounts } from '#features/accounts/index.ts';
import { type Actor, scopeMissing, type V1 } from '#features/applications/index.ts';
import type { Platform } from '#platform/platform.ts';
import type { OAuth } from './index.ts';
import { findProfile, type PersonClaims } from './openid/claims.ts';

const SCOPE = 'profile';

/** The person for whom the access token acts (contract §4). */
export function userinfoRoutes(
  v1: V1,
  { accounts, config, oauth }: Pick<Platform, 'config'> & { accounts: Accounts; oauth: OAuth },
): void {
  v1.raw(
    '/oauth/userinfo',
    {
      // Every token of OpenID Connect is accepted, whatever its other scopes (Core §5.3).
      access: { actors: ['user'], scope: SCOPE, orScope: 'openid' },
      operationId: 'getUserInfo',
      summary: 'Get the user’s profile',
      description: 'Returns the id, name and picture of the user who consented, without an envelope.',
      tags: ['OAuth'],
      reply: UserInfo,
    },
    async ({ actor, reply }) => {
      reply.header('cache-control', 'no-store');
      if (actor.scopes.includes('openid')) {
        // An extension of the contract, whose schema knows other fields.
        reply.type('application/json; charset=utf-8').serializer(JSON.stringify);
        return tellOpenId(oauth, actor);
      }
      return { sub: actor.accountId, ...(await findProfile({ accounts, config }, actor.accountId)) };
    },
  );
}

/** @throws ApiError 403 if OpenID Connect was turned off and the token has no other scope */
async function tellOpenId(
  { openId }: OAuth,
  { appId, accountId, scopes }: Actor,
): Promise<PersonClaims & { sub: string }> {
  const isEnabled = await openId.isEnabled(appId);
  if (!isEnabled && !scopes.includes(SCOPE)) throw scopeMissing(SCOPE);
  const told = isEnabled ? scopes : scopes.filter((scope) => scope === SCOPE);
  return { sub: accountId, ...(await openId.findPersonClaims(accountId, told)) };
}
