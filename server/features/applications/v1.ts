import { Me } from '#contract/accounts/me.ts';
import { RequestPage, RequestQuery } from '#contract/applications/monitoring.ts';
import { isOpenIdScope } from '#contract/scopes.ts';
import type { Accounts } from '#features/accounts/index.ts';
import { unauthenticated } from '#platform/errors.ts';
import type { Applications, V1 } from './index.ts';

/** The account that a credential acts as. */
export function meRoutes(v1: V1, accounts: Accounts): void {
  v1.get(
    '/v1/me',
    {
      access: { actors: ['bot', 'user'] },
      operationId: 'getMe',
      summary: 'Get the current account',
      description:
        'Returns the account that the credential acts as: the bot of an API key, the user of an access token.',
      tags: ['Identity'],
      reply: Me,
      message: 'this is who you act as',
    },
    async ({ actor }) => {
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
  );
}

/** The API log of an application, for its bot (an extension of the contract). */
export function requestLogRoutes(v1: V1, applications: Applications): void {
  v1.get(
    '/v1/requests',
    {
      access: { actors: ['bot'] },
      operationId: 'listRequests',
      summary: 'List API requests',
      description:
        'Returns the latest API requests of the application, the newest first: route, status, duration and error. ' +
        'No body, no token, no address.',
      tags: ['Logs'],
      query: RequestQuery,
      reply: RequestPage,
      message: 'API requests, newest first',
    },
    ({ actor, query }) => applications.listRequestsOf(actor.appId, query),
  );
}
