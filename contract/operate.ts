import { type Static, Type } from 'typebox';
import { SignUpInvitation } from './accounts.ts';
import { AppId } from './applications.ts';
import { visibleText } from './fields.ts';
import { Finding } from './finding.ts';
import { id, MsgId, UserId } from './ids.ts';
import { LIMITS } from './limits.ts';
import { CardHour } from './monitoring.ts';
import { LocalText } from './notices.ts';
import { HIGHEST_LIMIT, type PersonLimit } from './person-limits.ts';
import { MOST_REPORTED, REPORT_DECISIONS, REPORT_REASONS, REPORT_TARGETS, Report } from './reports.ts';

/** Everything that an operator can do, as the trail of acts names it. */
export const OPERATOR_ACTS = [
  'operator.added',
  'operator.removed',
  'person.suspended',
  'person.suspension-lifted',
  'person.signed-out',
  'person.limits-changed',
  'person.deleted',
  'person.password-link-made',
  'person.recovery-code-made',
  'application.suspended',
  'application.unsuspended',
  'application.quota-changed',
  'report.decided',
  'account.added',
  'person.email-confirmed',
  'invitation.made',
  'invitation.revoked',
  'conversation.held',
  'conversation.released',
  'announcement.made',
  'announcement.ended',
  'maintenance.started',
  'maintenance.ended',
  'trail.exported',
] as const;

/** One of {@link OPERATOR_ACTS}. */
export type OperatorActName = (typeof OPERATOR_ACTS)[number];

/** Parameter of a person's routes. */
export const PersonParams = Type.Object({ accountId: UserId });

/** Parameter of an application's routes. */
export const OperatedApplicationParams = Type.Object({ appId: AppId });

/** Query of a search: an id, a whole e-mail address, or the beginning of a name. */
export const OperatorSearch = Type.Object({ query: visibleText(254) });

/** Why nobody signs in to an account, and until when. */
export const Suspension = Type.Object({
  reason: Type.String(),
  until: Type.Optional(Type.Integer({ description: 'Epoch milliseconds; missing until it is lifted.' })),
});

const limit = Type.Optional(Type.Integer({ minimum: 0, maximum: HIGHEST_LIMIT }));

/** Body of a person's limits: those that are missing are the server's. */
export const PersonLimits = Type.Object({
  messagesPerMinute: limit,
  unansweredMessagesPerHour: limit,
  newPeoplePerDay: limit,
  newPeopleAddedPerDay: limit,
  groupsPerDay: limit,
  uploadsPerMinute: limit,
  uploadMegabytesPerDay: limit,
  liveStreamsPerPerson: limit,
} satisfies Record<PersonLimit, unknown>);

/** See {@link PersonLimits}. */
export type PersonLimits = Static<typeof PersonLimits>;

/** `data` of a person's limits. */
export const ShownPersonLimits = Type.Object({
  own: PersonLimits,
  server: PersonLimits,
});

/** See {@link ShownPersonLimits}. */
export type ShownPersonLimits = Static<typeof ShownPersonLimits>;

/** `data` of a person's sessions: the last 100 by use. */
export const PersonSessions = Type.Object({
  sessions: Type.Array(
    Type.Object({
      userAgent: Type.String({ description: 'As the browser named itself at sign-in.' }),
      createdAt: Type.Integer(),
      lastSeenAt: Type.Integer({ description: 'Exact to the minute.' }),
    }),
  ),
});

/** See {@link PersonSessions}. */
export type PersonSessions = Static<typeof PersonSessions>;

/** A person as operators see one. What the person wrote is not part of it. */
export const OperatedPerson = Type.Object({
  accountId: UserId,
  name: Type.String(),
  email: Type.String(),
  createdAt: Type.Integer(),
  lastSeenAt: Type.Optional(Type.Integer({ description: 'Missing where there is no session.' })),
  sessions: Type.Integer(),
  isTwoFactorOn: Type.Boolean(),
  suspension: Type.Optional(Suspension),
  ownLimits: PersonLimits,
});

/** See {@link OperatedPerson}. */
export type OperatedPerson = Static<typeof OperatedPerson>;

/** `data` of a search for people: 50 at most. */
export const OperatedPeople = Type.Object({ people: Type.Array(OperatedPerson) });

