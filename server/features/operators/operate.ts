import { Readable } from 'node:stream';
import { Type } from 'typebox';
import {
  ChangeQuota,
  DecideReport,
  HeldConversationParams,
  HeldConversations,
  HoldConversation,
  MadeSignUpInvitation,
  MakeSignUpInvitation,
  OneRecoveryCode,
  OperatedApplication,
  OperatedApplicationParams,
  OperatedApplications,
  OperatedPeople,
  OperatedPerson,
  OperatedReport,
  OperatorActPage,
  OperatorActQuery,
  OperatorSearch,
  OperatorSelf,
  PasswordLink,
  PersonParams,
  ReportPage,
  ReportParams,
  ReportQuery,
  ServerHealth,
  SignUpInvitationParams,
  SignUpInvitations,
  Suspend,
  WithReason,
} from '#contract/operate.ts';
import type { Config } from '#platform/config.ts';
import type { Platform } from '#platform/platform.ts';
import type { OperateRoutes, Operators } from './index.ts';
import { noticeRoutes } from './notices/operate.ts';

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

function applicationRoutes(routes: OperateRoutes, operators: Operators): void {
  const params = OperatedApplicationParams;
  const one = { params, reply: OperatedApplication };

  routes.get(
    '/applications',
    { query: OperatorSearch, reply: OperatedApplications, message: 'applications' },
    async ({ query }) => ({ applications: await operators.findApplications(query.query) }),
  );

  routes.get('/applications/:appId', { ...one, message: 'application' }, ({ params: { appId } }) =>
    operators.showApplication(appId),
  );

  routes.post(
    '/applications/:appId/suspension',
    { ...changes, ...one, body: WithReason, message: 'application suspended' },
    async ({ operator, params: { appId }, body }) => {
      await operators.suspendApplication({ operatorId: operator.accountId, appId }, body.reason);
      return operators.showApplication(appId);
    },
  );

  routes.delete(
    '/applications/:appId/suspension',
    { ...changes, ...one, body: WithReason, message: 'application unsuspended' },
    async ({ operator, params: { appId }, body }) => {
      await operators.unsuspendApplication({ operatorId: operator.accountId, appId }, body.reason);
      return operators.showApplication(appId);
    },
  );

  routes.put(
    '/applications/:appId/quota',
    { ...changes, ...one, body: ChangeQuota, message: 'quota changed' },
    async ({ operator, params: { appId }, body }) => {
      await operators.changeQuota({ operatorId: operator.accountId, appId }, body.requestsPerMinute);
      return operators.showApplication(appId);
    },
  );
}

function reportRoutes(routes: OperateRoutes, operators: Operators): void {
  const params = ReportParams;

  routes.get('/reports', { query: ReportQuery, reply: ReportPage, message: 'reports' }, ({ query }) =>
    operators.listReports({ ...query, isDecided: query.isDecided === 'true' }),
  );

  routes.get(
    '/reports/:reportId',
    { params, reply: OperatedReport, message: 'report' },
    ({ params: { reportId } }) => operators.showReport(reportId),
  );

  routes.post(
    '/reports/:reportId/decision',
    { ...changes, params, body: DecideReport, reply: OperatedReport, message: 'report decided' },
    async ({ operator, params: { reportId }, body }) => {
      await operators.decideReport({ ...body, reportId, operatorId: operator.accountId });
      return operators.showReport(reportId);
    },
  );
}

function policyRoutes(
  routes: OperateRoutes,
  operators: Operators,
  config: Pick<Config, 'publicUrl' | 'port'>,
): void {
  routes.get('/invitations', { reply: SignUpInvitations, message: 'invitations to sign up' }, async () => ({
    invitations: await operators.listSignUpInvitations(),
  }));

  routes.post(
    '/invitations',
    {
      ...changes,
      body: MakeSignUpInvitation,
      reply: MadeSignUpInvitation,
      message: 'invitation made; its link is shown this once',
      status: 201,
    },
    ({ operator, body }) => operators.makeInvitation(config, { operatorId: operator.accountId }, body),
  );

  routes.delete(
    '/invitations/:invitationId',
    { ...changes, params: SignUpInvitationParams, reply: Done, message: 'invitation revoked' },
    async ({ operator, params }) => {
      await operators.revokeInvitation({ operatorId: operator.accountId }, params.invitationId);
      return {};
    },
  );

  routes.get(
    '/holds',
    { reply: HeldConversations, message: 'conversations under a legal hold' },
    async () => ({
      holds: await operators.listHolds(),
    }),
  );

  routes.post(
    '/holds',
    {
      ...changes,
      body: HoldConversation,
      reply: HeldConversations,
      message: 'conversation held',
      status: 201,
    },
    async ({ operator, body: { reason, ...named } }) => {
      await operators.holdConversation({ operatorId: operator.accountId }, named, reason);
      return { holds: await operators.listHolds() };
    },
  );

  routes.delete(
    '/holds/:conversationId',
    { ...changes, params: HeldConversationParams, body: WithReason, reply: Done, message: 'hold released' },
    async ({ operator, params, body }) => {
      const by = { operatorId: operator.accountId };
      await operators.releaseConversation(by, params.conversationId, body.reason);
      return {};
    },
  );
}
