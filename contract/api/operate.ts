import { Type } from 'typebox';
import { endpoints } from '../endpoints.ts';
import { MaintenanceState } from '../notices.ts';
import { ApplicationGrants } from '../oauth.ts';
import { OperatorActPage, OperatorActQuery, OperatorSelf, WithReason } from '../operate/acts.ts';
import {
  ChangeQuota,
  FailingEndpoints,
  GrantQuery,
  OperatedApplication,
  OperatedApplications,
  OperatedEndpoint,
} from '../operate/applications.ts';
import { ServerHealth, ServerOverview } from '../operate/health.ts';
import { Announcements, MakeAnnouncement, StartMaintenance } from '../operate/notices.ts';
import {
  OneRecoveryCode,
  OperatedPeople,
  OperatedPerson,
  OperatorSearch,
  PasswordLink,
  PersonLimits,
  PersonSessions,
  ShownPersonLimits,
  Suspend,
} from '../operate/people.ts';
import {
  HeldConversations,
  HoldConversation,
  MadeSignUpInvitation,
  MakeSignUpInvitation,
  SignUpInvitations,
} from '../operate/policy.ts';
import {
  AddProvider,
  ChangeProvider,
  OperatedProvider,
  OperatedProviders,
  ProviderFaults,
  ScimToken,
} from '../operate/providers.ts';
import { DecideReport, OperatedReport, ReportPage, ReportQuery } from '../operate/reports.ts';

const Done = Type.Object({});

/** The endpoints of the operators' console. */
export const OPERATE = endpoints('operator', '/api/operate', {
  'GET /applications': { query: OperatorSearch, reply: OperatedApplications, message: 'applications' },
  'GET /applications/:appId': {
    reply: OperatedApplication,
    message: 'application',
  },
  'POST /applications/:appId/suspension': {
    needs: 'recent-sign-in',
    body: WithReason,
    reply: OperatedApplication,
    message: 'application suspended',
  },
  'DELETE /applications/:appId/suspension': {
    needs: 'recent-sign-in',
    body: WithReason,
    reply: OperatedApplication,
    message: 'application unsuspended',
  },
  'PUT /applications/:appId/quota': {
    needs: 'recent-sign-in',
    body: ChangeQuota,
    reply: OperatedApplication,
    message: 'quota changed',
  },
  'GET /applications/:appId/endpoint': {
    reply: OperatedEndpoint,
    message: 'endpoint',
  },
  'GET /applications/:appId/grants': {
    query: GrantQuery,
    reply: ApplicationGrants,
    message: 'grants',
  },
  'GET /failing-endpoints': { reply: FailingEndpoints, message: 'endpoints that do not answer' },
  'GET /announcements': { reply: Announcements, message: 'announcements' },
  'POST /announcements': {
    needs: 'recent-sign-in',
    body: MakeAnnouncement,
    reply: Type.Object({ announcementId: Type.String() }),
    message: 'announced',
    status: 201,
  },
  'DELETE /announcements/:announcementId': {
    needs: 'recent-sign-in',
    reply: Done,
    message: 'announcement ended',
  },
  'PUT /maintenance': {
    needs: 'recent-sign-in',
    body: StartMaintenance,
    reply: MaintenanceState,
    message: 'there is maintenance',
  },
  'DELETE /maintenance': { needs: 'recent-sign-in', reply: MaintenanceState, message: 'maintenance ended' },
  'GET /me': { reply: OperatorSelf, message: 'you operate this server' },
  'GET /people': { query: OperatorSearch, reply: OperatedPeople, message: 'people' },
  'GET /people/:accountId': { reply: OperatedPerson, message: 'person' },
  'POST /people/:accountId/suspension': {
    needs: 'recent-sign-in',
    body: Suspend,
    reply: OperatedPerson,
    message: 'person suspended',
  },
  'DELETE /people/:accountId/suspension': {
    needs: 'recent-sign-in',
    body: WithReason,
    reply: OperatedPerson,
    message: 'suspension lifted',
  },
  'GET /people/:accountId/sessions': {
    reply: PersonSessions,
    message: 'where a person is signed in',
  },
  'GET /people/:accountId/limits': {
    reply: ShownPersonLimits,
    message: 'limits of a person',
  },
  'PUT /people/:accountId/limits': {
    needs: 'recent-sign-in',
    body: PersonLimits,
    reply: ShownPersonLimits,
    message: 'limits changed',
  },
  'DELETE /people/:accountId/sessions': {
    needs: 'recent-sign-in',
    reply: Type.Object({ ended: Type.Integer() }),
    message: 'person signed out',
  },
  'DELETE /people/:accountId': {
    needs: 'recent-sign-in',
    body: WithReason,
    reply: Done,
    message: 'person deleted',
  },
  'POST /people/:accountId/password-link': {
    needs: 'recent-sign-in',
    reply: PasswordLink,
    message: 'link to a new password; it is shown this once',
  },
  'POST /people/:accountId/recovery-code': {
    needs: 'recent-sign-in',
    reply: OneRecoveryCode,
    message: 'recovery code; it is shown this once',
  },
  'GET /overview': { reply: ServerOverview, message: 'the server in numbers' },
  'GET /health': { reply: ServerHealth, message: 'how the server is' },
  'GET /acts': { query: OperatorActQuery, reply: OperatorActPage, message: 'what operators did' },
  'GET /acts/export': { needs: 'recent-sign-in', isRaw: true },
  'GET /invitations': { reply: SignUpInvitations, message: 'invitations to sign up' },
  'POST /invitations': {
    needs: 'recent-sign-in',
    body: MakeSignUpInvitation,
    reply: MadeSignUpInvitation,
    message: 'invitation made; its link is shown this once',
    status: 201,
  },
  'DELETE /invitations/:invitationId': {
    needs: 'recent-sign-in',
    reply: Done,
    message: 'invitation revoked',
  },
  'GET /holds': { reply: HeldConversations, message: 'conversations under a legal hold' },
  'POST /holds': {
    needs: 'recent-sign-in',
    body: HoldConversation,
    reply: HeldConversations,
    message: 'conversation held',
    status: 201,
  },
  'DELETE /holds/:conversationId': {
    needs: 'recent-sign-in',
    body: WithReason,
    reply: Done,
    message: 'hold released',
  },
  'GET /providers': { reply: OperatedProviders, message: 'sign-in providers' },
  'POST /providers': {
    needs: 'recent-sign-in',
    body: AddProvider,
    reply: OperatedProvider,
    message: 'provider added',
    status: 201,
  },
  'PATCH /providers/:providerId': {
    needs: 'recent-sign-in',
    body: ChangeProvider,
    reply: OperatedProvider,
    message: 'provider changed',
  },
  'DELETE /providers/:providerId': {
    needs: 'recent-sign-in',
    body: WithReason,
    reply: Done,
    message: 'provider removed; its sessions ended',
  },
  'POST /providers/:providerId/try': { reply: ProviderFaults, message: 'provider tried' },
  'POST /providers/:providerId/scim-token': {
    needs: 'recent-sign-in',
    reply: ScimToken,
    message: 'SCIM token made; it is shown this once',
    status: 201,
  },
  'DELETE /providers/:providerId/scim-token': {
    needs: 'recent-sign-in',
    reply: Done,
    message: 'SCIM token removed',
  },
  'GET /reports': { query: ReportQuery, reply: ReportPage, message: 'reports' },
  'GET /reports/:reportId': { reply: OperatedReport, message: 'report' },
  'POST /reports/:reportId/decision': {
    needs: 'recent-sign-in',
    body: DecideReport,
    reply: OperatedReport,
    message: 'report decided',
  },
});
