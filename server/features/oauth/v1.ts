import { UserInfo } from '#contract/oauth.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { V1 } from '#features/applications/index.ts';
import type { Platform } from '#platform/platform.ts';
import { publicFileUrl } from '#platform/upload-links.ts';
import { initialUrl } from './initials.ts';

/** Who the access token acts for (contract §4). */
export function userinfoRoutes(
  v1: V1,
  { accounts, config }: Pick<Platform, 'config'> & { accounts: Accounts },
): void {
  v1.raw(
    '/oauth/userinfo',
    {
      access: { actors: ['user'], scope: 'profile' },
      operationId: 'getUserInfo',
      summary: 'Get the user’s profile',
      description: 'Returns the id, name and picture of the user who consented, without an envelope.',
      tags: ['OAuth'],
      reply: UserInfo,
    },
    async ({ actor: { accountId }, reply }) => {
      const account = await accounts.find(accountId);
      const name = account?.name ?? '';
      const { pictureUrl } = account ?? {};
      const picture =
        pictureUrl == null ? initialUrl(config, name) : new URL(publicFileUrl(config, pictureUrl)).href;
      reply.header('cache-control', 'no-store');
      return { sub: accountId, name, picture };
    },
  );
}
