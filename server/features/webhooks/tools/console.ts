import { Type } from 'typebox';
import { AppId } from '#contract/applications.ts';
import {
  CheckSignature,
  EndpointAudit,
  LoggedEventDetails,
  SignatureVerdict,
  SimulatedEvent,
  SimulateEvent,
} from '#contract/webhooks.ts';
import type { ConsoleRoutes } from '#features/accounts/index.ts';
import { ownedBy } from '#features/applications/index.ts';
import type { Webhooks } from '../index.ts';

const params = Type.Object({ appId: AppId });

/** Tools to test a receiver. */
export function trialRoutes(routes: ConsoleRoutes, { tools }: Webhooks): void {
  routes.post(
    '/applications/:appId/webhook/ping',
    {
      params,
      reply: LoggedEventDetails,
      message: ({ state }) => (state === 'delivered' ? 'ping delivered' : 'ping failed'),
    },
    ({ person, params: { appId } }) => tools.ping(ownedBy(person, appId)),
  );

  routes.post(
    '/applications/:appId/webhook/simulate',
    { params, body: SimulateEvent, reply: SimulatedEvent, message: 'event simulated', status: 201 },
    ({ person, params: { appId }, body }) => tools.simulate(ownedBy(person, appId), body),
  );

  routes.post(
    '/applications/:appId/webhook/check-signature',
    {
      params,
      body: CheckSignature,
      reply: SignatureVerdict,
      message: ({ isValid }) => (isValid ? 'the signature is valid' : 'the signature is not valid'),
    },
    ({ person, params: { appId }, body }) => tools.checkSignature(ownedBy(person, appId), body),
  );

  routes.post(
    '/applications/:appId/webhook/audit',
    {
      params,
      reply: EndpointAudit,
      message: ({ isPassed }) => (isPassed ? 'the receiver passed' : 'the receiver has faults'),
    },
    ({ person, params: { appId } }) => tools.audit(ownedBy(person, appId)),
  );
}