/** Body of a suspension. */
export const Suspend = Type.Object({
  reason: visibleText(LIMITS.operatorReasonLength, 'The person reads it.'),
  until: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Epoch milliseconds, in the future; without, until it is lifted.',
    }),
  ),
});

/** Body of what an operator has to give a reason for. */
export const WithReason = Type.Object({ reason: visibleText(LIMITS.operatorReasonLength) });

/** `data` of a link to a new password, shown this once. */
export const PasswordLink = Type.Object({ link: Type.String(), expiresAt: Type.Integer() });

/** `data` of a recovery code in place of a lost second factor, shown this once. */
export const OneRecoveryCode = Type.Object({ recoveryCode: Type.String() });

/** An application as operators see one: never its secrets, nor what it sent. */
export const OperatedApplication = Type.Object({
  appId: AppId,
  name: Type.String(),
  state: Type.Enum(['active', 'disabled', 'suspended'] as const),
  requestsPerMinute: Type.Integer(),
  createdAt: Type.Integer(),
  owner: Type.Optional(
    Type.Object(
      { accountId: UserId, name: Type.String() },
      { description: 'Missing for a published client.' },
    ),
  ),
  clientUrl: Type.Optional(
    Type.String({ description: 'Where it is published, if nobody registered it here.' }),
  ),
  isEndpointFailing: Type.Boolean({ description: 'Its circuit breaker is open: deliveries wait.' }),
  lastDay: Type.Object(
    {
      requests: Type.Integer(),
      errors: Type.Integer(),
      deliveries: Type.Integer(),
      failedDeliveries: Type.Integer(),
    },
    { description: 'The last 24 hours.' },
  ),
});

/** See {@link OperatedApplication}. */
export type OperatedApplication = Static<typeof OperatedApplication>;

/** `data` of an application's endpoint: what waits for it, and its circuit breaker. */
export const OperatedEndpoint = Type.Object({
  host: Type.Optional(
    Type.String({ description: 'Of its webhook URL, which may hold a secret; missing without one.' }),
  ),
  breakerOpenedAt: Type.Optional(Type.Integer({ description: 'Since when it has not answered.' })),
  waiting: Type.Integer({ description: 'Events to be sent, of 100,000 looked at.' }),
  oldestDueAt: Type.Optional(Type.Integer()),
  hours: Type.Array(CardHour, { description: 'The last 24 hours, the oldest first.' }),
});

/** See {@link OperatedEndpoint}. */
export type OperatedEndpoint = Static<typeof OperatedEndpoint>;

/** `data` of the endpoints that do not answer, the longest first: 50 at most. */
export const FailingEndpoints = Type.Object({
  endpoints: Type.Array(Type.Object({ appId: AppId, name: Type.String(), breakerOpenedAt: Type.Integer() })),
});

/** See {@link FailingEndpoints}. */
export type FailingEndpoints = Static<typeof FailingEndpoints>;

/** Query of the grants to an application. */
export const GrantQuery = Type.Object({ before: Type.Optional(id()) });

/** `data` of a search for applications: 50 at most. */
export const OperatedApplications = Type.Object({ applications: Type.Array(OperatedApplication) });

/** Body of a quota: requests a minute, for each credential and endpoint. */
export const ChangeQuota = Type.Object({
  requestsPerMinute: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }),
});

/** One act of an operator. Nothing secret, and no message, is in it. */
export const OperatorAct = Type.Object({
  actId: Type.String(),
  at: Type.Integer({ description: 'Epoch milliseconds.' }),
  act: Type.Enum(OPERATOR_ACTS),
  operator: Type.Optional(
    Type.Object({ accountId: UserId, name: Type.String() }, { description: 'Missing for the command line.' }),
  ),
  subject: Type.String({ description: 'The id of what was acted on.' }),
  details: Type.Record(Type.String(), Type.Unsafe<string | number>({})),
});

/** See {@link OperatorAct}. */
export type OperatorAct = Static<typeof OperatorAct>;

/** Query of the trail of acts. */
export const OperatorActQuery = Type.Object({ before: Type.Optional(id()) });

/** `data` of the trail of acts: newest first. */
export const OperatorActPage = Type.Object({
  acts: Type.Array(OperatorAct),
  nextBefore: Type.Optional(Type.String({ description: 'Missing on the last page.' })),
});

