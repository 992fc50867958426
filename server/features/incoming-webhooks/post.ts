import { say } from '#contract/reasons.ts';
import type { Client } from '#features/applications/index.ts';
import { ApiError, permissionDenied } from '#platform/errors.ts';
import type { IncomingWebhookDeps } from './deps.ts';
import { findWebhookBySecret, updateLastUsed, type WebhookRow } from './queries.ts';
import type { Posted } from './render/render.ts';
import { renderPosted } from './render/render.ts';
import { parseSecret } from './secret.ts';

/** How outdated "last used" may be, so that most posts write only the message. */
const USE_NOTED_MS = 60_000;

/** The webhook that a request addresses, and the application whose bot posts. */
export interface Addressed {
  webhook: WebhookRow;
  client: Client;
}

/** Undefined if the address does not exist or the owner has incoming webhooks switched off. */
export async function findAddressed(
  { db, applications }: IncomingWebhookDeps,
  secret: string,
): Promise<Addressed | undefined> {
  const asked = parseSecret(secret);
  const webhook = asked && (await findWebhookBySecret(db, asked));
  if (!webhook || !(await applications.hasExtension(webhook.appId, 'incoming_webhooks'))) return undefined;
  const [client] = await applications.findClients([webhook.appId]);
  return client && { webhook, client };
}

/** @throws ApiError 403 for an application that is not active */
export function admitPost({ client: { state } }: Addressed): void {
  if (state !== 'active') throw permissionDenied('application.not-active', { state });
}

/**
 * The bot sends the posted content to the group, under the rules for all its messages.
 *
 * @throws ApiError 400 if it has nothing to show; 403, 404 as for any message
 */
export async function postToGroup(
  deps: IncomingWebhookDeps,
  { webhook }: Addressed,
  { posted, gitHubEvent }: { posted: Posted; gitHubEvent: string | undefined },
): Promise<void> {
  const content = renderPosted(posted, gitHubEvent);
  if (content === '') throw new ApiError(400, 'invalid-argument', say('incoming-webhook.no-text'));
  const accountId = await deps.bots.findAccountId(webhook.appId);
  if (accountId === undefined) throw permissionDenied('group.not-a-member');
  await deps.messages.sendToGroup(
    { kind: 'bot', accountId },
    { groupId: webhook.groupId, type: 'text', content },
    { id: deps.newId('msg'), isResumed: false },
  );
  await noteUse(deps, webhook);
}

/** Errors are only logged: the message has been stored, so the tool must not retry. */
async function noteUse(
  { db, clock, log }: IncomingWebhookDeps,
  { lastUsedAt, appId, webhookId }: WebhookRow,
): Promise<void> {
  const now = clock.now();
  if (lastUsedAt !== null && lastUsedAt > now - USE_NOTED_MS) return;
  await db
    .write((tx) => updateLastUsed(tx, { appId, webhookId }, now))
    .catch((err) => log.warn({ err, webhookId }, 'the use of an incoming webhook was not written down'));
}
