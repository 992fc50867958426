import { Alert, Anchor, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import type { OperatedReport, ReportedPerson } from '#contract/operate/reports.ts';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { fullTime } from '../../ui/times.ts';
import { Fact, Facts } from '../parts/facts.tsx';
import { reportQuery } from '../parts/queries.ts';
import { Decide } from './decide.tsx';
import { ShownMessages } from './shown-messages.tsx';

/** One report, and the operator's decisions on it. */
export function Component() {
  const { reportId = '' } = useParams();
  const report = useQuery(reportQuery(reportId));
  return <QueryView query={report}>{(found) => <Report report={found} />}</QueryView>;
}

function Report({ report }: { report: OperatedReport }) {
  const t = useTexts();
  const [selected, setSelected] = useState<readonly string[]>([]);
  const { reporterId, reportedId, groupName, reason, comment, decision, decidedAt, createdAt, people } =
    report;
  const personBy = (accountId: string) => people.find((person) => person.accountId === accountId);
  const reported = reportedId === undefined ? undefined : personBy(reportedId);
  const about =
    reportedId === undefined
      ? (groupName ?? t('operate.report.aGroup'))
      : reported?.name || t('operate.report.gone');
  const isOpen = decision === undefined;
  return (
    <Screen title={t('operate.report.title', { name: about })} lead={t(`operate.reportReason.${reason}`)}>
      {decision && (
        <Alert
          color="teal"
          icon={<IconCheck />}
          title={`${t('operate.report.decision')}: ${t(`operate.reportDecision.${decision}`)}`}
        >
          {decidedAt !== undefined && fullTime(decidedAt)}
        </Alert>
      )}
      {report.isUnreadable && (
        <Alert color="red" icon={<IconAlertTriangle />}>
          {t('operate.report.unreadable')}
        </Alert>
      )}
      <Facts>
        <Fact name={t('operate.report.reported')}>{reported ? <Named person={reported} /> : about}</Fact>
        <Fact name={t('operate.report.reporter')}>
          <Named person={personBy(reporterId)} />
        </Fact>
        <Fact name={t('operate.report.at')}>
          <Moment at={createdAt} />
        </Fact>
      </Facts>
      {comment && (
        <Section title={t('operate.report.comment')}>
          <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{comment}</Text>
        </Section>
      )}
      <ShownMessages report={report} selected={selected} onSelect={isOpen ? setSelected : undefined} />
      {isOpen && <Decide report={report} reported={reported} msgIds={selected} />}
    </Screen>
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
