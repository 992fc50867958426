import { Alert, Anchor, Button, Checkbox, Group, List, Paper, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconArrowRight, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { ReportDecision } from '#contract/chat/reports.ts';
import type { ChatMessage } from '#contract/chat.ts';
import type { DecideReport, OperatedReport, ReportedPerson } from '#contract/operate/reports.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { closeOverlay } from '../../ui/parts/use-back-closes.ts';
import { useTexts } from '../../ui/texts.ts';
import { fullTime } from '../../ui/times.ts';
import { OperatorButton, readSuspensionEnd, SuspensionDays } from '../parts/act-button.tsx';
import { Facts } from '../parts/facts.tsx';
import { operateQuery, useOperateChange } from '../parts/queries.ts';

/** One report, and the operator's decisions on it. */
export function Component() {
  const { reportId = '' } = useParams();
  return (
    <QueryView query={useQuery(operateQuery('GET /reports/:reportId', { params: { reportId } }))}>
      {(report) => <Report key={reportId} report={report} />}
    </QueryView>
  );
}

function Report({ report }: { report: OperatedReport }) {
  const t = useTexts();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const { reporterId, reportedId, groupName, reason, comment, decision, createdAt, people } = report;
  const personBy = (accountId: string) => people.find((person) => person.accountId === accountId);
  const reported = reportedId === undefined ? undefined : personBy(reportedId);
  const about =
    reportedId === undefined
      ? (groupName ?? t('operate.report.aGroup'))
      : reported?.name || t('operate.report.gone');
  const isOpen = decision === undefined;
  return (
    <Screen
      title={t('operate.report.title', { name: about })}
      lead={t(`operate.reportReason.${reason}`)}
      action={
        report.nextReportId !== undefined && (
          <Button
            component={Link}
            to={`/reports/${report.nextReportId}`}
            variant={isOpen ? 'default' : 'filled'}
            rightSection={<IconArrowRight size={16} />}
          >
            {t('operate.report.next')}
          </Button>
        )
      }
    >
      <Decision report={report} />
      {report.isUnreadable && (
        <Alert color="red" icon={<IconAlertTriangle />}>
          {t('operate.report.unreadable')}
        </Alert>
      )}
      <Facts
        facts={{
          [t('operate.report.reported')]: reported ? <Named person={reported} /> : about,
          [t('operate.report.reporter')]: <Named person={personBy(reporterId)} />,
          [t('operate.report.at')]: <Moment at={createdAt} />,
        }}
      />
      {comment && (
        <Section title={t('operate.report.comment')}>
          <Text style={{ whiteSpace: 'pre-wrap' }}>{comment}</Text>
        </Section>
      )}
      <ShownMessages report={report} selected={selected} onSelect={isOpen ? setSelected : undefined} />
      {isOpen && <Decide report={report} reported={reported} msgIds={selected} />}
      <Related report={report} />
    </Screen>
  );
}

/** Who decided what, when and why. */
function Decision({ report: { decision, decidedAt = 0, decided } }: { report: OperatedReport }) {
  const t = useTexts();
  if (!decision) return;
  const by = decided?.by;
  return (
    <Alert
      color="teal"
      icon={<IconCheck />}
      title={`${t('operate.report.decision')}: ${t(`operate.reportDecision.${decision}`)}`}
    >
      <Text size="sm">
        {fullTime(decidedAt)}
        {decided &&
          `, ${by === undefined ? t('operate.report.commandLine') : t('operate.report.decidedBy', { name: by })}`}
      </Text>
      {decided?.reason !== undefined && (
        <Text size="sm">
          {t('operate.common.reason')}: {decided.reason}
        </Text>
      )}
    </Alert>
  );
}

/** Other reports about the same account or group. */
function Related({ report: { related, reportedId } }: { report: OperatedReport }) {
  const t = useTexts();
  const count = related.length;
  if (count === 0) return;
  return (
    <Section
      title={
        reportedId === undefined
          ? t('operate.report.relatedGroup', { count })
          : t('operate.report.related', { count })
      }
    >
      <List>
        {related.map(({ reportId, reason, decision, createdAt }) => (
          <List.Item key={reportId}>
            <Anchor component={Link} to={`/reports/${reportId}`} underline="always">
              {t(`operate.reportReason.${reason}`)}
            </Anchor>
            , {decision ? t(`operate.reportDecision.${decision}`) : t('operate.report.isOpen')},{' '}
            <Moment at={createdAt} />
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

function Named({ person }: { person: ReportedPerson | undefined }) {
  const t = useTexts();
  if (!person || person.isDeleted) return t('operate.report.gone');
  const { accountId, appId, name } = person;
  return (
    <Anchor component={Link} to={appId === undefined ? `/people/${accountId}` : `/applications/${appId}`}>
      {name}
    </Anchor>
  );
}

/** The messages chosen by the reporter. Files open only on a click: they may be disturbing. */
function ShownMessages({
  report: { messages, people },
  selected,
  onSelect,
}: {
  report: OperatedReport;
  selected: readonly string[];
  /** Undefined if nothing can be removed any more. */
  onSelect: ((msgIds: readonly string[]) => void) | undefined;
}) {
  const t = useTexts();
  const nameOf = (accountId: string) =>
    people.find((person) => person.accountId === accountId)?.name || t('operate.report.gone');
  if (messages.length === 0) return <Text c="dimmed">{t('operate.report.noMessages')}</Text>;
  return (
    <Section
      title={t('operate.report.messages')}
      lead={`${t('operate.report.messagesLead')} ${onSelect ? t('operate.report.selectHint') : ''}`}
    >
      <Stack gap="xs">
        {messages.map((message) => {
          const { msgId, from, sentAt } = message;
          return (
            <Paper key={msgId} withBorder p="sm">
              <Group align="flex-start" wrap="nowrap">
                {onSelect && (
                  <Checkbox
                    aria-label={t('operate.report.select', { name: nameOf(from) })}
                    checked={selected.includes(msgId)}
                    onChange={({ currentTarget: { checked } }) =>
                      onSelect(checked ? [...selected, msgId] : selected.filter((other) => other !== msgId))
                    }
                  />
                )}
                <div style={{ minWidth: 0 }}>
                  <Dimmed>
                    {nameOf(from)}, <Moment at={sentAt} />
                  </Dimmed>
                  <Words message={message} />
                </div>
              </Group>
            </Paper>
          );
        })}
      </Stack>
    </Section>
  );
}

function Words({ message }: { message: ChatMessage }) {
  const t = useTexts();
  const { type, content, caption, location, poll, fileUrl } = message;
  const said = content ?? caption ?? poll?.question ?? location?.name;
  return (
    <>
      {type !== 'text' && (
        <Text size="sm" fs="italic">
          {t('operate.report.ofType', { type })}
        </Text>
      )}
      {said !== undefined && <Text style={{ whiteSpace: 'pre-wrap' }}>{said}</Text>}
      {poll?.options.map(({ id, text }) => (
        <Text key={id} size="sm">
          – {text}
        </Text>
      ))}
      {fileUrl !== undefined && (
        <Anchor href={fileUrl} target="_blank" rel="noreferrer noopener">
          {t('operate.report.file')}
        </Anchor>
      )}
    </>
  );
}

/** The decisions about a report. */
function Decide({
  report: { reportId },
  reported,
  msgIds,
}: {
  report: OperatedReport;
  reported: ReportedPerson | undefined;
  /** Messages selected for removal. */
  msgIds: readonly string[];
}) {
  const t = useTexts();
  const change = useOperateChange('POST /reports/:reportId/decision', { onSuccess: closeOverlay });
  const decide = (body: DecideReport) => change.mutate({ params: { reportId }, body });
  /** Only the pressed button shows that the decision is being sent. */
  const stateOf = (decision: ReportDecision) => ({
    loading: change.isPending && change.variables.body.decision === decision,
    disabled: change.isPending,
  });
  const isAbleToAct = reported !== undefined && !reported.isDeleted;
  const isBot = reported?.appId !== undefined;
  const removal = msgIds.length === 0 ? {} : { msgIds: [...msgIds] };
  return (
    <Section title={t('operate.report.decide')} lead={t('operate.report.decideLead')}>
      <Group>
        <OperatorButton
          label={t('operate.report.nothing')}
          color="parley"
          variant="default"
          asksReason={false}
          text={t('operate.report.nothingText')}
          {...stateOf('nothing')}
          onGiven={() => decide({ decision: 'nothing' })}
        />
        {isAbleToAct && (
          <OperatorButton
            label={t('operate.report.warn')}
            title={t('operate.report.warnTitle')}
            color="parley"
            variant="default"
            text={t('operate.report.warnText', { service: t('ui.common.service') })}
            {...stateOf('warned')}
            onGiven={(reason) => decide({ decision: 'warned', reason })}
          />
        )}
        <OperatorButton
          label={t('operate.report.remove')}
          title={t('operate.report.removeTitle')}
          color="red"
          text={t('operate.report.removeText', { count: msgIds.length })}
          {...stateOf('removed')}
          disabled={change.isPending || msgIds.length === 0}
          onGiven={(reason) => decide({ decision: 'removed', reason, ...removal })}
        />
        {isAbleToAct && (
          <OperatorButton
            label={t('operate.report.suspend')}
            title={t('operate.report.suspendTitle')}
            color="red"
            {...stateOf('suspended')}
            more={isBot ? undefined : <SuspensionDays />}
            onGiven={(reason, fields) =>
              decide({ decision: 'suspended', reason, ...removal, ...readSuspensionEnd(fields) })
            }
            text={`${isBot ? t('operate.report.suspendBotText') : t('operate.report.suspendText')} ${
              msgIds.length > 0 ? t('operate.report.alsoRemoves', { count: msgIds.length }) : ''
            }`}
          />
        )}
      </Group>
    </Section>
  );
}
