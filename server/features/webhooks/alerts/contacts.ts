import { type PlainReason, say } from '#contract/reasons.ts';
import type {
  AddAlertContact,
  Alert,
  AlertContact,
  ContactKind,
  ContactTest,
} from '#contract/webhooks/alerts.ts';
import type { Finding } from '#contract/webhooks/finding.ts';
import { readEmail } from '#features/accounts/index.ts';
import type { Owned } from '#features/applications/index.ts';
import type { Keyring, Sealed } from '#platform/crypto/keyring.ts';
import type { Db } from '#platform/database.ts';
import { invalidArgument, notFound, resourceExhausted } from '#platform/errors.ts';
import { type SendResult, sendMail } from '#platform/mail.ts';
import type { Platform } from '#platform/platform.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import { WebhookAgent } from '#platform/safe-fetch/agent.ts';
import { checkForSaving } from '#platform/safe-fetch/guard.ts';
import { safePost } from '#platform/safe-fetch/safe-post.ts';
import { textsIn } from '#platform/texts.ts';
import type { WebhookDeps } from '../deps.ts';
import {
  type ContactRow,
  deleteContact,
  findContact,
  findContacts,
  insertContact,
} from './contact-queries.ts';
import { type AlertMessage, testMessage } from './message.ts';
import { findNotices, type NoticeRow } from './notice-queries.ts';
import { findAlerts, viewMute } from './queries.ts';

const MAX_CONTACTS = 5;
const SHOWN_ALERTS = 50;
const EMAIL = /^[^\s@\p{Cc}<>,;:"\\()[\]]{1,64}@[^\s@\p{Cc}<>,;:"\\()[\]]{1,255}$/u;

/** @throws ApiError 404 */
export async function listContacts(
  { db, keyring, clock, applications }: WebhookDeps,
  own: Owned,
): Promise<AlertContact[]> {
  await applications.requireOwn(own);
  return (await findContacts(db, own.appId)).map((row) => viewContact(keyring, row, clock.now()));
}

/** @throws ApiError 404; 400 for an invalid address; 429 for too many */
export async function addContact(
  deps: WebhookDeps,
  own: Owned,
  { kind, target }: AddAlertContact,
): Promise<AlertContact> {
  const { db, keyring, applications } = deps;
  await applications.requireOwn(own);
  const checked = await checkTarget(deps, kind, target);
  const contactId = deps.newId('alc');
  const sealed = keyring.seal(contextOf(contactId), Buffer.from(checked));
  const row: ContactRow = {
    appId: own.appId,
    contactId,
    kind,
    target: sealed.ciphertext,
    targetKeyId: sealed.keyId,
    createdAt: deps.clock.now(),
    mutedUntil: null,
    confirmedAt: null,
  };
  await db.begin(async (tx) => {
    await applications.lockOwn(tx, own);
    if ((await findContacts(tx, own.appId)).length >= MAX_CONTACTS) {
      throw resourceExhausted('alert.too-many-contacts', { count: MAX_CONTACTS });
    }
    await insertContact(tx, row);
    await applications.recordAudit(tx, own, 'alert-contact.added', { contactId, kind });
  });
  return viewContact(keyring, row, row.createdAt);
}

/** @throws ApiError 404 */
export async function removeContact(
  { db, applications }: WebhookDeps,
  own: Owned,
  contactId: string,
): Promise<void> {
  await db.begin(async (tx) => {
    await applications.lockOwn(tx, own);
    if (!(await deleteContact(tx, own.appId, contactId))) throw contactNotFound();
    await applications.recordAudit(tx, own, 'alert-contact.removed', { contactId });
  });
}

/** Sends a test at once, and returns its result. @throws ApiError 404 */
export async function testContact(deps: WebhookDeps, own: Owned, contactId: string): Promise<ContactTest> {
  const application = await deps.applications.requireOwn(own);
  const row = await requireContact(deps.db, own.appId, contactId);
  const t = textsIn(await deps.accounts.findLanguage(own.actorId));
  const message = testMessage(t, application.name, publicUrlOf(deps.config));
  const target = openTarget(deps.keyring, row);
  const result = await sendTo(deps, { ...row, target }, message);
  await deps.db.write((tx) => deps.applications.recordAudit(tx, own, 'alert-contact.tested', { contactId }));
  return viewResult(result, 'alert.test-sent');
}

/** @param sent what is said of success */
export function viewResult(result: SendResult, sent: PlainReason): ContactTest {
  if (result.state === 'failed') return { isSent: false, ...result.fault };
  return result.state === 'sent'
    ? { isSent: true, ...say(sent) }
    : { isSent: false, ...say('alert.no-mail-server') };
}