/** See {@link OperatorActPage}. */
export type OperatorActPage = Static<typeof OperatorActPage>;

/** `data` of `GET /api/operate/me`: who operates. */
export const OperatorSelf = Type.Object({ accountId: UserId, name: Type.String() });

/** Somebody whom a report names: who made it, whom it is about, or who wrote one of its messages. */
export const ReportedPerson = Type.Object({
  accountId: UserId,
  name: Type.String(),
  isBot: Type.Boolean(),
  appId: Type.Optional(AppId),
  isDeleted: Type.Boolean(),
});

/** See {@link ReportedPerson}. */
export type ReportedPerson = Static<typeof ReportedPerson>;

/** A report in the list: nothing that anybody wrote. */
export const ListedReport = Type.Object({
  reportId: Type.String(),
  reporter: ReportedPerson,
  reported: Type.Optional(ReportedPerson),
  target: Type.Enum(REPORT_TARGETS),
  reason: Type.Enum(REPORT_REASONS),
  messageCount: Type.Integer(),
  decision: Type.Optional(Type.Enum(REPORT_DECISIONS, { description: 'Missing while it is open.' })),
  createdAt: Type.Integer(),
  decidedAt: Type.Optional(Type.Integer()),
});

/** See {@link ListedReport}. */
export type ListedReport = Static<typeof ListedReport>;

/** Query of the list of reports: those that are open, the oldest first, or those that are decided, the newest first. */
export const ReportQuery = Type.Object({
  isDecided: Type.Optional(Type.Enum(['true', 'false'] as const)),
  target: Type.Optional(Type.Enum(REPORT_TARGETS)),
  cursor: Type.Optional(id()),
});

/** `data` of the list of reports. */
export const ReportPage = Type.Object({
  reports: Type.Array(ListedReport),
  waiting: Type.Object({
    open: Type.Integer(),
    oldestAt: Type.Optional(Type.Integer({ description: 'When the oldest open one was made.' })),
  }),
  nextCursor: Type.Optional(Type.String({ description: 'Missing on the last page.' })),
});

/** See {@link ReportPage}. */
export type ReportPage = Static<typeof ReportPage>;

/** Parameter of a report's routes. */
export const ReportParams = Type.Object({ reportId: id() });

/** A report with what its reporter showed, and nothing else. */
export const OperatedReport = Type.Object({
  ...Report.properties,
  people: Type.Array(ReportedPerson),
  groupName: Type.Optional(Type.String({ description: 'Of a report about a group that is still there.' })),
});

/** See {@link OperatedReport}. */
export type OperatedReport = Static<typeof OperatedReport>;

/** Body of a decision. All but `nothing` need a reason, which those concerned read. */
export const DecideReport = Type.Object({
  decision: Type.Enum(REPORT_DECISIONS),
  reason: Type.Optional(visibleText(LIMITS.operatorReasonLength)),
  msgIds: Type.Optional(
    Type.Array(MsgId, {
      maxItems: MOST_REPORTED,
      description: 'Messages of the report that are removed: with `removed`, or beside a suspension.',
    }),
  ),
  until: Type.Optional(
    Type.Integer({ minimum: 0, description: 'End of a suspension; without, until it is lifted.' }),
  ),
});

/** See {@link DecideReport}. */
export type DecideReport = Static<typeof DecideReport>;

/** How the server is. */
export const ServerHealth = Type.Object({
  at: Type.Integer({ description: 'When it was looked at.' }),
  findings: Type.Array(
    Type.Object({
      check: Type.String(),
      state: Type.Enum(['ok', 'warning', 'fault'] as const),
      what: Finding,
      remedy: Type.Optional(Finding),
    }),
    { description: 'As `parley doctor` finds them.' },
  ),
  queue: Type.Object({
    due: Type.Integer(),
    waiting: Type.Integer({ description: 'For a retry.' }),
    parked: Type.Integer({ description: 'Of applications that are disabled or suspended.' }),
    slowest: Type.Array(
      Type.Object({
        appId: AppId,
        name: Type.String(),
        events: Type.Integer(),
        oldestDueAt: Type.Integer(),
        breakerOpenedAt: Type.Optional(Type.Integer({ description: 'Where its circuit breaker is open.' })),
      }),
    ),
  }),
  processes: Type.Array(
    Type.Object({
      host: Type.String(),
      pid: Type.Integer(),
      version: Type.String(),
      roles: Type.String(),
      startedAt: Type.Integer(),
      seenAt: Type.Integer(),
    }),
  ),
  errors: Type.Array(
    Type.Object({
      at: Type.Integer(),
      requestId: Type.String({ description: 'By which the log tells what went wrong.' }),
      method: Type.String(),
      route: Type.String(),
      status: Type.Integer(),
      host: Type.String(),
    }),
  ),
  settings: Type.Array(
    Type.Object({
      name: Type.String(),
      about: Type.String(),
      value: Type.Optional(Type.String({ description: 'Without secrets; missing where it is not set.' })),
      whenNotSet: Type.String(),
    }),
  ),
});

