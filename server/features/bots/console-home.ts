import type { ConsoleHome } from '#contract/applications/monitoring.ts';
import { LIMITS } from '#contract/limits.ts';
import { withoutAbsent } from '#platform/absent.ts';
import { findBots } from './queries.ts';
import type { BotDeps } from './service.ts';

const HOURS = 24;

/** The developer's start page: their own and their teams' applications with bots and the last day's activity. */
export async function showHome(
  { db, accounts, applications }: BotDeps,
  ownerId: string,
): Promise<ConsoleHome> {
  await applications.recorder.flush();
  const own = await applications.listOwn(ownerId);
  const all = [
    ...own.map((application) => ({ ...application, role: 'owner' as const })),
    ...(await applications.listTeam(ownerId)),
  ];
  const appIds = all.map(({ appId }) => appId);
  const [bots, keysUsed, hoursOf] = await Promise.all([
    findBots(db, appIds),
    applications.findKeysUsed(appIds),
    applications.findActivity(appIds, HOURS),
  ]);
  const botOf = new Map(bots.map((bot) => [bot.appId, bot]));
  const accountOf = await accounts.findByIds(bots.map(({ accountId }) => accountId));
  return {
    limit: LIMITS.applicationsPerAccount,
    used: own.length,
    applications: all.map((application) => {
      const { appId, name } = application;
      const [bot, keyLastUsedAt] = [botOf.get(appId), keysUsed.get(appId)];
      const pictureUrl = bot && accountOf.get(bot.accountId)?.pictureUrl;
      return {
        ...application,
        ...(bot && {
          bot: withoutAbsent({ userId: bot.accountId, name, username: bot.username, pictureUrl }),
        }),
        ...(keyLastUsedAt !== undefined && { keyLastUsedAt }),
        hours: hoursOf.get(appId) ?? [],
      };
    }),
  };
}
