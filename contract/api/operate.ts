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

/** The endpoints of the operators' console. What an operator does by one is an act, which the audit trail records by this name. */
export const OPERATE = endpoints('operator', '/api/operate', {
  'GET /applications': { query: OperatorSearch, reply: OperatedApplications, message: 'applications' },
  'GET /applications/:appId': { reply: OperatedApplication, message: 'application' },
  'POST /applications/:appId/suspension': {
    act: 'application.suspended',
    body: WithReason,
    reply: OperatedApplication,
    message: 'application suspended',
  },
  'DELETE /applications/:appId/suspension': {
    act: 'application.unsuspended',
    body: WithReason,
    reply: OperatedApplication,
    message: 'application unsuspended',
  },
  'PUT /applications/:appId/quota': {
    act: 'application.quota-changed',
    body: ChangeQuota,
    reply: OperatedApplication,
    message: 'quota changed',
  },
  'GET /applications/:appId/endpoint': { reply: OperatedEndpoint, message: 'endpoint' },
  'GET /applications/:appId/grants': { query: GrantQuery, reply: ApplicationGrants, message: 'grants' },
  'GET /failing-endpoints': { reply: FailingEndpoints, message: 'endpoints that do not answer' },
  'GET /announcements': { reply: Announcements, message: 'announcements' },
  'POST /announcements': {
    act: 'announcement.made',
    body: MakeAnnouncement,
    reply: Type.Object({ announcementId: Type.String() }),
    message: 'announced',
    status: 201,
  },
  'DELETE /announcements/:announcementId': {
    act: 'announcement.ended',
    reply: Done,
    message: 'announcement ended',
  },
  'PUT /maintenance': {
    act: 'maintenance.started',
    body: StartMaintenance,
    reply: MaintenanceState,
    message: 'there is maintenance',
  },
  'DELETE /maintenance': { act: 'maintenance.ended', reply: MaintenanceState, message: 'maintenance ended' },
  'GET /me': { reply: OperatorSelf, message: 'you operate this server' },
  'GET /people': { query: OperatorSearch, reply: OperatedPeople, message: 'people' },
  'GET /people/:accountId': { reply: OperatedPerson, message: 'person' },
  'POST /people/:accountId/suspension': {
    act: 'person.suspended',
    body: Suspend,
    reply: OperatedPerson,
    message: 'person suspended',
  },
  'DELETE /people/:accountId/suspension': {
    act: 'person.suspension-lifted',
    body: WithReason,
    reply: OperatedPerson,
    message: 'suspension lifted',
  },
  'GET /people/:accountId/sessions': { reply: PersonSessions, message: 'where a person is signed in' },
  'GET /people/:accountId/limits': { reply: ShownPersonLimits, message: 'limits of a person' },
  'PUT /people/:accountId/limits': {
    act: 'person.limits-changed',
    body: PersonLimits,
    reply: ShownPersonLimits,
    message: 'limits changed',
  },
  'DELETE /people/:accountId/sessions': {
    act: 'person.signed-out',
    reply: Type.Object({ ended: Type.Integer() }),
    message: 'person signed out',
  },
  'DELETE /people/:accountId': {
    act: 'person.deleted',
    body: WithReason,
    reply: Done,
    message: 'person deleted',
  },
  'POST /people/:accountId/password-link': {
    act: 'person.password-link-made',
    reply: PasswordLink,
    message: 'link to a new password; it is shown this once',
  },
  'POST /people/:accountId/recovery-code': {
    act: 'person.recovery-code-made',
    reply: OneRecoveryCode,
    message: 'recovery code; it is shown this once',
  },
  'GET /overview': { reply: ServerOverview, message: 'the server in numbers' },
  'GET /health': { reply: ServerHealth, message: 'how the server is' },
  'GET /acts': { query: OperatorActQuery, reply: OperatorActPage, message: 'what operators did' },
  'GET /acts/export': { needs: 'recent-sign-in', isRaw: true },
  'GET /invitations': { reply: SignUpInvitations, message: 'invitations to sign up' },
  'POST /invitations': {
    act: 'invitation.made',
    body: MakeSignUpInvitation,
    reply: MadeSignUpInvitation,
    message: 'invitation made; its link is shown this once',
    status: 201,
  },
  'DELETE /invitations/:invitationId': {
    act: 'invitation.revoked',
    reply: Done,
    message: 'invitation revoked',
  },
  'GET /holds': { reply: HeldConversations, message: 'conversations under a legal hold' },
  'POST /holds': {
    act: 'conversation.held',
    body: HoldConversation,
    reply: HeldConversations,
    message: 'conversation held',
    status: 201,
  },
  'DELETE /holds/:conversationId': {
    act: 'conversation.released',
    body: WithReason,
    reply: Done,
    message: 'hold released',
  },
  'GET /providers': { reply: OperatedProviders, message: 'sign-in providers' },
  'POST /providers': {
    act: 'provider.added',
    body: AddProvider,
    reply: OperatedProvider,
    message: 'provider added',
    status: 201,
  },
  'PATCH /providers/:providerId': {
    act: 'provider.changed',
    body: ChangeProvider,
    reply: OperatedProvider,
    message: 'provider changed',
  },
  'DELETE /providers/:providerId': {
    act: 'provider.removed',
    body: WithReason,
    reply: Done,
    message: 'provider removed; its sessions ended',
  },
  'POST /providers/:providerId/try': { reply: ProviderFaults, message: 'provider tried' },
  'POST /providers/:providerId/scim-token': {
    act: 'provider.scim-token-made',
    reply: ScimToken,
    message: 'SCIM token made; it is shown this once',
    status: 201,
  },
  'DELETE /providers/:providerId/scim-token': {
    act: 'provider.scim-token-removed',
    reply: Done,
    message: 'SCIM token removed',
  },
  'GET /reports': { query: ReportQuery, reply: ReportPage, message: 'reports' },
  'GET /reports/:reportId': { reply: OperatedReport, message: 'report' },
  'POST /reports/:reportId/decision': {
    act: 'report.decided',
    body: DecideReport,
    reply: OperatedReport,
    message: 'report decided',
  },
});
