import { type Static, Type } from 'typebox';
import { ChatMessage } from '../chat.ts';
import { REPORT_REASONS, REPORT_TARGETS } from '../choices.ts';
import { optional } from '../fields.ts';
import { id, MsgId, UserId } from '../ids.ts';

export { REPORT_REASONS, REPORT_TARGETS, type ReportReason, type ReportTarget } from '../choices.ts';

/** Maximum number of messages in a report. */
export const MOST_REPORTED = 50;

/** Body of `POST /api/chat/reports`: exactly what the operator is shown. */
export const CreateReport = Type.Object({
  conversationId: id(),
  userId: Type.Optional(
    Type.String({ ...UserId, description: 'The account that it is about; omitted for a whole group.' }),
  ),
  reason: Type.Enum(REPORT_REASONS),
  comment: optional(Type.String({ maxLength: 1000 })),
  msgIds: Type.Array(MsgId, {
    maxItems: MOST_REPORTED,
    description: 'The messages that the reporter shows to the operator.',
  }),
});

export type CreateReport = Static<typeof CreateReport>;

export const CreatedReport = Type.Object({ reportId: Type.String() });

/** The operator's decision: `removed` applies to messages, `suspended` to a person or a bot's application. */
export const REPORT_DECISIONS = ['nothing', 'warned', 'removed', 'suspended'] as const;

export type ReportDecision = (typeof REPORT_DECISIONS)[number];

/** The states of a report. */
export const REPORT_STATES = ['open', 'dismissed', 'acted'] as const;

export type ReportState = (typeof REPORT_STATES)[number];

/** Another report about the same account or group. */
export const RelatedReport = Type.Object({
  reportId: Type.String(),
  reason: Type.Enum(REPORT_REASONS),
  decision: Type.Optional(Type.Enum(REPORT_DECISIONS)),
  createdAt: Type.Integer(),
});

export type RelatedReport = Static<typeof RelatedReport>;

/** A report as the operator sees it: messages as they were when it was made, even if they have been deleted since. */
export const Report = Type.Object({
  reportId: Type.String(),
  reporterId: UserId,
  reportedId: Type.Optional(UserId),
  target: Type.Enum(REPORT_TARGETS),
  conversationId: Type.String(),
  reason: Type.Enum(REPORT_REASONS),
  comment: Type.Optional(Type.String()),
  messages: Type.Array(ChatMessage),
  isUnreadable: Type.Optional(Type.Literal(true)),
  state: Type.Enum(REPORT_STATES),
  decision: Type.Optional(Type.Enum(REPORT_DECISIONS)),
  createdAt: Type.Integer(),
  decidedAt: Type.Optional(Type.Integer()),
});

export type Report = Static<typeof Report>;
