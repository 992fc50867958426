import { UserInfo } from '#contract/oauth.ts';
import { findAccount } from '#features/accounts/service.ts';
import type { App } from '#platform/http/app.ts';
import type { Platform } from '#platform/platform.ts';
import { publicFileUrl } from '#platform/upload-links.ts';

/** Who the access token acts for (contract §4); it stands behind the door of the public API. */
export function userinfoRoutes(app: App, { db, config }: Pick<Platform, 'db' | 'config'>): void {
  app.get(
    '/oauth/userinfo',
    {
      config: { access: { actors: ['user'], scope: 'profile' } },
      schema: {
        operationId: 'readUserInfo',
        summary: 'Who consented',
        tags: ['OAuth'],
        response: { 200: UserInfo },
      },
    },
    async ({ actor: { accountId } }, reply) => {
      const account = await findAccount(db, accountId);
      const name = account?.name ?? '';
      const picture = account?.pictureUrl == null ? undefined : publicFileUrl(config, account.pictureUrl);
      reply.header('cache-control', 'no-store');
      return { sub: accountId, name, picture: picture ?? drawInitial(name) };
    },
  );
}

/** The contract promises a picture: somebody without one gets the first letter of the name, drawn. */
function drawInitial(name: string): string {
  const letter = Array.from(name.trim())[0]?.toUpperCase() ?? '';
  const escaped = letter.replace(/[<>&]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="#3b5b92"/>' +
    '<text x="48" y="50" fill="#fff" font-family="sans-serif" font-size="48" text-anchor="middle" ' +
    `dominant-baseline="central">${escaped}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
