import { Readable } from 'node:stream';
import { PERSON_LIMITS } from '#contract/accounts/person-limits.ts';
import { OPERATE } from '#contract/api/operate.ts';
import { serve } from '#platform/http/serve.ts';
import { exportActs, listActs } from './acts.ts';
import {
  changeQuota,
  findApplications,
  showApplication,
  suspendApplication,
  unsuspendApplication,
} from './applications.ts';
import type { OperatorDeps } from './deps.ts';
import { listFailingEndpoints, listGrantsOf, showEndpoint } from './endpoints.ts';
import { announce, endAnnouncement, listAnnouncements } from './notices/announce.ts';
import { endMaintenance, startMaintenance } from './notices/maintenance.ts';
import {
  changePersonLimits,
  deletePerson,
  liftSuspension,
  makePasswordLink,
  makeRecoveryCode,
  signPersonOut,
  suspendPerson,
} from './people.ts';
import {
  holdConversation,
  listHolds,
  makeInvitation,
  releaseConversation,
  revokeInvitation,
} from './policy.ts';
import { decideReport, listReports, showReport } from './reports.ts';

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

/** People's reports. */
function reportRoutes(deps: OperatorDeps) {
  return [
    serve(OPERATE, {
      'GET /reports': ({ query }) => listReports(deps, { ...query, isDecided: query.isDecided === 'true' }),
      'GET /reports/:reportId': ({ params: { reportId } }) => showReport(deps, reportId),
      'POST /reports/:reportId/decision': async ({ operator, params: { reportId }, body }) => {
        await decideReport(deps, { ...body, reportId, operatorId: operator.accountId });
        return showReport(deps, reportId);
      },
    }),
  ];
}

/** Announcements and maintenance. */
function noticeRoutes(deps: OperatorDeps) {
  const listed = async () => ({ announcements: await listAnnouncements(deps) });
  const state = () => ({ ...(deps.notices.maintenance && { maintenance: deps.notices.maintenance }) });
  return [
    serve(OPERATE, {
      'GET /announcements': listed,
      'POST /announcements': async ({ operator, body }) => ({
        announcementId: await announce(deps, { operatorId: operator.accountId }, body),
      }),
      'DELETE /announcements/:announcementId': async ({ operator, params }) => {
        await endAnnouncement(deps, { operatorId: operator.accountId }, params.announcementId);
        return {};
      },
      'PUT /maintenance': async ({ operator, body }) => {
        await startMaintenance(deps, { operatorId: operator.accountId }, body);
        return state();
      },
      'DELETE /maintenance': async ({ operator }) => {
        await endMaintenance(deps, { operatorId: operator.accountId });
        return state();
      },
    }),
  ];
}

/** Finding, suspending and monitoring applications, and their quotas. */
function applicationRoutes(deps: OperatorDeps) {
  return [
    serve(OPERATE, {
      'GET /applications': async ({ query }) => ({
        applications: await findApplications(deps, query.query),
      }),
      'GET /applications/:appId': ({ params: { appId } }) => showApplication(deps, appId),
      'POST /applications/:appId/suspension': async ({ operator, params: { appId }, body }) => {
        await suspendApplication(deps, { operatorId: operator.accountId, appId }, body.reason);
        return showApplication(deps, appId);
      },
      'DELETE /applications/:appId/suspension': async ({ operator, params: { appId }, body }) => {
        await unsuspendApplication(deps, { operatorId: operator.accountId, appId }, body.reason);
        return showApplication(deps, appId);
      },
      'PUT /applications/:appId/quota': async ({ operator, params: { appId }, body }) => {
        await changeQuota(deps, { operatorId: operator.accountId, appId }, body.requestsPerMinute);
        return showApplication(deps, appId);
      },
      'GET /applications/:appId/endpoint': ({ params: { appId } }) => showEndpoint(deps, appId),
      'GET /applications/:appId/grants': ({ params: { appId }, query }) =>
        listGrantsOf(deps, appId, query.before),
      'GET /failing-endpoints': () => listFailingEndpoints(deps),
    }),
  ];
}

/** Invitations to sign up, and legal holds. */
function policyRoutes(deps: OperatorDeps) {
  return [
    serve(OPERATE, {
      'GET /invitations': async () => ({
        invitations: await deps.accounts.operator.listSignUpInvitations(),
      }),
      'POST /invitations': ({ operator, body }) =>
        makeInvitation(deps, deps.config, { operatorId: operator.accountId }, body),
      'DELETE /invitations/:invitationId': async ({ operator, params }) => {
        await revokeInvitation(deps, { operatorId: operator.accountId }, params.invitationId);
        return {};
      },
      'GET /holds': async () => ({
        holds: await listHolds(deps),
      }),
      'POST /holds': async ({ operator, body: { reason, ...named } }) => {
        await holdConversation(deps, { operatorId: operator.accountId }, named, reason);
        return { holds: await listHolds(deps) };
      },
      'DELETE /holds/:conversationId': async ({ operator, params, body }) => {
        const by = { operatorId: operator.accountId };
        await releaseConversation(deps, by, params.conversationId, body.reason);
        return {};
      },
    }),
  ];
}
