import { passes } from '#contract/webhooks/event-filter.ts';
import type { EventPage, EventPayload, EventSearch } from '#contract/webhooks.ts';
import type { Owned } from '#features/applications/index.ts';
import { AFTER_ALL, readCursor } from '#platform/http/cursor.ts';
import { firstIdAt, isId, timeOfId } from '#platform/ids.ts';
import type { WebhookDeps } from '../deps.ts';
import { findFeed } from '../feed/queries.ts';
import { openBodyIfReadable } from '../record-events.ts';
import { eventNotFound, findStanding, type LoggedRow, viewEvent } from './event-log.ts';
import { findLatest, findRecorded, findSealed } from './queries.ts';

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
    type === 'ping' || data.sandbox === true || data.from === (await accounts.findTestPersonId(own.actorId));
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

const PAGE = 50;
/** How many events one search reads, so that its cost does not depend on how rare a match is. */
const SEARCHED = 1_000;
const BATCH = 250;
const RECORDED_WITHIN_MS = 60_000;

/**
 * Events of an application from `before` on, the newest first, as far back as they are kept.
 *
 * @throws ApiError 404
 */
export async function searchEvents(
  deps: WebhookDeps,
  own: Owned,
  { before, find, ...filter }: EventSearch,
): Promise<EventPage> {
  const { db, applications } = deps;
  const start = readCursor('dlv', 'before', before) ?? startFor(find);
  await applications.requireOwn(own);
  const { appId } = own;
  const { fetchedPosition } = await findFeed(db, appId);
  const page: EventPage = { events: [] };
  if (find !== undefined && isId('dlv', find)) {
    const [row] = await findStanding(db, await findRecorded(db, appId, [find]));
    const event = row && viewEvent(row, fetchedPosition);
    return event && passes(filter, event) ? { events: [event] } : page;
  }
  let cursor = start;
  for (let searched = 0; searched < SEARCHED; searched += BATCH) {
    const rows = await findStanding(db, await findLatest(db, appId, { before: cursor, limit: BATCH }));
    const found = find === undefined ? undefined : await findNamed(deps, appId, rows, find);
    for (const row of rows) {
      if (page.events.length === PAGE) return { ...page, nextBefore: cursor };
      cursor = row.deliveryId;
      const event = viewEvent(row, fetchedPosition);
      if (passes(filter, event) && (found?.has(row.deliveryId) ?? true)) page.events.push(event);
    }
    if (rows.length < BATCH) return page;
  }
  return { ...page, nextBefore: cursor };
}

/** The event of a message is created with it. */
function startFor(find: string | undefined): string {
  if (find === undefined || !isId('msg', find)) return AFTER_ALL;
  return firstIdAt('dlv', timeOfId(find) + RECORDED_WITHIN_MS);
}

/**
 * Events with the text in an id: their own, the message's, or, after decryption, those of people and groups.
 */
async function findNamed(
  { db, keyring }: WebhookDeps,
  appId: string,
  rows: LoggedRow[],
  text: string,
): Promise<Set<string>> {
  const named = rows.filter(({ deliveryId, msgId }) => deliveryId.includes(text) || msgId.includes(text));
  const others = rows.filter((row) => !named.includes(row)).map(({ deliveryId }) => deliveryId);
  const sealed = /^(dlv|msg)_/.test(text) ? [] : await findSealed(db, appId, others);
  const sent = sealed.filter((event) => {
    const body = openBodyIfReadable(keyring, event);
    const { from, chatId, groupId } = body ? JSON.parse(body.toString()).data : {};
    return [from, chatId, groupId].some((id) => typeof id === 'string' && id.includes(text));
  });
  return new Set([...named, ...sent].map(({ deliveryId }) => deliveryId));
}
