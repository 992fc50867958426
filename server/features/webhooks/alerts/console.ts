import { CONSOLE } from '#contract/api/console.ts';
import { ownedBy } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import type { WebhookDeps } from '../deps.ts';
import { openMailLimits, sendConfirmation } from './confirmation.ts';
import { addContact, listAlerts, listContacts, removeContact, testContact } from './contacts.ts';
import { muteAlerts, muteContact, showMute } from './mute.ts';

/** Contacts for alerts about abandoned events, and past alerts. */
export function alertRoutes(deps: WebhookDeps) {
  const limits = openMailLimits(deps);
  return [
    serve(CONSOLE, {
      'GET /applications/:appId/alert-contacts': ({ person, params: { appId } }) =>
        listContacts(deps, ownedBy(person, appId)),
      'POST /applications/:appId/alert-contacts': async ({ person, params: { appId }, body }) => {
        const own = ownedBy(person, appId);
        const add = () => addContact(deps, own, body);
        if (body.kind !== 'email') return add();
        // A new e-mail address is sent a confirmation link.
        const contact = await limits.around(own.ownerId, body.target, add);
        return { ...contact, confirmation: await sendConfirmation(deps, own, contact.contactId) };
      },
      'DELETE /applications/:appId/alert-contacts/:contactId': async ({
        person,
        params: { appId, contactId },
      }) => {
        await removeContact(deps, ownedBy(person, appId), contactId);
        return { removed: true as const };
      },
      'POST /applications/:appId/alert-contacts/:contactId/test': async ({
        person,
        params: { appId, contactId },
      }) => {
        await limits.tests.count(person.accountId);
        return testContact(deps, ownedBy(person, appId), contactId);
      },
      'POST /applications/:appId/alert-contacts/:contactId/confirmation': async ({
        person,
        params: { appId, contactId },
      }) => {
        await limits.tests.count(person.accountId);
        return sendConfirmation(deps, ownedBy(person, appId), contactId, limits.links);
      },
      'PUT /applications/:appId/alert-contacts/:contactId/mute': ({
        person,
        params: { appId, contactId },
        body: { until },
      }) => muteContact(deps, ownedBy(person, appId), { contactId, until }),
      'DELETE /applications/:appId/alert-contacts/:contactId/mute': ({
        person,
        params: { appId, contactId },
      }) => muteContact(deps, ownedBy(person, appId), { contactId, until: undefined }),
      'GET /applications/:appId/alerts/mute': ({ person, params: { appId } }) =>
        showMute(deps, ownedBy(person, appId)),
      'PUT /applications/:appId/alerts/mute': ({ person, params: { appId }, body: { until } }) =>
        muteAlerts(deps, ownedBy(person, appId), until),
      'DELETE /applications/:appId/alerts/mute': ({ person, params: { appId } }) =>
        muteAlerts(deps, ownedBy(person, appId), undefined),
      'GET /applications/:appId/alerts': ({ person, params: { appId } }) =>
        listAlerts(deps, ownedBy(person, appId)),
    }),
  ];
}
