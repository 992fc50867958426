import { CONSOLE } from '#contract/api/console.ts';
import { ownedBy } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import type { Webhooks } from '../index.ts';

/** Contacts for alerts about abandoned events, and past alerts. */
export function alertRoutes({ alerts }: Webhooks) {
  return [
    serve(CONSOLE, {
      'GET /applications/:appId/alert-contacts': ({ person, params: { appId } }) =>
        alerts.listContacts(ownedBy(person, appId)),
      'POST /applications/:appId/alert-contacts': ({ person, params: { appId }, body }) =>
        alerts.addContact(ownedBy(person, appId), body),
      'DELETE /applications/:appId/alert-contacts/:contactId': async ({
        person,
        params: { appId, contactId },
      }) => {
        await alerts.removeContact(ownedBy(person, appId), contactId);
        return { removed: true as const };
      },
      'POST /applications/:appId/alert-contacts/:contactId/test': ({
        person,
        params: { appId, contactId },
      }) => alerts.testContact(ownedBy(person, appId), contactId),
      'POST /applications/:appId/alert-contacts/:contactId/confirmation': ({
        person,
        params: { appId, contactId },
      }) => alerts.sendConfirmation(ownedBy(person, appId), contactId),
      'PUT /applications/:appId/alert-contacts/:contactId/mute': ({
        person,
        params: { appId, contactId },
        body: { until },
      }) => alerts.muteContact(ownedBy(person, appId), { contactId, until }),
      'DELETE /applications/:appId/alert-contacts/:contactId/mute': ({
        person,
        params: { appId, contactId },
      }) => alerts.muteContact(ownedBy(person, appId), { contactId, until: undefined }),
      'GET /applications/:appId/alerts/mute': ({ person, params: { appId } }) =>
        alerts.showMute(ownedBy(person, appId)),
      'PUT /applications/:appId/alerts/mute': ({ person, params: { appId }, body: { until } }) =>
        alerts.muteAlerts(ownedBy(person, appId), until),
      'DELETE /applications/:appId/alerts/mute': ({ person, params: { appId } }) =>
        alerts.muteAlerts(ownedBy(person, appId), undefined),
      'GET /applications/:appId/alerts': ({ person, params: { appId } }) =>
        alerts.listAlerts(ownedBy(person, appId)),
    }),
  ];
}
