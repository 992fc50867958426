import { type Static, Type } from 'typebox';
import { AppId } from '../applications.ts';
import {
  MOST_REPORTED,
  REPORT_DECISIONS,
  REPORT_REASONS,
  REPORT_TARGETS,
  RelatedReport,
  Report,
} from '../chat/reports.ts';
import { LATEST_TIME, visibleText } from '../fields.ts';
import { id, MsgId, UserId } from '../ids.ts';
import { LIMITS } from '../limits.ts';

/** An account in a report: the reporter, the subject, or the sender of one of its messages. */
export const ReportedPerson = Type.Object({
  accountId: UserId,
  name: Type.String(),
  isBot: Type.Boolean(),
  appId: Type.Optional(AppId),
  isDeleted: Type.Boolean(),
});

export type ReportedPerson = Static<typeof ReportedPerson>;

/** A report in the list, without anything that people wrote. */
export const ListedReport = Type.Object({
  reportId: Type.String(),
  reporter: ReportedPerson,
  reported: Type.Optional(ReportedPerson),
  target: Type.Enum(REPORT_TARGETS),
  reason: Type.Enum(REPORT_REASONS),
  messageCount: Type.Integer(),
  decision: Type.Optional(Type.Enum(REPORT_DECISIONS, { description: 'Omitted while it is open.' })),
  createdAt: Type.Integer(),
  decidedAt: Type.Optional(Type.Integer()),
});

export type ListedReport = Static<typeof ListedReport>;

/** Query of the list of reports: open ones, oldest first, or decided ones, newest first. */
export const ReportQuery = Type.Object({
  isDecided: Type.Optional(Type.Enum(['true', 'false'] as const)),
  target: Type.Optional(Type.Enum(REPORT_TARGETS)),
  cursor: Type.Optional(id()),
});

export const ReportPage = Type.Object({
  reports: Type.Array(ListedReport),
  waiting: Type.Object({
    open: Type.Integer(),
    oldestAt: Type.Optional(Type.Integer({ description: 'When the oldest open report was made.' })),
  }),
  nextCursor: Type.Optional(Type.String({ description: 'Missing on the last page.' })),
});

export type ReportPage = Static<typeof ReportPage>;

/** A report with the messages that its reporter chose, and no others. */
export const OperatedReport = Type.Object({
  ...Report.properties,
  people: Type.Array(ReportedPerson),
  groupName: Type.Optional(
    Type.String({
      description: 'The name of the group that the report is about, if that group still exists.',
    }),
  ),
  decided: Type.Optional(
    Type.Object({
      by: Type.Optional(
        Type.String({ description: 'The name of the operator; omitted for the command line.' }),
      ),
      reason: Type.Optional(Type.String()),
    }),
  ),
  related: Type.Array(RelatedReport),
  nextReportId: Type.Optional(Type.String({ description: 'The next open report.' })),
});

export type OperatedReport = Static<typeof OperatedReport>;

/** Body of a decision. Every decision but `nothing` needs a reason, which is shown to those concerned. */
export const DecideReport = Type.Object({
  decision: Type.Enum(REPORT_DECISIONS),
  reason: Type.Optional(visibleText(LIMITS.operatorReasonLength)),
  msgIds: Type.Optional(
    Type.Array(MsgId, {
      maxItems: MOST_REPORTED,
      description: 'Messages of the report to remove, with `removed` or along with a suspension.',
    }),
  ),
  until: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LATEST_TIME,
      description: 'End of a suspension; if omitted, it lasts until it is lifted.',
    }),
  ),
});

export type DecideReport = Static<typeof DecideReport>;
