import type { AddAlertContact, AddedAlertContact } from '#contract/webhooks/alerts.ts';
import type { Applications, Owned } from '#features/applications/index.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { confirmContact, findConfirmation, openMailLimits, sendConfirmation } from './confirmation.ts';
import { addContact, listAlerts, listContacts, removeContact, testContact } from './contacts.ts';
import { muteAlerts, muteContact, showMute } from './mute.ts';
import { raiseAlerts } from './raise-alerts.ts';
import { sendNotices } from './send-notices.ts';

/** Contacts for alerts about abandoned events, and past alerts. */
export function createAlerts(deps: Platform & { applications: Applications }) {
  const limits = openMailLimits(deps);
  return {
    ...withDeps(deps, { listContacts, removeContact, muteContact, listAlerts, muteAlerts, showMute }),
    ...withDeps(deps, { findConfirmation, confirmContact }),
    /** A new e-mail address is sent a confirmation link. */
    async addContact(own: Owned, asked: AddAlertContact): Promise<AddedAlertContact> {
      const add = () => addContact(deps, own, asked);
      if (asked.kind !== 'email') return add();
      const contact = await limits.around(own.ownerId, asked.target, add);
      return { ...contact, confirmation: await sendConfirmation(deps, own, contact.contactId) };
    },
    async testContact(own: Owned, contactId: string) {
      await limits.tests.count(own.ownerId);
      return testContact(deps, own, contactId);
    },
    async sendConfirmation(own: Owned, contactId: string) {
      await limits.tests.count(own.ownerId);
      return sendConfirmation(deps, own, contactId, limits.links);
    },
    /** One step of the worker: alerts about abandoned events, as long as there is somebody to alert. */
    async sendDue() {
      await raiseAlerts(deps);
      await sendNotices(deps);
    },
  };
}
