import type { CheckSignature, SignatureVerdict } from '#contract/webhooks.ts';
import type { Owned } from '#features/applications/index.ts';
import type { Platform } from '#platform/platform.ts';
import { LOGGED_EVENTS } from '../log/event-log.ts';
import { findLatestOfMessage } from '../log/queries.ts';
import { findOwnReceiver, type TargetDeps } from '../own-target.ts';
import { openBodyIfReadable } from '../record-events.ts';
import { checkSignature } from './signature-check.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'keyring'> & TargetDeps;

/**
 * Checks a request that a receiver got against the application's secrets and event log.
 *
 * @throws ApiError 404
 */
export async function checkOwnSignature(
  deps: Deps,
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

async function findSentBody({ db, keyring }: Deps, appId: string, body: string): Promise<Buffer | undefined> {
  const msgId = /"msgId"\s*:\s*"(msg_[0-9a-z]{24})"/.exec(body)?.[1];
  if (msgId === undefined) return undefined;
  const event = await findLatestOfMessage(db, { appId, msgId, among: LOGGED_EVENTS });
  return event && openBodyIfReadable(keyring, event);
}
