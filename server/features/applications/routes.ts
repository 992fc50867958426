import { Success } from '#contract/envelope.ts';
import { Me } from '#contract/me.ts';
import { findAccount } from '#features/accounts/service.ts';
import { unauthenticated } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';

export function meRoutes(app: App, { db, clock }: Pick<Platform, 'db' | 'clock'>): void {
  app.get(
    '/v1/me',
    {
      config: { access: { actors: ['bot', 'user'] } },
      schema: {
        operationId: 'getMe',
        summary: 'Get the current account',
        description:
          'Returns the account that the credential acts as: the bot of an API key, the user of an access token.',
        tags: ['Identity'],
        response: { 200: Success(Me) },
      },
    },
    async ({ actor }) => {
      const account = await findAccount(db, actor.accountId);
      if (!account || account.deletedAt !== null)
        throw unauthenticated('the account of this credential is deleted');
      return success(clock.now(), 'this is who you act as', {
        userId: account.accountId,
        // The name of a person is what the scope `profile` is for (contract §5.3).
        ...((actor.kind === 'bot' || actor.scopes.includes('profile')) && { name: account.name }),
        isBot: account.isBot,
        ...(account.username !== null && { username: account.username }),
        appId: actor.appId,
        scopes: [...actor.scopes],
      });
    },
  );
}
