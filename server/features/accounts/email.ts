import { hash } from 'node:crypto';
import type { Language } from '#contract/languages.ts';
import { say } from '#contract/reasons.ts';
import type { Tx } from '#platform/database.ts';
import { alreadyExists, failedPrecondition, invalidArgument, notFound } from '#platform/errors.ts';
import { sendMail } from '#platform/mail.ts';
import type { Platform } from '#platform/platform.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import { RateLimit } from '#platform/rate-limits.ts';
import { textsIn } from '#platform/texts.ts';
import type { AccountDeps, OperatorAccountDeps } from './deps.ts';
import { passwordFingerprint } from './passwords.ts';
import {
  deleteUniqueName,
  findEmailOwner,
  insertEmail,
  type Login,
  lockLogin,
  selectLogin,
} from './queries.ts';
import { nameOfStored, readEmail } from './rules.ts';
import { sessionEnded } from './sessions/session.ts';
import { issueTicket, openTicket, redeemTicket } from './tickets.ts';

/** How long the link in the mail is valid. */
const LINK_DAYS = 7;

/** Where the link in the mail leads. */
export const EMAIL_CONFIRMATION_PATH = '/email/confirm';

const CONFIRMATION = { purpose: 'email-confirmation', holder: undefined } as const;
const DAY_MS = 24 * 3_600_000;
/** Keeps mailboxes from being flooded, whoever requests the mails. */
const LINKS_PER_DAY = 5;

/** The content of the ticket in the link. */
interface Confirmation {
  accountId: string;
  /** The address that the account had; the link is void once it has changed. */
  from: string;
  /** The address of the mail: the current one, or the one that is to replace it. */
  to: string;
  language: Language;
  /** Of a change: it becomes void with the password, so that a reset also ends what somebody else has requested. */
  passwordFingerprint?: string;
}

/** One for each process. */
export function limitEmailLinks(platform: Platform): RateLimit {
  return new RateLimit(platform, {
    name: 'email-link',
    limit: LINKS_PER_DAY,
    windowMs: DAY_MS,
    refusal: say('account.too-many-mails', { count: LINKS_PER_DAY }),
  });
}

/**
 * Mails a link that confirms the person's address.
 *
 * @throws ApiError 400 if it is already confirmed; 429
 */
export async function askToConfirmEmail(
  deps: AccountDeps,
  accountId: string,
  language: Language,
): Promise<{ isMailed: boolean }> {
  const login = await selectLogin(deps.db, accountId);
  if (!login) throw sessionEnded();
  if (login.emailConfirmedAt !== null) throw failedPrecondition('account.email-confirmed');
  return sendLink(deps, { accountId, from: login.email, to: login.email, language });
}

/**
 * Changes the person's address: once the link mailed to it is followed, or at once if no mail is sent.
 *
 * @throws ApiError 400, 409, 429
 */
export async function changeEmail(
  deps: AccountDeps,
  accountId: string,
  given: { email: string; language: Language },
): Promise<{ isMailed: boolean }> {
  const { db, config, live } = deps;
  const to = readEmail(given.email);
  const login = await selectLogin(db, accountId);
  if (!login) throw sessionEnded();
  if (to.address === login.email) throw invalidArgument('email', 'same-email');
  const owner = await findEmailOwner(db, to);
  if (owner !== undefined && owner !== accountId) throw alreadyExists('account.email-taken');
  if (config.smtpUrl !== undefined)
    return sendLink(deps, {
      ...{ accountId, from: login.email, to: to.address, language: given.language },
      passwordFingerprint: passwordFingerprint(login),
    });
  await db.begin(async (tx) => {
    // Another change of the address may have been faster.
    const { email: from } = (await lockLogin(tx, accountId)) ?? {};
    if (from === undefined) throw sessionEnded();
    await replaceEmail(tx, { accountId, from, to: to.address, confirmedAt: null });
  });
  live.publish(accountId, { type: 'profile.changed', data: {} });
  return { isMailed: false };
}

/** The account of a link; undefined if it has expired, or the address or password has changed since. */
export async function findEmailConfirmation(
  deps: AccountDeps,
  token: string,
): Promise<{ email: string; personName: string } | undefined> {
  const ticket = openTicket<Confirmation>(deps, CONFIRMATION, token);
  const login = ticket && (await selectLogin(deps.db, ticket.content.accountId));
  return login && isMeant(login, ticket.content)
    ? { email: ticket.content.to, personName: login.name }
    : undefined;
}

