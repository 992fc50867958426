import type { Database } from '#platform/database.ts';
import { invalidArgument, notFound } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import { type Guard, judgeForSaving } from '#platform/safe-fetch/guard.ts';
import { URL_FAULTS } from '#platform/safe-fetch/url.ts';
import type { ApplicationFollower } from './follower.ts';
import { updateName, updateRequestsPerMinute, updateWebhookUrl } from './queries.ts';
import { applicationNotFound, findOwnApplication, lockOwnApplication, type Owned } from './service.ts';

export async function renameApplication(
  db: Database,
  own: Owned,
  name: string,
  followers: readonly ApplicationFollower[],
): Promise<void> {
  await db.begin(async (tx) => {
    const { appId } = await lockOwnApplication(tx, own);
    await updateName(tx, appId, name);
    for (const follower of followers) await follower.renamed?.(tx, { appId, name });
  });
}

/**
 * The URL that events are posted to from the next attempt on. It is judged here and again at every connect.
 *
 * @throws ApiError 400 that says what is wrong with the URL
 */
export async function setWebhookUrl(
  { db, guard }: { db: Database; guard: Guard },
  own: Owned,
  webhookUrl: string,
  followers: readonly ApplicationFollower[],
): Promise<void> {
  // The name servers are not asked for strangers, and not inside the transaction.
  if (!(await findOwnApplication(db, own))) throw applicationNotFound();
  const judged = await judgeForSaving(guard, webhookUrl);
  if ('fault' in judged) throw invalidArgument('webhookUrl', URL_FAULTS[judged.fault]);
  await db.begin(async (tx) => {
    const { appId } = await lockOwnApplication(tx, own);
    await updateWebhookUrl(tx, appId, webhookUrl);
  });
  for (const follower of followers) await follower.afterReopening?.(own.appId);
}

export async function removeWebhookUrl(db: Database, own: Owned): Promise<void> {
  await db.begin(async (tx) => {
    const { appId } = await lockOwnApplication(tx, own);
    await updateWebhookUrl(tx, appId, null);
  });
}

/** The platform team's part: how many requests per minute each credential of the application may make per endpoint. */
export async function changeQuota(db: Database, appId: string, requestsPerMinute: number): Promise<void> {
  const isChanged =
    isId('app', appId) && (await db.begin((tx) => updateRequestsPerMinute(tx, appId, requestsPerMinute)));
  if (!isChanged) throw notFound(`there is no application ${appId}`);
}
