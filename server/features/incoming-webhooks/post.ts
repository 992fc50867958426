import type { IncomingHttpHeaders } from 'node:http';
import { LIMITS } from '#contract/limits.ts';
import { say } from '#contract/reasons.ts';
import type { Client } from '#features/applications/index.ts';
import { ApiError, invalidArgument, permissionDenied } from '#platform/errors.ts';
import { parseStrictForm } from '#platform/http/parsing/form.ts';
import { decodeUtf8, parseStrictJson } from '#platform/http/parsing/strict-json.ts';
import type { IncomingWebhookDeps } from './deps.ts';
import { findWebhookBySecret, updateLastUsed, type WebhookRow } from './queries.ts';
import { isObject } from './render/json.ts';
import { type Posted, renderPosted } from './render/render.ts';
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
  const webhook = asked && (await findWebhookBySecret(db, { appId: asked.id, secretHash: asked.hash }));
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

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\b/i;
const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;

/**
 * Reads a tool's post: JSON, a form whose `payload` is JSON, or plain text. Tools and scripts often send a wrong
 * `Content-Type`, so a JSON object is recognized whatever the header says.
 *
 * @throws ApiError 400, 415
 */
export function readPosted(headers: IncomingHttpHeaders, body: unknown): Posted {
  if (!Buffer.isBuffer(body) || body.length === 0) throw invalidArgument('body', 'missing');
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  if (encoding !== 'identity') throw new ApiError(415, 'invalid-argument', say('http.content-encoding'));
  if (FORM_TYPE.test(type) && body[0] !== 0x7b) {
    const { payload } = parseStrictForm(body);
    if (payload === undefined)
      throw new ApiError(400, 'invalid-argument', say('incoming-webhook.no-payload'));
    return readObject(Buffer.from(payload));
  }
  if (JSON_TYPE.test(type) || body[0] === 0x7b) return readObject(body);
  return decodeUtf8(body);
}

function readObject(json: Buffer): Posted {
  const value = parseStrictJson(json, { bodyLimit: LIMITS.incomingWebhookBytes, takesLargeNumbers: true });
  if (!isObject(value)) throw invalidArgument('body', 'json-type', { type: 'object' });
  return value;
}
