import { LIMITS } from '#contract/limits.ts';
import { type ConsoleHome, USAGE_SPANS } from '#contract/monitoring.ts';
import { findHours, findKeysUsed, sumByStart } from '#features/applications/monitoring/usage.ts';
import { listApplications } from '#features/applications/service.ts';
import type { Platform } from '#platform/platform.ts';
import { findBots } from './queries.ts';

const HOURS = 24;

/** Everything that an owner sees first: the applications, their bots, and what they did in the last day. */
export async function showHome(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  ownerId: string,
): Promise<ConsoleHome> {
  const applications = await listApplications(db, ownerId);
  const appIds = applications.map(({ appId }) => appId);
  const { ms } = USAGE_SPANS.hour;
  const now = clock.now();
  const since = now - (now % ms) - (HOURS - 1) * ms;
  const [bots, keysUsed, hoursOf] = await Promise.all([
    findBots(db, appIds),
    findKeysUsed(db, appIds),
    findHours(db, appIds, { since }),
  ]);
  const botOf = new Map(bots.map((bot) => [bot.appId, bot]));
  return {
    limit: LIMITS.applicationsPerAccount,
    used: applications.length,
    applications: applications.map((application) => {
      const { appId, name } = application;
      const [bot, keyLastUsedAt] = [botOf.get(appId), keysUsed.get(appId)];
      const rows = hoursOf.get(appId) ?? [];
      const spans = { since, ms, count: HOURS };
      const calls = sumByStart(
        rows.filter(({ caller }) => caller !== 'webhook'),
        spans,
      );
      const deliveries = sumByStart(
        rows.filter(({ caller }) => caller === 'webhook'),
        spans,
      );
      return {
        ...application,
        ...(bot && { bot: { userId: bot.accountId, name, username: bot.username } }),
        ...(keyLastUsedAt !== undefined && { keyLastUsedAt }),
        hours: calls.map(({ startedAt, requests, clientErrors, serverErrors }, i) => ({
          startedAt,
          requests,
          errors: clientErrors + serverErrors,
          deliveries: deliveries[i]?.requests ?? 0,
          failedDeliveries: deliveries[i]?.serverErrors ?? 0,
        })),
      };
    }),
  };
}
