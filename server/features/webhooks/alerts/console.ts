import { Type } from 'typebox';
import { AppId } from '#contract/applications.ts';
import { id } from '#contract/ids.ts';
import {
  AddAlertContact,
  AddedAlertContact,
  Alert,
  AlertContact,
  ContactTest,
  Mute,
  MuteState,
} from '#contract/webhooks/alerts.ts';
import type { ConsoleRoutes } from '#features/accounts/index.ts';
import { ownedBy } from '#features/applications/index.ts';
import type { Webhooks } from '../index.ts';

const params = Type.Object({ appId: AppId });
const paramsOfOne = Type.Object({ appId: AppId, contactId: id() });

/** Contacts for alerts about abandoned events, and past alerts. */
export function alertRoutes(routes: ConsoleRoutes, { alerts }: Webhooks): void {
  routes.get(
    '/applications/:appId/alert-contacts',
    { params, reply: Type.Array(AlertContact), message: 'alert contacts' },
    ({ person, params: { appId } }) => alerts.listContacts(ownedBy(person, appId)),
  );

  routes.post(
    '/applications/:appId/alert-contacts',
    { params, body: AddAlertContact, reply: AddedAlertContact, message: 'alert contact added', status: 201 },
    ({ person, params: { appId }, body }) => alerts.addContact(ownedBy(person, appId), body),
  );

  routes.delete(
    '/applications/:appId/alert-contacts/:contactId',
    {
      params: paramsOfOne,
      reply: Type.Object({ removed: Type.Literal(true) }),
      message: 'alert contact removed',
    },
    async ({ person, params: { appId, contactId } }) => {
      await alerts.removeContact(ownedBy(person, appId), contactId);
      return { removed: true as const };
    },
  );

  routes.post(
    '/applications/:appId/alert-contacts/:contactId/test',
    {
      params: paramsOfOne,
      reply: ContactTest,
      message: ({ isSent }) => (isSent ? 'test sent' : 'test not sent'),
    },
    ({ person, params: { appId, contactId } }) => alerts.testContact(ownedBy(person, appId), contactId),
  );

  routes.post(
    '/applications/:appId/alert-contacts/:contactId/confirmation',
    {
      params: paramsOfOne,
      reply: ContactTest,
      message: ({ isSent }) => (isSent ? 'mail sent' : 'mail not sent'),
    },
    ({ person, params: { appId, contactId } }) => alerts.sendConfirmation(ownedBy(person, appId), contactId),
  );

  const contactMute = '/applications/:appId/alert-contacts/:contactId/mute';
  routes.put(
    contactMute,
    { params: paramsOfOne, body: Mute, reply: AlertContact, message: 'alert contact muted' },
    ({ person, params: { appId, contactId }, body: { until } }) =>
      alerts.muteContact(ownedBy(person, appId), { contactId, until }),
  );
  routes.delete(
    contactMute,
    { params: paramsOfOne, reply: AlertContact, message: 'alert contact is told again' },
    ({ person, params: { appId, contactId } }) =>
      alerts.muteContact(ownedBy(person, appId), { contactId, until: undefined }),
  );

  const alertsMute = '/applications/:appId/alerts/mute';
  routes.get(
    alertsMute,
    { params, reply: MuteState, message: 'whether alerts are muted' },
    ({ person, params: { appId } }) => alerts.showMute(ownedBy(person, appId)),
  );
  routes.put(
    alertsMute,
    { params, body: Mute, reply: MuteState, message: 'alerts muted' },
    ({ person, params: { appId }, body: { until } }) => alerts.muteAlerts(ownedBy(person, appId), until),
  );
  routes.delete(
    alertsMute,
    { params, reply: MuteState, message: 'alerts are sent again' },
    ({ person, params: { appId } }) => alerts.muteAlerts(ownedBy(person, appId), undefined),
  );

  routes.get(
    '/applications/:appId/alerts',
    { params, reply: Type.Array(Alert), message: 'alerts, newest first' },
    ({ person, params: { appId } }) => alerts.listAlerts(ownedBy(person, appId)),
  );
}
