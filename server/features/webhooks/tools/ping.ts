import type { LoggedEventDetails } from '#contract/webhooks.ts';
import type { Owned } from '#features/applications/index.ts';
import { bucketOf } from '#platform/ids.ts';
import { attemptEntry } from '../attempts/attempt-log.ts';
import { insertAttempts } from '../attempts/queries.ts';
import { postOnce } from '../delivery/post-once.ts';
import type { WebhookDeps } from '../deps.ts';
import { showEvent } from '../log/event-log.ts';
import { insertEnded } from '../log/queries.ts';
import { findOwnTarget } from '../own-target.ts';
import { sealBody } from '../record-events.ts';

const MESSAGE = 'Your webhook works: answer 2xx once you have verified the signature.';

/**
 * Sends a ping: one attempt (decisions: Webhooks), whose result is returned and stored in the event log.
 *
 * @throws ApiError 404; 400 while the application receives no webhooks
 */
export async function sendPing(deps: WebhookDeps, own: Owned): Promise<LoggedEventDetails> {
  const { db, clock, newId, keyring, live, applications } = deps;
  const { appId } = own;
  const { url, secrets } = await findOwnTarget(deps, own);
  const at = clock.now();
  const deliveryId = newId('dlv');
  const data = { appId, sentAt: at, message: MESSAGE };
  const body = Buffer.from(JSON.stringify({ type: 'ping', data }));
  const result = await postOnce(deps, url, { secrets, eventId: deliveryId, type: 'ping', body, at });
  const { ciphertext, keyId } = sealBody(keyring, deliveryId, body);
  const bucket = bucketOf(appId);
  const event = { bucket, deliveryId, appId, type: 'ping', msgId: deliveryId, body: ciphertext } as const;
  const entry = attemptEntry(1, at, result, new URL(url).host);
  const attempt = { bucket, deliveryId, logged: 1, replayedAt: null, entry };
  await db.begin(async (tx) => {
    await insertEnded(tx, { ...event, bodyKeyId: keyId, createdAt: at });
    await insertAttempts(tx, [attempt]);
    await applications.recordAudit(tx, own, 'webhook.pinged', { eventId: deliveryId });
  });
  live.publish(appId, { type: 'event.recorded', data: {} });
  return showEvent(deps, own, deliveryId);
}
