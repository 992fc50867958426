import { CONSOLE } from '#contract/api/console.ts';
import { say } from '#contract/reasons.ts';
import type { CheckSignature, SignatureVerdict } from '#contract/webhooks.ts';
import { type Owned, ownedBy } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import { RateLimit } from '#platform/rate-limits/rate-limit.ts';
import type { WebhookDeps } from '../deps.ts';
import { LOGGED_EVENTS } from '../log/event-log.ts';
import { findLatestOfMessage } from '../log/queries.ts';
import { findOwnReceiver } from '../own-target.ts';
import { openBodyIfReadable } from '../record-events.ts';
import { auditEndpoint } from './endpoint-audit.ts';
import { sendPing } from './ping.ts';
import { checkSignature } from './signature-check.ts';
import { simulateEvent } from './simulate.ts';

const TRIALS_PER_MINUTE = 30;

/**
 * The tools with which owners test their receivers; limited, so that they cannot be used to attack other
 * servers.
 */
export function trialRoutes(deps: WebhookDeps) {
  const trials = new RateLimit(deps, {
    name: 'trial',
    limit: TRIALS_PER_MINUTE,
    windowMs: 60_000,
    refusal: say('webhook.too-many-trials', { count: TRIALS_PER_MINUTE }),
  });
  return [
    serve(CONSOLE, {
      'POST /applications/:appId/webhook/ping': async ({ person, params: { appId } }) => {
        await trials.count(person.accountId);
        return sendPing(deps, ownedBy(person, appId));
      },
      'POST /applications/:appId/webhook/simulate': async ({ person, params: { appId }, body }) => {
        await trials.count(person.accountId);
        return simulateEvent(deps, ownedBy(person, appId), body);
      },
      'POST /applications/:appId/webhook/check-signature': ({ person, params: { appId }, body }) =>
        checkOwnSignature(deps, ownedBy(person, appId), body),
      'POST /applications/:appId/webhook/audit': async ({ person, params: { appId } }) => {
        await trials.count(person.accountId);
        return auditEndpoint(deps, ownedBy(person, appId));
      },
    }),
  ];
}

/**
 * Checks a request that a receiver got against the application's secrets and event log.
 *
 * @throws ApiError 404
 */
async function checkOwnSignature(
  deps: WebhookDeps,
  own: Owned,
  { header, body, secret }: CheckSignature,
): Promise<SignatureVerdict> {
  const { webhookSecret, previousWebhookSecret } = await findOwnReceiver(deps, own);
  return checkSignature({
    header,
    body,
    secret,
    ownSecrets: [webhookSecret, previousWebhookSecret?.secret].filter((one) => one !== undefined),
    sentBody: await findSentBody(deps, own.appId, body),
    now: deps.clock.now(),
  });
}

async function findSentBody(
  { db, keyring }: WebhookDeps,
  appId: string,
  body: string,
): Promise<Buffer | undefined> {
  const msgId = /"msgId"\s*:\s*"(msg_[0-9a-z]{24})"/.exec(body)?.[1];
  if (msgId === undefined) return undefined;
  const event = await findLatestOfMessage(db, { appId, msgId, among: LOGGED_EVENTS });
  return event && openBodyIfReadable(keyring, event);
}
