import {
  REPORT_DECISIONS,
  REPORT_TARGETS,
  type ReportDecision,
  type ReportTarget,
} from '#contract/chat/reports.ts';
import type { ListedReport, OperatedReport } from '#contract/operate/reports.ts';
import type { Command } from '../command.ts';
import { printable, readDays, toColumns, toTime } from './columns.ts';
import { withFeatures } from './open.ts';

/** People's reports and their decisions. */
export const reportCommands: readonly Command[] = [
  {
    name: 'admin reports',
    about: 'list what people reported, oldest first',
    options: {
      about: `only reports about one of: ${REPORT_TARGETS.join(', ')}`,
      cursor: 'only reports after this one',
    },
    flags: { decided: 'decided reports, newest first' },
    choices: { '--about': REPORT_TARGETS },
    async run(deps, { options: { about, cursor }, flags }) {
      const page = await withFeatures(deps, ({ operators }) =>
        operators.listReports({
          isDecided: flags.has('decided'),
          target: about as ReportTarget | undefined,
          cursor,
        }),
      );
      return { text: toColumns(page.reports.map(toRow)), data: page };
    },
  },
  {
    name: 'admin reports show',
    parameters: ['<reportId>'],
    about: 'show a report with its messages',
    async run(deps, { args: [reportId = ''] }) {
      const report = await withFeatures(deps, ({ operators }) => operators.showReport(reportId));
      return { text: describe(report), data: report };
    },
  },
  {
    name: 'admin reports decide',
    parameters: ['<reportId>', '<decision>'],
    choices: { '<decision>': REPORT_DECISIONS },
    about: `decide on a report: ${REPORT_DECISIONS.join(', ')}; both sides are told`,
    options: {
      reason: 'shown to the people concerned (required except for "nothing")',
      messages: 'ids of messages of the report to remove, separated by commas',
      days: 'for how many days to suspend a person; without it, until it is lifted',
    },
    async run(deps, { args: [reportId = '', decision = ''], options: { reason, messages, days } }) {
      const until = readDays(deps, days);
      const given = {
        decision: decision as ReportDecision,
        ...(reason !== undefined && { reason }),
        ...(messages !== undefined && { msgIds: messages.split(',').map((msgId) => msgId.trim()) }),
        ...(until !== undefined && { until }),
      };
      await withFeatures(deps, ({ operators }) => operators.perform('report.decided', { reportId }, given));
      return { text: `${reportId} is decided: ${decision}`, data: { reportId, ...given } };
    },
  },
];

function toRow({
  reportId,
  createdAt,
  reported,
  target,
  reason,
  reporter,
  decision,
}: ListedReport): string[] {
  return [
    reportId,
    toTime(createdAt),
    printable(reported?.name ?? target),
    reason,
    `by ${printable(reporter.name)}`,
    decision ?? 'open',
  ];
}

function describe(report: OperatedReport): string {
  const { reportId, reporterId, reportedId, groupName, reason, comment, messages, people, createdAt } =
    report;
  const nameOf = (accountId: string) =>
    printable(`${people.find((person) => person.accountId === accountId)?.name ?? ''} (${accountId})`);
  const about = reportedId === undefined ? printable(`the group ${groupName ?? ''}`) : nameOf(reportedId);
  return [
    `${reportId}: ${reason}, ${report.decision ?? 'open'}`,
    `about ${about}`,
    `by ${nameOf(reporterId)} at ${toTime(createdAt)}`,
    ...(comment === undefined ? [] : [printable(comment)]),
    ...(report.isUnreadable ? ['this report cannot be read: its key is missing'] : []),
    ...messages.map(({ msgId, from, type, content, caption, fileUrl }) =>
      printable(`${msgId}  ${nameOf(from)}  ${type}: ${content ?? caption ?? ''} ${fileUrl ?? ''}`.trimEnd()),
    ),
  ].join('\n');
}
