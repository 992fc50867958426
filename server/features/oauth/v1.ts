import { V1 } from '#contract/api/v1.ts';
import type { Accounts } from '#features/accounts/index.ts';
import { type Actor, scopeMissing } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import type { OAuth } from './index.ts';
import { findProfile, type PersonClaims } from './openid/claims.ts';

const SCOPE = 'profile';

/** The person for whom the access token acts (contract §4). */
export function userinfoRoutes({
  accounts,
  config,
  oauth,
}: Pick<Platform, 'config'> & { accounts: Accounts; oauth: OAuth }) {
  return [
    serve(V1, {
      'GET /oauth/userinfo': async ({ actor, reply }) => {
        reply.header('cache-control', 'no-store');
        if (actor.scopes.includes('openid')) {
          // An extension of the contract, whose schema knows other fields.
          reply.type('application/json; charset=utf-8').serializer(JSON.stringify);
          return tellOpenId(oauth, actor);
        }
        return { sub: actor.accountId, ...(await findProfile({ accounts, config }, actor.accountId)) };
      },
    }),
  ];
}

/** @throws ApiError 403 if OpenID Connect was turned off and the token has no other scope */
async function tellOpenId(
  { openId }: OAuth,
  { appId, accountId, scopes }: Actor,
): Promise<PersonClaims & { sub: string }> {
  const isEnabled = await openId.isEnabled(appId);
  if (!isEnabled && !scopes.includes(SCOPE)) throw scopeMissing(SCOPE, 'user');
  const told = isEnabled ? scopes : scopes.filter((scope) => scope === SCOPE);
  return { sub: accountId, ...(await openId.findPersonClaims(accountId, told)) };
}
