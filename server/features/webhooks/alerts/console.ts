import { APPLICATION } from '#contract/api/console.ts';
import type { AlertContact, MuteState } from '#contract/webhooks/alerts.ts';
import type { LockedApplication, Owned } from '#features/applications/index.ts';
import type { Db, Tx } from '#platform/database.ts';
import { serve } from '#platform/http/serve.ts';
import type { WebhookDeps } from '../deps.ts';
import { openMailLimits, sendConfirmation } from './confirmation.ts';
import { updateContactMuted } from './contact-queries.ts';
import {
  addContact,
  contactNotFound,
  listAlerts,
  listContacts,
  removeContact,
  testContact,
  viewContact,
} from './contacts.ts';
import { detailsOf, readUntil, type Until, viewMute } from './queries.ts';

/** Contacts for alerts about abandoned events, and past alerts. */
export function alertRoutes(deps: WebhookDeps) {
  const limits = openMailLimits(deps);
  return serve(APPLICATION, {
    'GET /applications/:appId/alert-contacts': ({ own }) => listContacts(deps, own),
    'POST /applications/:appId/alert-contacts': async ({ own, body }) => {
      const add = () => addContact(deps, own, body);
      if (body.kind !== 'email') return add();
      // A new e-mail address is sent a confirmation link.
      const contact = await limits.around(own.actorId, body.target, add);
      return { ...contact, confirmation: await sendConfirmation(deps, own, contact.contactId) };
    },
    'DELETE /applications/:appId/alert-contacts/:contactId': ({ own, params: { contactId } }) =>
      removeContact(deps, own, contactId),
    'POST /applications/:appId/alert-contacts/:contactId/test': async ({ own, params: { contactId } }) => {
      await limits.tests.count(own.actorId);
      return testContact(deps, own, contactId);
    },
    'POST /applications/:appId/alert-contacts/:contactId/confirmation': async ({
      own,
      params: { contactId },
    }) => {
      await limits.tests.count(own.actorId);
      return sendConfirmation(deps, own, contactId, limits.links);
    },
    'PUT /applications/:appId/alert-contacts/:contactId/mute': ({
      own,
      params: { contactId },
      body: { until },
    }) => muteContact(deps, own, { contactId, until }),
    'DELETE /applications/:appId/alert-contacts/:contactId/mute': ({ own, params: { contactId } }) =>
      muteContact(deps, own, { contactId, until: undefined }),
    'GET /applications/:appId/alerts/mute': ({ own }) => showMute(deps, own),
    'PUT /applications/:appId/alerts/mute': ({ own, body: { until } }) => muteAlerts(deps, own, until),
    'DELETE /applications/:appId/alerts/mute': ({ own }) => muteAlerts(deps, own, undefined),
    'GET /applications/:appId/alerts': ({ own }) => listAlerts(deps, own),
  });
}

/** Mutes one contact until then. @throws ApiError 404; 400 for a time in the past */
async function muteContact(
  deps: WebhookDeps,
  own: Owned,
  { contactId, until }: { contactId: string; until: Until },
): Promise<AlertContact> {
  const now = deps.clock.now();
  const mutedUntil = readUntil(until, now);
  return deps.db.begin(async (tx) => {
    const { appId } = await deps.applications.lockOwn(tx, own);
    const row = await updateContactMuted(tx, { appId, contactId, mutedUntil });
    if (!row) throw contactNotFound();
    const action = mutedUntil === null ? 'alert-contact.unmuted' : 'alert-contact.muted';
    await deps.applications.recordAudit(tx, own, action, { contactId, ...detailsOf(mutedUntil) });
    return viewContact(deps.keyring, row, now);
  });
}

/** Mutes an application's alerts until then. @throws ApiError 404; 400 for a time in the past */
async function muteAlerts(deps: WebhookDeps, own: Owned, until: Until): Promise<MuteState> {
  const now = deps.clock.now();
  const mutedUntil = readUntil(until, now);
  await deps.db.begin(async (tx) => {
    await updateAlertsMuted(tx, await deps.applications.lockOwn(tx, own), mutedUntil);
    const action = mutedUntil === null ? 'alerts.unmuted' : 'alerts.muted';
    await deps.applications.recordAudit(tx, own, action, detailsOf(mutedUntil));
  });
  return viewMute(mutedUntil, now);
}

/** @throws ApiError 404 */
async function showMute({ db, clock, applications }: WebhookDeps, own: Owned): Promise<MuteState> {
  await applications.requireOwn(own);
  return viewMute(await findAlertsMuted(db, own.appId), clock.now());
}

async function findAlertsMuted(db: Db, appId: string): Promise<number | null> {
  const [row] = await db<{ alertsMutedUntil: number | null }[]>`
    select alerts_muted_until from applications where app_id = ${appId}`;
  return row?.alertsMutedUntil ?? null;
}

async function updateAlertsMuted(
  tx: Tx,
  { appId }: LockedApplication,
  mutedUntil: number | null,
): Promise<void> {
  await tx`update applications set alerts_muted_until = ${mutedUntil} where app_id = ${appId}`;
}
