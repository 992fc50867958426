import { V1 } from '#contract/api/v1.ts';
import { type Actor, scopeMissing } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import type { OAuthDeps } from './deps.ts';
import { findPersonClaims, findProfile, type PersonClaims } from './openid/claims.ts';

const SCOPE = 'profile';

/** The person for whom the access token acts (contract §4). */
export function userinfoRoutes(deps: OAuthDeps) {
  return [
    serve(V1, {
      'GET /oauth/userinfo': async ({ actor, reply }) => {
        reply.header('cache-control', 'no-store');
        if (actor.scopes.includes('openid')) {
          // An extension of the contract, whose schema knows other fields.
          reply.type('application/json; charset=utf-8').serializer(JSON.stringify);
          return tellOpenId(deps, actor);
        }
        return { sub: actor.accountId, ...(await findProfile(deps, actor.accountId)) };
      },
    }),
  ];
}

/** @throws ApiError 403 if OpenID Connect was turned off and the token has no other scope */
async function tellOpenId(
  deps: OAuthDeps,
  { appId, accountId, scopes }: Actor,
): Promise<PersonClaims & { sub: string }> {
  const isEnabled = await deps.applications.hasExtension(appId, 'openid');
  if (!isEnabled && !scopes.includes(SCOPE)) throw scopeMissing(SCOPE, 'user');
  const told = isEnabled ? scopes : scopes.filter((scope) => scope === SCOPE);
  return { sub: accountId, ...(await findPersonClaims(deps, accountId, told)) };
}
