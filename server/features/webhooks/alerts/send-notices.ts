import { say } from '#contract/reasons.ts';
import type { SendResult } from '#platform/mail.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import { textsIn } from '#platform/texts.ts';
import type { WebhookDeps } from '../deps.ts';
import { openTarget, sendTo } from './contacts.ts';
import { alertMessage } from './message.ts';
import {
  claimNotice,
  findDueNotices,
  findNoticeParts,
  type LeasedNotice,
  type NoticeSettlement,
  settleNotice,
} from './notice-queries.ts';

/** Longer than a slow mail server needs for the mails of a step, of which few are sent at once. */
const LEASE_MS = 120_000;
const PER_STEP = 6;
/** Minutes until the next attempt, after each failed one. */
const WAITS = [1, 5, 15, 60];

/**
 * One step: sends the alerts that are due. A contact that cannot be reached is tried 5 times, over 81
 * minutes; if a process dies between sending and recording, the contact is notified twice.
 *
 * @returns how many were tried
 */
export async function sendNotices(deps: WebhookDeps): Promise<number> {
  const now = deps.clock.now();
  const leaseOwner = deps.random.bytes(12).toString('base64url');
  const claim = { now, leaseOwner, leaseEndsAt: now + LEASE_MS };
  const due = await findDueNotices(deps.db, now, PER_STEP);
  const claimed = due.map((key) => deps.db.write((tx) => claimNotice(tx, key, claim)));
  const notices = (await Promise.all(claimed)).flat();
  await Promise.all(notices.map((notice) => sendNotice(deps, notice, leaseOwner)));
  return notices.length;
}

async function sendNotice(deps: WebhookDeps, notice: LeasedNotice, leaseOwner: string): Promise<void> {
  const attempts = notice.attempts + 1;
  const result = await tryToSend(deps, notice);
  const waitMinutes = WAITS[notice.attempts];
  const mayRetry = result.state === 'failed' && waitMinutes !== undefined;
  const settlement: NoticeSettlement = {
    ...notice,
    leaseOwner,
    attempts,
    state: mayRetry ? 'pending' : result.state,
    nextAttemptAt: mayRetry ? deps.clock.now() + waitMinutes * 60_000 : null,
    fault: result.state === 'failed' ? result.fault : null,
  };
  await deps.db.write((tx) => settleNotice(tx, settlement));
}

async function tryToSend(deps: WebhookDeps, notice: LeasedNotice): Promise<SendResult> {
  const { appId, alertId, contactId } = notice;
  try {
    const parts = await findNoticeParts(deps.db, notice);
    if (!parts) return { state: 'failed', fault: say('alert.application-deleted') };
    const target = openTarget(deps.keyring, { contactId, ...parts });
    const language = await deps.accounts.findLanguage(await deps.applications.findOwnerId(appId));
    const eventLogUrl = `${publicUrlOf(deps.config)}/console/applications/${appId}/events`;
    const message = alertMessage(textsIn(language), parts, eventLogUrl);
    const result = await sendTo(deps, { ...parts, target }, message);
    if (result.state === 'logged') deps.log.warn({ appId, alertId, alert: message.text }, message.subject);
    return result;
  } catch (error) {
    deps.log.error({ err: error, appId, alertId, contactId }, 'an alert could not be sent');
    return { state: 'failed', fault: say('alert.internal') };
  }
}