/**
 * Confirms the address, which replaces the previous one, once. Following the link twice is no error.
 *
 * @throws ApiError 409 when somebody else has the address by now
 */
export async function confirmEmail(deps: AccountDeps, token: string): Promise<boolean> {
  const { db, clock, live, log } = deps;
  const ticket = openTicket<Confirmation>(deps, CONFIRMATION, token);
  if (!ticket) return false;
  const { accountId, from, to, language } = ticket.content;
  const isChanged = await db.begin(async (tx) => {
    const login = await lockLogin(tx, accountId);
    if (!login || !isMeant(login, ticket.content)) return undefined;
    if (login.email !== to && !(await redeemTicket(tx, accountId, ticket))) return undefined;
    await replaceEmail(tx, { accountId, from: login.email, to, confirmedAt: clock.now() });
    return login.email !== to;
  });
  if (isChanged === undefined) return false;
  live.publish(accountId, { type: 'profile.changed', data: {} });
  if (isChanged) {
    const t = textsIn(language);
    const { state } = await sendMail(deps, from, {
      subject: t('mail.emailChanged.subject'),
      text: t('mail.emailChanged.text'),
    });
    if (state === 'failed') log.warn({ accountId }, 'the mail to the address from before was not sent');
  }
  return true;
}

/** A link that was already followed: its address is the account's. */
function isMeant(login: Login, { from, to, passwordFingerprint: meant }: Confirmation): boolean {
  if (login.email === to) return true;
  return login.email === from && (meant === undefined || meant === passwordFingerprint(login));
}

/** In a transaction that has locked the account. */
export async function replaceEmail(
  tx: Tx,
  {
    accountId,
    from,
    to,
    confirmedAt,
  }: Pick<Confirmation, 'accountId' | 'from' | 'to'> & { confirmedAt: number | null },
): Promise<void> {
  const before = nameOfStored(from);
  if (before !== nameOfStored(to)) {
    if (!(await insertEmail(tx, readEmail(to), accountId))) throw alreadyExists('account.email-taken');
    await deleteUniqueName(tx, { value: before, kind: 'email', ownerId: accountId });
  }
  await updateEmail(tx, accountId, { email: to, confirmedAt });
}

/** @throws ApiError 429 */
async function sendLink(deps: AccountDeps, confirmation: Confirmation): Promise<{ isMailed: boolean }> {
  const { config, emailLinks, log } = deps;
  const { accountId, to, language } = confirmation;
  if (config.smtpUrl === undefined) return { isMailed: false };
  // Addresses must not be stored in Redis.
  await emailLinks.count(hash('sha256', readEmail(to).uniqueName));
  await emailLinks.count(accountId);
  const { ticket } = issueTicket(deps, { ...CONFIRMATION, lifetimeMs: LINK_DAYS * DAY_MS }, confirmation);
  const link = `${publicUrlOf(config)}${EMAIL_CONFIRMATION_PATH}?token=${ticket}`;
  const t = textsIn(language);
  const { state } = await sendMail(deps, to, {
    subject: t('mail.confirmEmail.subject'),
    text: t('mail.confirmEmail.text', { days: LINK_DAYS, link }),
  });
  if (state !== 'sent') log.warn({ accountId }, 'the mail that asks to confirm an address was not sent');
  return { isMailed: state === 'sent' };
}

/** The operator confirms an address to which mail does not arrive. @throws ApiError 404 */
export async function confirmEmailOf(
  { db, clock }: OperatorAccountDeps,
  accountId: string,
  extraWrites: (tx: Tx) => Promise<void>,
): Promise<void> {
  await db.begin(async (tx) => {
    const login = await lockLogin(tx, accountId);
    if (!login) throw notFound('account.unknown');
    await updateEmail(tx, accountId, { email: login.email, confirmedAt: clock.now() });
    await extraWrites(tx);
  });
}

/** The address of a person, and when it was proven to be theirs. */
async function updateEmail(
  tx: Tx,
  accountId: string,
  { email, confirmedAt }: { email: string; confirmedAt: number | null },
): Promise<void> {
  await tx`
    update accounts set email = ${email}, email_confirmed_at = ${confirmedAt}
    where account_id = ${accountId} and not is_bot and deleted_at is null`;
}