/** See {@link ServerHealth}. */
export type ServerHealth = Static<typeof ServerHealth>;

/** `data` of the invitations to sign up, the newest first. */
export const SignUpInvitations = Type.Object({ invitations: Type.Array(SignUpInvitation) });

/** Body of a new invitation. */
export const MakeSignUpInvitation = Type.Object({
  note: Type.String({ maxLength: 100 }),
  uses: Type.Integer({ minimum: 1, maximum: 999_999 }),
  expiresAt: Type.Integer({ minimum: 0, description: 'Epoch milliseconds, in the future.' }),
});

/** `data` of a new invitation, with its link, which is shown this once. */
export const MadeSignUpInvitation = Type.Object({ ...SignUpInvitation.properties, link: Type.String() });

/** Parameter of an invitation's route. */
export const SignUpInvitationParams = Type.Object({ invitationId: id() });

/** A conversation in which everything is kept. */
export const HeldConversation = Type.Object({
  conversationId: Type.String(),
  heldAt: Type.Integer({ description: 'Epoch milliseconds.' }),
});

/** See {@link HeldConversation}. */
export type HeldConversation = Static<typeof HeldConversation>;

/** `data` of the legal holds, the oldest first. */
export const HeldConversations = Type.Object({ holds: Type.Array(HeldConversation) });

/** Body of a legal hold: a conversation by its id. */
export const HoldConversation = Type.Object({
  conversationId: id(),
  reason: visibleText(LIMITS.operatorReasonLength),
});

/** Parameter of a held conversation's route. */
export const HeldConversationParams = Type.Object({ conversationId: id() });

/** Something that operators told everybody. */
export const Announcement = Type.Object({
  announcementId: Type.String(),
  text: LocalText,
  isLine: Type.Boolean({ description: 'Shown on all pages.' }),
  isMessage: Type.Boolean({ description: 'Sent to everybody by the built-in bot.' }),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  endsAt: Type.Optional(
    Type.Integer({ description: 'When the line goes by itself; without, when an operator ends it.' }),
  ),
  endedAt: Type.Optional(Type.Integer({ description: 'When an operator ended it.' })),
  people: Type.Integer({ description: 'To how many people the message goes.' }),
  told: Type.Integer({ description: 'To how many of them it went so far.' }),
  toldAt: Type.Optional(Type.Integer({ description: 'When the last of them had it.' })),
});

/** See {@link Announcement}. */
export type Announcement = Static<typeof Announcement>;

/** `data` of the announcements: the newest 100 first. */
export const Announcements = Type.Object({ announcements: Type.Array(Announcement) });

/** Body of a new announcement: a line on all pages, a message to everybody, or both. */
export const MakeAnnouncement = Type.Object({
  text: LocalText,
  isLine: Type.Boolean(),
  isMessage: Type.Boolean(),
  endsAt: Type.Optional(
    Type.Integer({ minimum: 0, description: 'End of the line, in the future; without, until it is ended.' }),
  ),
});

/** See {@link MakeAnnouncement}. */
export type MakeAnnouncement = Static<typeof MakeAnnouncement>;

/** Parameter of an announcement's route. */
export const AnnouncementParams = Type.Object({ announcementId: id() });

/** Body of the beginning of maintenance, or of another end of it. */
export const StartMaintenance = Type.Object({
  until: Type.Integer({
    minimum: 0,
    description: 'When its end is expected, in epoch milliseconds, in the future: 7 days away at most.',
  }),
  text: Type.Optional(LocalText),
});

/** See {@link StartMaintenance}. */
export type StartMaintenance = Static<typeof StartMaintenance>;
