import { Readable } from 'node:stream';
import { PERSON_LIMITS } from '#contract/accounts/person-limits.ts';
import { OPERATE } from '#contract/api/operate.ts';
import { serve } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { applicationRoutes } from './application-routes.ts';
import type { Operators } from './index.ts';
import { noticeRoutes } from './notices/operate.ts';
import { policyRoutes } from './policy-routes.ts';
import { reportRoutes } from './reports/operate.ts';

/** The operator's console: people, applications, and the trail of what operators did. */
export function operateRoutes(operators: Operators, platform: Pick<Platform, 'config' | 'notices'>) {
  const showLimits = async (accountId: string) => ({
    own: (await operators.showPerson(accountId)).ownLimits,
    server: Object.fromEntries(PERSON_LIMITS.map((name) => [name, platform.config[name]])),
  });
  return [
    serve(OPERATE, {
      'GET /me': ({ operator }) => operator,
      'GET /people': async ({ query }) => ({ people: await operators.findPeople(query.query) }),
      'GET /people/:accountId': ({ params: { accountId } }) => operators.showPerson(accountId),
      'POST /people/:accountId/suspension': async ({ operator, params: { accountId }, body }) => {
        await operators.suspendPerson({ operatorId: operator.accountId, accountId }, body);
        return operators.showPerson(accountId);
      },
      'DELETE /people/:accountId/suspension': async ({ operator, params: { accountId }, body }) => {
        await operators.liftSuspension({ operatorId: operator.accountId, accountId }, body.reason);
        return operators.showPerson(accountId);
      },
      'GET /people/:accountId/sessions': async ({ params: { accountId } }) => ({
        sessions: await operators.listSessionsOf(accountId),
      }),
      'GET /people/:accountId/limits': ({ params: { accountId } }) => showLimits(accountId),
      'PUT /people/:accountId/limits': async ({ operator, params: { accountId }, body }) => {
        await operators.changePersonLimits({ operatorId: operator.accountId, accountId }, body);
        return showLimits(accountId);
      },
      'DELETE /people/:accountId/sessions': async ({ operator, params: { accountId } }) => ({
        ended: await operators.signPersonOut({ operatorId: operator.accountId, accountId }),
      }),
      'DELETE /people/:accountId': async ({ operator, params: { accountId }, body }) => {
        await operators.deletePerson({ operatorId: operator.accountId, accountId }, body.reason);
        return {};
      },
      'POST /people/:accountId/password-link': ({ operator, params: { accountId } }) =>
        operators.makePasswordLink({ operatorId: operator.accountId, accountId }),
      'POST /people/:accountId/recovery-code': ({ operator, params: { accountId } }) =>
        operators.makeRecoveryCode({ operatorId: operator.accountId, accountId }),
      'GET /health': () => operators.findHealth(),
      'GET /acts': ({ query }) => operators.listActs(query.before),
      'GET /acts/export': ({ operator, reply }) =>
        reply
          .type('application/x-ndjson')
          .header('content-disposition', 'attachment; filename="operators.ndjson"')
          .send(Readable.from(operators.exportActs(operator.accountId))),
    }),
    ...applicationRoutes(operators),
    ...reportRoutes(operators),
    ...policyRoutes(operators, platform.config),
    ...noticeRoutes(operators, platform),
  ];
}
