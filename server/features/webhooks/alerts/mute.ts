import type { AlertContact, MuteState } from '#contract/webhooks/alerts.ts';
import type { Applications, Owned } from '#features/applications/index.ts';
import type { Platform } from '#platform/platform.ts';
import { updateContactMuted } from './contact-queries.ts';
import { contactNotFound, viewContact } from './contacts.ts';
import { findAlertsMuted, updateAlertsMuted } from './mute-queries.ts';
import { detailsOf, readUntil, type Until, viewMute } from './mute-state.ts';

type Deps = Pick<Platform, 'db' | 'clock'> & { applications: Applications };

/** Mutes one contact until then. @throws ApiError 404; 400 for a time in the past */
export async function muteContact(
  deps: Deps & Pick<Platform, 'keyring'>,
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
export async function muteAlerts(deps: Deps, own: Owned, until: Until): Promise<MuteState> {
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
export async function showMute({ db, clock, applications }: Deps, own: Owned): Promise<MuteState> {
  await applications.requireOwn(own);
  return viewMute(await findAlertsMuted(db, own.appId), clock.now());
}
