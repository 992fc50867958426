import { UserInfo } from '#contract/oauth.ts';
import { findAccount } from '#features/accounts/service.ts';
import type { App } from '#platform/http/app.ts';
import type { Platform } from '#platform/platform.ts';
import { publicFileUrl } from '#platform/upload-links.ts';
import { initialUrl } from './initials.ts';

/** Who the access token acts for (contract §4); it stands behind the door of the public API. */
export function userinfoRoutes(app: App, { db, config }: Pick<Platform, 'db' | 'config'>): void {
  app.get(
    '/oauth/userinfo',
    {
      config: { access: { actors: ['user'], scope: 'profile' } },
      schema: {
        operationId: 'readUserInfo',
        summary: 'Get the user’s profile',
        description: 'Returns the id, name and picture of the user who consented, without an envelope.',
        tags: ['OAuth'],
        response: { 200: UserInfo },
      },
    },
    async ({ actor: { accountId } }, reply) => {
      const account = await findAccount(db, accountId);
      const name = account?.name ?? '';
      const { pictureUrl } = account ?? {};
      const picture =
        pictureUrl == null ? initialUrl(config, name) : new URL(publicFileUrl(config, pictureUrl)).href;
      reply.header('cache-control', 'no-store');
      return { sub: accountId, name, picture };
    },
  );
}
