import { hashSecret } from '#platform/crypto/random-secrets.ts';
import type { Platform } from '#platform/platform.ts';
import { recordAudit } from '../audit/record.ts';
import {
  deleteExpiredPreviousSecrets,
  findForDelivery,
  updateClientSecret,
  updatePreviousWebhookSecret,
  updateWebhookSecret,
} from '../queries.ts';
import { lockOwnApplication, type Owned } from '../service.ts';
import {
  makeClientSecret,
  makeWebhookSecret,
  openWebhookSecret,
  sealPreviousWebhookSecret,
  sealWebhookSecret,
} from './secrets.ts';

export async function regenerateClientSecret(deps: Platform, own: Owned): Promise<string> {
  const { db, clock, random } = deps;
  const clientSecret = makeClientSecret(random);
  await db.begin(async (tx) => {
    const application = await lockOwnApplication(tx, own);
    await updateClientSecret(tx, application, {
      hash: hashSecret(clientSecret),
      createdAt: clock.now(),
    });
    await recordAudit(tx, deps, own, 'client-secret.regenerated');
  });
  return clientSecret;
}

/**
 * The new secret signs from the next attempt on. The old one stops signing, unless the owner asks for an overlap; of three
 * secrets the oldest is dropped.
 */
export async function regenerateWebhookSecret(
  deps: Platform,
  own: Owned,
  overlapHours?: number,
): Promise<string> {
  const { db, clock, random, keyring } = deps;
  const webhookSecret = makeWebhookSecret(random);
  const now = clock.now();
  await db.begin(async (tx) => {
    const application = await lockOwnApplication(tx, own);
    const { appId } = application;
    const [current] = await findForDelivery(tx, [appId]);
    const old = overlapHours && current && openWebhookSecret(keyring, appId, current);
    const previous = old
      ? { ...sealPreviousWebhookSecret(keyring, appId, old), until: now + overlapHours * 3_600_000 }
      : undefined;
    await updatePreviousWebhookSecret(tx, application, previous);
    const sealed = sealWebhookSecret(keyring, appId, webhookSecret);
    await updateWebhookSecret(tx, application, { ...sealed, createdAt: now });
    await recordAudit(tx, deps, own, 'webhook-secret.regenerated', overlapHours ? { overlapHours } : {});
  });
  return webhookSecret;
}

/** From the next attempt on only the newest secret signs; not an error without an overlap. */
export async function endSecretOverlap(deps: Platform, own: Owned): Promise<void> {
  await deps.db.begin(async (tx) => {
    const application = await lockOwnApplication(tx, own);
    if (application.previousWebhookSecretUntil === null) return;
    await recordAudit(tx, deps, own, 'webhook-secret.overlap-ended');
    await updatePreviousWebhookSecret(tx, application, undefined);
  });
}

/** Deletes secrets whose overlap has ended; one step of the expiry worker. */
export async function removeExpiredSecrets({ db, clock }: Platform): Promise<void> {
  await db.begin((tx) => deleteExpiredPreviousSecrets(tx, clock.now()));
}
