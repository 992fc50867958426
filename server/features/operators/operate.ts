import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { PERSON_LIMITS } from '#contract/accounts/person-limits.ts';
import { OperatorActPage, OperatorActQuery, OperatorSelf, WithReason } from '#contract/operate/acts.ts';
import { ServerHealth } from '#contract/operate/health.ts';
import {
  OneRecoveryCode,
  OperatedPeople,
  OperatedPerson,
  OperatorSearch,
  PasswordLink,
  PersonLimits,
  PersonParams,
  PersonSessions,
  ShownPersonLimits,
  Suspend,
} from '#contract/operate/people.ts';
import type { Platform } from '#platform/platform.ts';
import { applicationRoutes } from './application-routes.ts';
import type { OperateRoutes, Operators } from './index.ts';
import { noticeRoutes } from './notices/operate.ts';
import { policyRoutes } from './policy-routes.ts';
import { reportRoutes } from './reports/operate.ts';

const Done = Type.Object({});
const changes = { needsRecentSignIn: true } as const;

/** The operator's console: people, applications, and the trail of what operators did. */
export function operateRoutes(
  routes: OperateRoutes,
  operators: Operators,
  platform: Pick<Platform, 'config' | 'notices'>,
): void {
  const params = PersonParams;

  routes.get('/me', { reply: OperatorSelf, message: 'you operate this server' }, ({ operator }) => operator);

  routes.get(
    '/people',
    { query: OperatorSearch, reply: OperatedPeople, message: 'people' },
    async ({ query }) => ({ people: await operators.findPeople(query.query) }),
  );

  routes.get(
    '/people/:accountId',
    { params, reply: OperatedPerson, message: 'person' },
    ({ params: { accountId } }) => operators.showPerson(accountId),
  );

  routes.post(
    '/people/:accountId/suspension',
    { ...changes, params, body: Suspend, reply: OperatedPerson, message: 'person suspended' },
    async ({ operator, params: { accountId }, body }) => {
      await operators.suspendPerson({ operatorId: operator.accountId, accountId }, body);
      return operators.showPerson(accountId);
    },
  );

  routes.delete(
    '/people/:accountId/suspension',
    { ...changes, params, body: WithReason, reply: OperatedPerson, message: 'suspension lifted' },
    async ({ operator, params: { accountId }, body }) => {
      await operators.liftSuspension({ operatorId: operator.accountId, accountId }, body.reason);
      return operators.showPerson(accountId);
    },
  );

  routes.get(
    '/people/:accountId/sessions',
    { params, reply: PersonSessions, message: 'where a person is signed in' },
    async ({ params: { accountId } }) => ({ sessions: await operators.listSessionsOf(accountId) }),
  );

  const showLimits = async (accountId: string) => ({
    own: (await operators.showPerson(accountId)).ownLimits,
    server: Object.fromEntries(PERSON_LIMITS.map((name) => [name, platform.config[name]])),
  });

  routes.get(
    '/people/:accountId/limits',
    { params, reply: ShownPersonLimits, message: 'limits of a person' },
    ({ params: { accountId } }) => showLimits(accountId),
  );

  routes.put(
    '/people/:accountId/limits',
    { ...changes, params, body: PersonLimits, reply: ShownPersonLimits, message: 'limits changed' },
    async ({ operator, params: { accountId }, body }) => {
      await operators.changePersonLimits({ operatorId: operator.accountId, accountId }, body);
      return showLimits(accountId);
    },
  );

  routes.delete(
    '/people/:accountId/sessions',
    { ...changes, params, reply: Type.Object({ ended: Type.Integer() }), message: 'person signed out' },
    async ({ operator, params: { accountId } }) => ({
      ended: await operators.signPersonOut({ operatorId: operator.accountId, accountId }),
    }),
  );

  routes.delete(
    '/people/:accountId',
    { ...changes, params, body: WithReason, reply: Done, message: 'person deleted' },
    async ({ operator, params: { accountId }, body }) => {
      await operators.deletePerson({ operatorId: operator.accountId, accountId }, body.reason);
      return {};
    },
  );

  routes.post(
    '/people/:accountId/password-link',
    { ...changes, params, reply: PasswordLink, message: 'link to a new password; it is shown this once' },
    ({ operator, params: { accountId } }) =>
      operators.makePasswordLink({ operatorId: operator.accountId, accountId }),
  );

  routes.post(
    '/people/:accountId/recovery-code',
    { ...changes, params, reply: OneRecoveryCode, message: 'recovery code; it is shown this once' },
    ({ operator, params: { accountId } }) =>
      operators.makeRecoveryCode({ operatorId: operator.accountId, accountId }),
  );

  applicationRoutes(routes, operators);
  reportRoutes(routes, operators);

  routes.get('/health', { reply: ServerHealth, message: 'how the server is' }, () => operators.findHealth());
  policyRoutes(routes, operators, platform.config);
  noticeRoutes(routes, operators, platform);

  routes.get(
    '/acts',
    { query: OperatorActQuery, reply: OperatorActPage, message: 'what operators did' },
    ({ query }) => operators.listActs(query.before),
  );

  routes.raw('/acts/export', { ...changes }, ({ operator, reply }) =>
    reply
      .type('application/x-ndjson')
      .header('content-disposition', 'attachment; filename="operators.ndjson"')
      .send(Readable.from(operators.exportActs(operator.accountId))),
  );
}
