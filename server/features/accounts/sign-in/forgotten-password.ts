import type { Language } from '#contract/languages.ts';
import type { Tx } from '#platform/database.ts';
import { notFound, permissionDenied } from '#platform/errors.ts';
import { sendMail } from '#platform/mail.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import { textsIn } from '#platform/texts.ts';
import type { AccountDeps } from '../deps.ts';
import { replaceEmail } from '../email.ts';
import { freeIdentity, selectIdentities } from '../identities/proven.ts';
import { hashPassword, passwordFingerprint, refuseLeakedPassword, requirePasswords } from '../passwords.ts';
import { findEmailOwner, type Login, lockLogin, replacePassword, selectLogin } from '../queries.ts';
import { readEmail } from '../rules.ts';
import { deletePasskeysOf } from '../second-factor/two-factor-queries.ts';
import { announceEnd, endSessions } from '../sessions/session.ts';
import type { Visitor } from '../throttle/throttle.ts';
import { issueTicket, openTicket, redeemTicket } from '../tickets.ts';

const RESET = { purpose: 'password-reset', holder: undefined } as const;
const LIFETIME_MINUTES = 30;
/** Of a link that the operator passes on. */
const HANDED_OVER_MS = 24 * 60 * 60_000;

/** The content of the ticket: it becomes invalid with the password that it replaces. */
interface Reset {
  accountId: string;
  passwordFingerprint: string;
  /** The address that got it by mail: once the person has another one, whoever reads the mail cannot use it. */
  mailedTo?: string;
}

/**
 * Mails a link to the account with this address. Neither the answer nor its time reveals whether there is
 * one.
 *
 * @throws ApiError 400, 403, 429
 */
export async function askForPasswordReset(
  deps: AccountDeps,
  visitor: Visitor,
  given: { email: string; language: Language },
): Promise<{ isMailed: boolean }> {
  const email = readEmail(given.email);
  await requirePasswords(deps);
  const accountId = await findEmailOwner(deps.db, email);
  await deps.throttle.countReset(visitor, { account: email.uniqueName, exists: accountId !== undefined });
  if (deps.config.smtpUrl === undefined) return { isMailed: false };
  mailReset(deps, accountId, given.language).catch((error) => {
    deps.log.error({ err: error, requestId: visitor.requestId }, 'the mail for a new password was not sent');
  });
  return { isMailed: true };
}

async function mailReset(
  deps: AccountDeps,
  accountId: string | undefined,
  language: Language,
): Promise<void> {
  const login = accountId === undefined ? undefined : await selectLogin(deps.db, accountId);
  if (!login) return;
  const { link } = makeLink(deps, login, { mailedTo: login.email, lifetimeMs: LIFETIME_MINUTES * 60_000 });
  const t = textsIn(language);
  const { state } = await sendMail(deps, login.email, {
    subject: t('mail.passwordReset.subject'),
    text: t('mail.passwordReset.text', { minutes: LIFETIME_MINUTES, link }),
  });
  if (state !== 'sent') deps.log.warn({ accountId }, 'the mail for a new password was not sent');
}

/**
 * A password link for somebody who gets no mail; the operator passes it on.
 *
 * @throws ApiError 404
 */
export async function makeResetLink(
  deps: AccountDeps,
  accountId: string,
): Promise<{ link: string; expiresAt: number }> {
  const login = await selectLogin(deps.db, accountId);
  if (!login) throw notFound('account.unknown');
  return makeLink(deps, login, { lifetimeMs: HANDED_OVER_MS });
}

function makeLink(
  deps: AccountDeps,
  login: Login,
  { lifetimeMs, ...given }: Pick<Reset, 'mailedTo'> & { lifetimeMs: number },
): { link: string; expiresAt: number } {
  const { accountId } = login;
  const reset: Reset = { accountId, passwordFingerprint: passwordFingerprint(login), ...given };
  const { ticket, expiresAt } = issueTicket(deps, { ...RESET, lifetimeMs }, reset);
  // Behind the #, so that no log of a server or proxy has it.
  return { link: `${publicUrlOf(deps.config)}/reset#${ticket}`, expiresAt };
}

/**
 * Sets a new password by the link of a mail, once; every session ends. A second factor is still asked for at sign-in.
 * By the mail, the address is confirmed.
 *
 * @throws ApiError 400, 403
 */
export async function resetForgottenPassword(
  deps: AccountDeps,
  visitor: Visitor,
  given: { ticket: string; newPassword: string },
): Promise<void> {
  const { db, random, live, throttle } = deps;
  const ticket = openTicket<Reset>(deps, RESET, given.ticket);
  const login = ticket && (await selectLogin(db, ticket.content.accountId));
  if (!login || !isMeant(login, ticket.content)) throw permissionDenied('sign-in.reset-ended');
  await requirePasswords(deps);
  await refuseLeakedPassword('newPassword', given.newPassword);
  const { accountId, passwordHash: from } = login;
  const to = await hashPassword(random, given.newPassword, throttle.turnsOf(visitor, { account: accountId }));
  const ended = await db.begin(async (tx) => {
    const current = await lockLogin(tx, accountId);
    const isMeantStill = current !== undefined && isMeant(current, ticket.content);
    const isFirst = isMeantStill && (await redeemTicket(tx, accountId, ticket));
    if (!isFirst || !(await replacePassword(tx, accountId, { from, to })))
      throw permissionDenied('sign-in.reset-ended');
    if (ticket.content.mailedTo !== undefined && current.emailConfirmedAt === null)
      await takeOver(deps, tx, current);
    return endSessions(tx, accountId);
  });
  announceEnd(live, ended);
}

/**
 * Whoever reads the mail is the first to prove the address. Somebody else may have signed up with it before: no other way in
 * of theirs remains (decision 0116). People whom a provider provisions cannot connect it themselves.
 */
async function takeOver({ hooks, clock }: AccountDeps, tx: Tx, { accountId, email }: Login): Promise<void> {
  const at = clock.now();
  await replaceEmail(tx, { accountId, from: email, to: email, confirmedAt: at });
  await deletePasskeysOf(tx, accountId);
  for (const identity of await selectIdentities(tx, accountId))
    if (!identity.isManaged) await freeIdentity(tx, identity);
  for (const hook of hooks) await hook.takenOver?.(tx, { accountId, at });
}

function isMeant(login: Login, { passwordFingerprint: replaced, mailedTo = login.email }: Reset): boolean {
  return passwordFingerprint(login) === replaced && login.email === mailedTo;
}
