import { hash } from 'node:crypto';
import { say } from '#contract/reasons.ts';
import type { ContactTest } from '#contract/webhooks/alerts.ts';
import { readEmail } from '#features/accounts/index.ts';
import type { Owned } from '#features/applications/index.ts';
import { hashSecret } from '#platform/crypto/random-secrets.ts';
import { isId } from '#platform/ids.ts';
import { sendMail } from '#platform/mail.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import { RateLimit } from '#platform/rate-limits.ts';
import { textsIn } from '#platform/texts.ts';
import type { WebhookDeps } from '../deps.ts';
import { findConfirmable, updateConfirmation, updateConfirmed } from './contact-queries.ts';
import { openTarget, requireContact, viewResult } from './contacts.ts';
import { confirmationMessage } from './message.ts';

/** Where the link in the mail leads. */
export const CONFIRMATION_PATH = '/alerts/confirm';

const SECRET_BYTES = 32;
const VALID_MS = 7 * 24 * 3_600_000;

/** Keeps mailboxes from being flooded. */
const TESTS_PER_HOUR = 10;
const LINKS_PER_DAY = 5;

/** How many mails are sent: per person, and to one address. */
export function openMailLimits(platform: WebhookDeps) {
  const tests = new RateLimit(platform, {
    name: 'alert-test',
    limit: TESTS_PER_HOUR,
    windowMs: 3_600_000,
    refusal: say('alert.too-many-tests', { count: TESTS_PER_HOUR }),
  });
  const links = new RateLimit(platform, {
    name: 'alert-link',
    limit: LINKS_PER_DAY,
    windowMs: 24 * 3_600_000,
    refusal: say('alert.too-many-mails', { count: LINKS_PER_DAY }),
  });
  return {
    tests,
    links,
    /** Counts the link to a new contact, if it is added. */
    around: <T>(accountId: string, address: string, add: () => Promise<T>) =>
      tests.around(accountId, 1, () => links.around(keyOf(address), 1, add)),
  };
}

/**
 * Sends the mail whose link confirms an address; earlier links become void. Returns the result.
 *
 * @param links missing if this one has already been counted
 * @throws ApiError 404; 429 for too many
 */
export async function sendConfirmation(
  deps: WebhookDeps,
  own: Owned,
  contactId: string,
  links?: RateLimit,
): Promise<ContactTest> {
  const { db, clock, random, keyring, config, applications } = deps;
  const { appId } = own;
  const { name } = await applications.requireOwn(own);
  const contact = await requireContact(db, appId, contactId);
  if (contact.confirmedAt !== null) return { isSent: false, ...say('alert.confirmed') };
  const target = openTarget(keyring, contact);
  if (target === undefined) return { isSent: false, ...say('alert.unreadable') };
  await links?.count(keyOf(target));
  const secret = random.bytes(SECRET_BYTES).toString('base64url');
  await db.begin(async (tx) => {
    await updateConfirmation(tx, { appId, contactId, hash: hashSecret(secret), sentAt: clock.now() });
    if (links) await applications.recordAudit(tx, own, 'alert-contact.confirmation-sent', { contactId });
  });
  const link = `${publicUrlOf(config)}${CONFIRMATION_PATH}?token=${appId}.${contactId}.${secret}`;
  const t = textsIn(await deps.accounts.findLanguage(own.actorId));
  return viewResult(
    await sendMail(deps, target, confirmationMessage(t, name, link)),
    'alert.confirmation-sent',
  );
}

/**
 * The application whose alerts a link is about; undefined if the link is not the latest, or is older than 7
 * days.
 */
export async function findConfirmation(
  deps: WebhookDeps,
  token: string,
): Promise<{ applicationName: string } | undefined> {
  const read = readToken(token);
  if (!read) return undefined;
  if (!(await findConfirmable(deps.db, { ...read, since: deps.clock.now() - VALID_MS }))) return undefined;
  const [application] = await deps.applications.findClientNames([read.appId]);
  return application && { applicationName: application.name };
}

/** Confirms the address, to which alerts go from now on. Following the link twice is no error. */
export async function confirmContact({ db, clock }: WebhookDeps, token: string): Promise<boolean> {
  const read = readToken(token);
  if (!read) return false;
  const at = clock.now();
  return db.begin((tx) => updateConfirmed(tx, { ...read, since: at - VALID_MS }, at));
}

/** Addresses must not be stored in Redis. */
function keyOf(address: string): string {
  return hash('sha256', readEmail(address, 'target').uniqueName);
}

function readToken(token: string): { appId: string; contactId: string; hash: Buffer } | undefined {
  const [appId = '', contactId = '', secret = '', ...rest] = token.split('.');
  if (rest.length > 0 || !isId('app', appId) || !isId('alc', contactId)) return undefined;
  return { appId, contactId, hash: hashSecret(secret) };
}
