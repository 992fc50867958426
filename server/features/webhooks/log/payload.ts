import type { EventPayload } from '#contract/webhooks.ts';
import type { Owned } from '#features/applications/index.ts';
import { isId } from '#platform/ids.ts';
import type { WebhookDeps } from '../deps.ts';
import { openBodyIfReadable } from '../record-events.ts';
import { eventNotFound } from './event-log.ts';
import { findSealed } from './queries.ts';

/** Fields with identifiers, which contain nothing that a person wrote. */
const SHOWN = new Set([
  'type',
  'msgId',
  'id',
  'from',
  'chatId',
  'groupId',
  'replyToMsgId',
  'mentionedUserIds',
  'sentAt',
]);

/**
 * The body of an event, as its webhook got it. Other people's text is masked, because the console must not show
 * it (decisions: Webhooks); the owner's is not.
 *
 * @throws ApiError 404
 */
export async function showPayload(
  { db, keyring, accounts, applications }: WebhookDeps,
  own: Owned,
  eventId: string,
): Promise<EventPayload> {
  await applications.requireOwn(own);
  const [sealed] = isId('dlv', eventId) ? await findSealed(db, own.appId, [eventId]) : [];
  if (!sealed) throw eventNotFound();
  const body = openBodyIfReadable(keyring, sealed);
  if (!body) return { isMasked: true, isUnreadable: true, payload: {} };
  const payload = JSON.parse(body.toString());
  const { type, data } = payload;
  const isOwn =
    type === 'ping' || data.sandbox === true || data.from === (await accounts.findTestPersonId(own.ownerId));
  return isOwn ? { isMasked: false, payload } : { isMasked: true, payload: { type, data: mask(data) } };
}

function mask(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mask);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, SHOWN.has(name) ? field : mask(field)]),
    );
  }
  if (typeof value === 'string') return value === '' ? '' : `••• ${[...value].length} characters`;
  return typeof value === 'number' ? '•••' : value;
}
