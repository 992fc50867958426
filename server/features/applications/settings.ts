import { invalidArgument } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { checkForSaving } from '#platform/safe-fetch/guard.ts';
import { hasWebhookUrl, storeWebhookUrl } from './addresses.ts';
import { recordAudit } from './audit/record.ts';
import type { ApplicationHook, OperatorApplicationDeps } from './deps.ts';
import { updateName, updateRequestsPerMinute, updateWebhookUrl } from './queries.ts';
import {
  lockAnyApplication,
  lockOwnApplication,
  noSuchApplication,
  type Owned,
  requireOwnApplication,
} from './service.ts';

export async function renameApplication(
  deps: Platform,
  own: Owned,
  name: string,
  hooks: readonly ApplicationHook[],
): Promise<void> {
  const isRenamed = await deps.db.begin(async (tx) => {
    const application = await lockOwnApplication(tx, own);
    const { appId, name: from } = application;
    if (from === name) return false;
    await recordAudit(tx, deps, own, 'application.renamed', { from, to: name });
    await updateName(tx, application, name);
    for (const hook of hooks) await hook.renamed?.(tx, { appId, name });
    return true;
  });
  if (isRenamed) await Promise.all(hooks.map((hook) => hook.afterRenaming?.(own.appId)));
}

/**
 * Sets the URL that events are posted to from the next attempt on. It is checked here and again at every connection.
 *
 * @throws ApiError 400 that says what is wrong with the URL
 */
export async function setWebhookUrl(
  deps: Platform,
  own: Owned,
  webhookUrl: string,
  hooks: readonly ApplicationHook[],
): Promise<void> {
  const { db, guard, clock } = deps;
  // Checked first, so that strangers trigger no DNS queries; and DNS is not queried inside the transaction.
  await requireOwnApplication(db, own);
  const checked = await checkForSaving(guard, webhookUrl);
  if ('fault' in checked) {
    const { fault } = checked;
    throw invalidArgument('webhookUrl', fault === 'scheme' ? 'webhook-url-scheme' : `url-${fault}`);
  }
  await db.begin(async (tx) => {
    const application = await lockOwnApplication(tx, own);
    await recordAudit(tx, deps, own, 'webhook-url.set', { host: new URL(webhookUrl).host });
    await updateWebhookUrl(tx, application, storeWebhookUrl(deps.keyring, own.appId, webhookUrl));
    for (const hook of hooks) await hook.retargeted?.(tx, { ...application, at: clock.now() });
  });
  for (const hook of hooks) await hook.afterReopening?.(own.appId);
}

export async function removeWebhookUrl(
  deps: Platform,
  own: Owned,
  hooks: readonly ApplicationHook[],
): Promise<void> {
  await deps.db.begin(async (tx) => {
    const application = await lockOwnApplication(tx, own);
    if (!hasWebhookUrl(application)) return;
    await recordAudit(tx, deps, own, 'webhook-url.removed');
    await updateWebhookUrl(tx, application, storeWebhookUrl(deps.keyring, own.appId, null));
    for (const hook of hooks) await hook.retargeted?.(tx, { ...application, at: deps.clock.now() });
  });
}

/** For operators: how many requests per minute each kind of credential may make per endpoint. @returns how many it was */
export async function changeQuota(
  deps: OperatorApplicationDeps,
  appId: string,
  requestsPerMinute: number,
): Promise<number> {
  return deps.db.begin(async (tx) => {
    const application = await lockAnyApplication(tx, appId);
    if (application.state === 'deleted') throw noSuchApplication(appId);
    const { requestsPerMinute: from } = application;
    if (from === requestsPerMinute) return from;
    await updateRequestsPerMinute(tx, application, requestsPerMinute);
    await recordAudit(tx, deps, { appId }, 'quota.changed', { from, to: requestsPerMinute });
    return from;
  });
}
