import { Readable } from 'node:stream';
import { PERSON_LIMITS } from '#contract/accounts/person-limits.ts';
import { OPERATE } from '#contract/api/operate.ts';
import { serve } from '#platform/http/serve.ts';
import { exportActs, listActs } from './acts.ts';
import { applicationRoutes } from './application-routes.ts';
import type { OperatorDeps } from './deps.ts';
import { noticeRoutes } from './notices/operate.ts';
import {
  changePersonLimits,
  deletePerson,
  liftSuspension,
  makePasswordLink,
  makeRecoveryCode,
  signPersonOut,
  suspendPerson,
} from './people.ts';
import { policyRoutes } from './policy-routes.ts';
import { reportRoutes } from './reports/operate.ts';

/** The operator's console: people, applications, and the trail of what operators did. */
export function operateRoutes(deps: OperatorDeps) {
  const { config, accounts } = deps;
  const { showPerson, findPeople, listSessionsOf } = accounts.operator;
  const showLimits = async (accountId: string) => ({
    own: (await showPerson(accountId)).ownLimits,
    server: Object.fromEntries(PERSON_LIMITS.map((name) => [name, config[name]])),
  });
  return [
    serve(OPERATE, {
      'GET /me': ({ operator }) => operator,
      'GET /people': async ({ query }) => ({ people: await findPeople(query.query) }),
      'GET /people/:accountId': ({ params: { accountId } }) => showPerson(accountId),
      'POST /people/:accountId/suspension': async ({ operator, params: { accountId }, body }) => {
        await suspendPerson(deps, { operatorId: operator.accountId, accountId }, body);
        return showPerson(accountId);
      },
      'DELETE /people/:accountId/suspension': async ({ operator, params: { accountId }, body }) => {
        await liftSuspension(deps, { operatorId: operator.accountId, accountId }, body.reason);
        return showPerson(accountId);
      },
      'GET /people/:accountId/sessions': async ({ params: { accountId } }) => ({
        sessions: await listSessionsOf(accountId),
      }),
      'GET /people/:accountId/limits': ({ params: { accountId } }) => showLimits(accountId),
      'PUT /people/:accountId/limits': async ({ operator, params: { accountId }, body }) => {
        await changePersonLimits(deps, { operatorId: operator.accountId, accountId }, body);
        return showLimits(accountId);
      },
      'DELETE /people/:accountId/sessions': async ({ operator, params: { accountId } }) => ({
        ended: await signPersonOut(deps, { operatorId: operator.accountId, accountId }),
      }),
      'DELETE /people/:accountId': async ({ operator, params: { accountId }, body }) => {
        await deletePerson(deps, { operatorId: operator.accountId, accountId }, body.reason);
        return {};
      },
      'POST /people/:accountId/password-link': ({ operator, params: { accountId } }) =>
        makePasswordLink(deps, { operatorId: operator.accountId, accountId }),
      'POST /people/:accountId/recovery-code': ({ operator, params: { accountId } }) =>
        makeRecoveryCode(deps, { operatorId: operator.accountId, accountId }),
      'GET /health': () => deps.findHealth(),
      'GET /acts': ({ query }) => listActs(deps, query.before),
      'GET /acts/export': ({ operator, reply }) =>
        reply
          .type('application/x-ndjson')
          .header('content-disposition', 'attachment; filename="operators.ndjson"')
          .send(Readable.from(exportActs(deps, operator.accountId))),
    }),
    ...applicationRoutes(deps),
    ...reportRoutes(deps),
    ...policyRoutes(deps),
    ...noticeRoutes(deps),
  ];
}
