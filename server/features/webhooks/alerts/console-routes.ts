import { Type } from 'typebox';
import { AddAlertContact, Alert, AlertContact, ContactTest } from '#contract/alerts.ts';
import { AppId } from '#contract/applications.ts';
import { Success } from '#contract/envelope.ts';
import { ApiError } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import { openWindow } from '#platform/request-window.ts';
import { addContact, listAlerts, listContacts, removeContact, testContact } from './contacts.ts';

/** Nobody's mailbox is a target for practice. */
const TESTS_PER_HOUR = 10;

/** Who is told when events are given up, and what they were told. */
export function alertRoutes(app: App, deps: Platform): void {
  const { clock } = deps;
  const params = Type.Object({ appId: AppId });
  const paramsOfOne = Type.Object({ appId: AppId, contactId: Type.String() });
  const tests = openWindow(deps, 'alert-test', { windowMs: 3_600_000 });

  app.get(
    '/applications/:appId/alert-contacts',
    { schema: { params, response: { 200: Success(Type.Array(AlertContact)) } } },
    async ({ person, params: { appId } }) => {
      const contacts = await listContacts(deps, { ownerId: person.accountId, appId });
      return success(clock.now(), 'alert contacts', contacts);
    },
  );

  app.post(
    '/applications/:appId/alert-contacts',
    { schema: { params, body: AddAlertContact, response: { 201: Success(AlertContact) } } },
    async ({ person, params: { appId }, body }, reply) => {
      const contact = await addContact(deps, { ownerId: person.accountId, appId }, body);
      reply.code(201);
      return success(clock.now(), 'alert contact added', contact);
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
      await removeContact(deps, { ownerId: person.accountId, appId }, contactId);
      return success(clock.now(), 'alert contact removed', { removed: true as const });
    },
  );

  app.post(
    '/applications/:appId/alert-contacts/:contactId/test',
    { schema: { params: paramsOfOne, response: { 200: Success(ContactTest) } } },
    async ({ person, params: { appId, contactId } }) => {
      const { allowed, resetAt } = await tests.hit(person.accountId, TESTS_PER_HOUR);
      if (!allowed) {
        const seconds = String(Math.max(1, Math.ceil((resetAt - clock.now()) / 1000)));
        const message = `${TESTS_PER_HOUR} tests of alert contacts per hour are enough; try again in ${seconds} s`;
        throw new ApiError(429, 'RATE_LIMIT_EXCEEDED', message, { 'retry-after': seconds });
      }
      const result = await testContact(deps, { ownerId: person.accountId, appId }, contactId);
      return success(clock.now(), result.isSent ? 'test sent' : 'test not sent', result);
    },
  );

  app.get(
    '/applications/:appId/alerts',
    { schema: { params, response: { 200: Success(Type.Array(Alert)) } } },
    async ({ person, params: { appId } }) => {
      const alerts = await listAlerts(deps, { ownerId: person.accountId, appId });
      return success(clock.now(), 'alerts, newest first', alerts);
    },
  );
}
