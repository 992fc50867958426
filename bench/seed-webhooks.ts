import { randomInt } from 'node:crypto';
import { storeWebhookUrl } from '#features/applications/addresses.ts';
import { sealWebhookSecret } from '#features/applications/credentials/secrets.ts';
import { updateWebhookUrl } from '#features/applications/queries.ts';
import { lockAnyApplication } from '#features/applications/service.ts';
import { upsertWorker } from '#features/webhooks/delivery/held-queries.ts';
import { MemoryQueue } from '#features/webhooks/delivery/memory-queue.ts';
import { type OutgoingEvent, recordEvents } from '#features/webhooks/record-events.ts';
import { eventMessage } from '#features/webhooks/rules.ts';
import { systemClock } from '#platform/clock.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import type { Database } from '#platform/database.ts';
import { bucketOf, privateConversationId } from '#platform/ids.ts';
import { UNSHARDED } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import type { SeededBot } from './seed.ts';

const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';
const PER_TRANSACTION = 500;

interface Deps {
  db: Database;
  keyring: Keyring;
  newId: Platform['newId'];
}

/** Sends the events of all these bots to one URL. */
export async function pointWebhooksAt({ db, keyring }: Deps, bots: SeededBot[], url: string): Promise<void> {
  await db.begin(async (tx) => {
    for (const { appId } of bots) {
      const { webhookSecret, webhookSecretKeyId } = sealWebhookSecret(keyring, appId, SECRET);
      await tx`
        update applications set webhook_secret = ${webhookSecret}, webhook_secret_key_id = ${webhookSecretKeyId}
        where app_id = ${appId}`;
      const stored = storeWebhookUrl(keyring, appId, url);
      await updateWebhookUrl(tx, await lockAnyApplication(tx, appId), stored);
    }
  });
}

/** Events of messages to each of the bots in turn, which the process that stored them left unsent when it was killed. */
export async function recordBacklog(deps: Deps, bots: SeededBot[], count: number): Promise<void> {
  const memoryQueue = new MemoryQueue(systemClock);
  const workerId = randomInt(2 ** 31);
  memoryQueue.open({ workerId, until: Number.POSITIVE_INFINITY, owns: () => true, wake: () => undefined });
  const now = systemClock.now();
  await deps.db.begin((tx) => upsertWorker(tx, { workerId, seenAt: now, heldSince: now, renewals: 0 }));
  for (let from = 0; from < count; from += PER_TRANSACTION) {
    const events = Array.from({ length: Math.min(PER_TRANSACTION, count - from) }, (_, i) =>
      eventOf(deps, bots[(from + i) % bots.length] as SeededBot),
    );
    await deps.db.begin((tx) => recordEvents(tx, { ...deps, shards: UNSHARDED, memoryQueue }, events));
  }
}

/** The bytes of each of those events, except for its ids. */
export function bodyOf(deps: Pick<Deps, 'newId'>, bot: SeededBot): string {
  const { type, data } = eventOf(deps, bot);
  return JSON.stringify({ type, data });
}

function eventOf({ newId }: Pick<Deps, 'newId'>, { appId, personId, accountId }: SeededBot): OutgoingEvent {
  const at = Date.now();
  const msgId = newId('msg');
  const data = eventMessage(
    { type: 'text', body: { content: 'Where is my parcel? It should have come at 9:40 today.' } },
    { msgId, from: personId, sentAt: at },
    { chatId: personId },
  );
  const bucket = bucketOf(privateConversationId(accountId, personId));
  return { bucket, appId, type: 'message.received', msgId, data, state: 'pending', at };
}
