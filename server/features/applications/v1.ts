import { V1 } from '#contract/api/v1.ts';
import { isOpenIdScope } from '#contract/scopes.ts';
import { unauthenticated } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import type { ApplicationDeps } from './deps.ts';
import { listRequestsOf } from './monitoring/api-log.ts';

/** The account that a credential acts as. */
export function meRoutes({ accounts }: ApplicationDeps) {
  return [
    serve(V1, {
      'GET /v1/me': async ({ actor }) => {
        const account = await accounts.find(actor.accountId);
        if (!account || account.deletedAt !== null) throw unauthenticated('credential.account-deleted');
        return {
          userId: account.accountId,
          // The name of a person requires the scope `profile` (contract §5.3).
          ...((actor.kind === 'bot' || actor.scopes.includes('profile')) && { name: account.name }),
          isBot: account.isBot,
          ...(account.username !== null && { username: account.username }),
          appId: actor.appId,
          scopes: actor.scopes.filter((scope) => !isOpenIdScope(scope)),
        };
      },
    }),
  ];
}

/** The API log of an application, for its bot (an extension of the contract). */
export function requestLogRoutes(deps: ApplicationDeps) {
  return [
    serve(V1, {
      'GET /v1/requests': ({ actor, query }) => listRequestsOf(deps, actor.appId, query),
    }),
  ];
}