/** @throws ApiError 404 */
export async function listAlerts({ db, applications }: WebhookDeps, own: Owned): Promise<Alert[]> {
  await applications.requireOwn(own);
  const alerts = await findAlerts(db, own.appId, SHOWN_ALERTS);
  const notices = await findNotices(
    db,
    own.appId,
    alerts.map(({ alertId }) => alertId),
  );
  return alerts.map(({ alertId, createdAt, eventCount, eventCounts, firstEventAt, lastEventAt }) => ({
    alertId,
    createdAt,
    events: eventCount,
    eventCounts,
    firstEventAt,
    lastEventAt,
    notices: notices
      .filter((notice) => notice.alertId === alertId)
      .map(({ contactId, state, ...row }) => {
        const fault = findingOf(row);
        return { contactId, state, ...(fault && { fault }) };
      }),
  }));
}

function findingOf({
  fault: message,
  faultReason: reason,
  faultValues: values,
}: Pick<NoticeRow, 'fault' | 'faultReason' | 'faultValues'>): Finding | undefined {
  if (message === null) return undefined;
  return { message, ...(reason !== null && { reason }), ...(values && { values }) };
}

/** Nothing is sent to an unconfirmed address. */
export async function sendTo(
  deps: Platform,
  { kind, target, confirmedAt }: Pick<ContactRow, 'kind' | 'confirmedAt'> & { target: string | undefined },
  message: AlertMessage,
): Promise<SendResult> {
  if (target === undefined) return { state: 'failed', fault: say('alert.unreadable') };
  if (kind === 'chat') return postToChat(deps, target, message);
  // Without a mail server nobody could confirm an address, and nothing is sent: the log gets it.
  if (confirmedAt === null && deps.config.smtpUrl !== undefined)
    return { state: 'failed', fault: say('alert.unconfirmed') };
  return sendMail(deps, target, message);
}

/** The address in plain text; undefined if it cannot be read. */
export function openTarget(
  keyring: Keyring,
  { contactId, target, targetKeyId }: Pick<ContactRow, 'contactId' | 'target' | 'targetKeyId'>,
): string | undefined {
  const sealed: Sealed = { keyId: targetKeyId, ciphertext: target };
  return keyring.openIfReadable(contextOf(contactId), sealed)?.toString();
}

/** The target as it is stored: an address as accounts have it. */
async function checkTarget({ guard }: Platform, kind: ContactKind, target: string): Promise<string> {
  if (kind === 'email') {
    const { address } = readEmail(target, 'target');
    if (!EMAIL.test(address)) throw invalidArgument('target', 'email');
    return address;
  }
  const checked = await checkForSaving(guard, target);
  if ('fault' in checked) throw invalidArgument('target', `url-${checked.fault}`);
  return target;
}

export function viewContact(keyring: Keyring, row: ContactRow, now: number): AlertContact {
  const { contactId, kind, createdAt, mutedUntil } = row;
  const target = openTarget(keyring, row);
  const shown = target !== undefined && kind === 'chat' ? `${new URL(target).origin}/…` : target;
  return {
    contactId,
    kind,
    target: shown ?? '',
    ...(shown === undefined && { isUnreadable: true as const }),
    createdAt,
    isConfirmed: kind === 'chat' || row.confirmedAt !== null,
    ...viewMute(mutedUntil, now),
  };
}

function contextOf(contactId: string) {
  return { table: 'alert_contacts', rowId: contactId };
}

/** @throws ApiError 404 */
export async function requireContact(db: Db, appId: string, contactId: string): Promise<ContactRow> {
  const contact = await findContact(db, appId, contactId);
  if (!contact) throw contactNotFound();
  return contact;
}

export function contactNotFound() {
  return notFound('alert.contact-unknown');
}

/**
 * Posts to the incoming webhook of a chat. Slack, Mattermost, Rocket.Chat and Google Chat accept `text`;
 * Discord accepts `content`, and the others would refuse an unknown field.
 */
async function postToChat({ guard }: Platform, url: string, { text }: AlertMessage): Promise<SendResult> {
  using agent = new WebhookAgent(guard, { maxIdleSockets: 0 });
  const body = isDiscord(url) ? { content: text, allowed_mentions: { parse: [] } } : { text };
  const result = await safePost(agent, {
    url,
    headers: { 'Content-Type': 'application/json', 'User-Agent': 'Parley-Alerts/1' },
    body: Buffer.from(JSON.stringify(body)),
  });
  if (result.kind === 'failure') return { state: 'failed', fault: result.said };
  if (result.status >= 200 && result.status < 300) return { state: 'sent' };
  return { state: 'failed', fault: say('alert.chat-answered', { status: result.status }) };
}

function isDiscord(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  // Discord's path for Slack's format has this suffix.
  return /(^|\.)discord(app)?\.com$/.test(hostname) && !pathname.endsWith('/slack');
}
