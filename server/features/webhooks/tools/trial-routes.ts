import { Type } from 'typebox';
import { AppId } from '#contract/applications.ts';
import { Success } from '#contract/envelope.ts';
import {
  CheckSignature,
  EndpointAudit,
  LoggedEventDetails,
  SignatureVerdict,
  SimulatedEvent,
  SimulateEvent,
} from '#contract/webhooks.ts';
import { ownedBy } from '#features/applications/service.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import { auditEndpoint } from './endpoint-audit.ts';
import { checkOwnSignature } from './own-signature.ts';
import { sendPing } from './ping.ts';
import { simulateEvent } from './simulate.ts';
import { createTrialBudget } from './trial-budget.ts';

/** Trying a receiver out. */
export function trialRoutes(app: App, deps: Platform): void {
  const { clock } = deps;
  const params = Type.Object({ appId: AppId });
  const spend = createTrialBudget(deps);

  app.post(
    '/applications/:appId/webhook/ping',
    { schema: { params, response: { 200: Success(LoggedEventDetails) } } },
    async ({ person, params: { appId } }) => {
      await spend(person.accountId);
      const event = await sendPing(deps, ownedBy(person, appId));
      const isDelivered = event.state === 'delivered';
      return success(clock.now(), isDelivered ? 'ping delivered' : 'ping failed', event);
    },
  );

  app.post(
    '/applications/:appId/webhook/simulate',
    { schema: { params, body: SimulateEvent, response: { 201: Success(SimulatedEvent) } } },
    async ({ person, params: { appId }, body }, reply) => {
      await spend(person.accountId);
      const simulated = await simulateEvent(deps, ownedBy(person, appId), body);
      reply.code(201);
      return success(clock.now(), 'event simulated', simulated);
    },
  );

  app.post(
    '/applications/:appId/webhook/check-signature',
    { schema: { params, body: CheckSignature, response: { 200: Success(SignatureVerdict) } } },
    async ({ person, params: { appId }, body }) => {
      const verdict = await checkOwnSignature(deps, ownedBy(person, appId), body);
      return success(
        clock.now(),
        verdict.isValid ? 'the signature is valid' : 'the signature is not valid',
        verdict,
      );
    },
  );

  app.post(
    '/applications/:appId/webhook/audit',
    { schema: { params, response: { 200: Success(EndpointAudit) } } },
    async ({ person, params: { appId } }) => {
      await spend(person.accountId);
      const audit = await auditEndpoint(deps, ownedBy(person, appId));
      return success(clock.now(), audit.isPassed ? 'the receiver passed' : 'the receiver has faults', audit);
    },
  );
}
