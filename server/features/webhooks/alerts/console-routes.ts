import { Type } from 'typebox';
import {
  AddAlertContact,
  AddedAlertContact,
  Alert,
  AlertContact,
  ContactTest,
  Mute,
  MuteState,
} from '#contract/alerts.ts';
import { AppId } from '#contract/applications.ts';
import { Success } from '#contract/envelope.ts';
import { id } from '#contract/ids.ts';
import { ownedBy } from '#features/applications/service.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import { openMailLimits, sendConfirmation } from './confirmation.ts';
import { addContact, listAlerts, listContacts, removeContact, testContact } from './contacts.ts';
import { muteAlerts, muteContact, showMute } from './mute.ts';

/** Who is told when events are given up, and what they were told. */
export function alertRoutes(app: App, deps: Platform): void {
  const { clock } = deps;
  const params = Type.Object({ appId: AppId });
  const paramsOfOne = Type.Object({ appId: AppId, contactId: id() });
  const limits = openMailLimits(deps);

  app.get(
    '/applications/:appId/alert-contacts',
    { schema: { params, response: { 200: Success(Type.Array(AlertContact)) } } },
    async ({ person, params: { appId } }) => {
      const contacts = await listContacts(deps, ownedBy(person, appId));
      return success(clock.now(), 'alert contacts', contacts);
    },
  );

  app.post(
    '/applications/:appId/alert-contacts',
    { schema: { params, body: AddAlertContact, response: { 201: Success(AddedAlertContact) } } },
    async ({ person, params: { appId }, body }, reply) => {
      const own = ownedBy(person, appId);
      const add = () => addContact(deps, own, body);
      const contact = await (body.kind === 'email'
        ? limits.around(person.accountId, body.target, add)
        : add());
      const confirmation =
        body.kind === 'email' ? await sendConfirmation(deps, own, contact.contactId) : undefined;
      reply.code(201);
      return success(clock.now(), 'alert contact added', {
        ...contact,
        ...(confirmation && { confirmation }),
      });
    },
  );

  app.delete(
    '/applications/:appId/alert-contacts/:contactId',
    {
      schema: {
        params: paramsOfOne,
        response: { 200: Success(Type.Object({ removed: Type.Literal(true) })) },
      },
    },
    async ({ person, params: { appId, contactId } }) => {
      await removeContact(deps, ownedBy(person, appId), contactId);
      return success(clock.now(), 'alert contact removed', { removed: true as const });
    },
  );

  app.post(
    '/applications/:appId/alert-contacts/:contactId/test',
    { schema: { params: paramsOfOne, response: { 200: Success(ContactTest) } } },
    async ({ person, params: { appId, contactId } }) => {
      await limits.tests.count(person.accountId);
      const result = await testContact(deps, ownedBy(person, appId), contactId);
      return success(clock.now(), result.isSent ? 'test sent' : 'test not sent', result);
    },
  );

  app.post(
    '/applications/:appId/alert-contacts/:contactId/confirmation',
    { schema: { params: paramsOfOne, response: { 200: Success(ContactTest) } } },
    async ({ person, params: { appId, contactId } }) => {
      const own = ownedBy(person, appId);
      await limits.tests.count(person.accountId);
      const result = await sendConfirmation(deps, own, contactId, limits.links);
      return success(clock.now(), result.isSent ? 'mail sent' : 'mail not sent', result);
    },
  );

  const contactMute = '/applications/:appId/alert-contacts/:contactId/mute';
  const contactAnswer = { params: paramsOfOne, response: { 200: Success(AlertContact) } };
  app.put(
    contactMute,
    { schema: { ...contactAnswer, body: Mute } },
    async ({ person, params: { appId, contactId }, body: { until } }) => {
      const contact = await muteContact(deps, ownedBy(person, appId), { contactId, until });
      return success(clock.now(), 'alert contact muted', contact);
    },
  );
  app.delete(contactMute, { schema: contactAnswer }, async ({ person, params: { appId, contactId } }) => {
    const contact = await muteContact(deps, ownedBy(person, appId), { contactId, until: undefined });
    return success(clock.now(), 'alert contact is told again', contact);
  });

  const alertsMute = '/applications/:appId/alerts/mute';
  const muteAnswer = { params, response: { 200: Success(MuteState) } };
  app.get(alertsMute, { schema: muteAnswer }, async ({ person, params: { appId } }) =>
    success(clock.now(), 'whether alerts are muted', await showMute(deps, ownedBy(person, appId))),
  );
  app.put(
    alertsMute,
    { schema: { ...muteAnswer, body: Mute } },
    async ({ person, params: { appId }, body: { until } }) =>
      success(clock.now(), 'alerts muted', await muteAlerts(deps, ownedBy(person, appId), until)),
  );
  app.delete(alertsMute, { schema: muteAnswer }, async ({ person, params: { appId } }) =>
    success(clock.now(), 'alerts are sent again', await muteAlerts(deps, ownedBy(person, appId), undefined)),
  );

  app.get(
    '/applications/:appId/alerts',
    { schema: { params, response: { 200: Success(Type.Array(Alert)) } } },
    async ({ person, params: { appId } }) => {
      const alerts = await listAlerts(deps, ownedBy(person, appId));
      return success(clock.now(), 'alerts, newest first', alerts);
    },
  );
}
