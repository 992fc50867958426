import { Anchor, Group, NativeSelect, SegmentedControl, Table, Text } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import type { ReportTarget } from '#contract/chat/reports.ts';
import type { ListedReport } from '#contract/operate/reports.ts';
import { Empty } from '../../ui/parts/empty.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { Pages } from '../../ui/parts/pages.tsx';
import { Screen } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { useTexts } from '../../ui/texts.ts';
import { reportsQuery } from '../parts/queries.ts';
import { sectionTexts } from '../parts/section-texts.ts';
import { decisionTexts, reasonTexts, reportTexts, targetTexts } from './texts.ts';

/** The queue of reports. */
export function Component() {
  const t = useTexts(reportTexts);
  const targets = useTexts(targetTexts);
  const [params, setParams] = useSearchParams();
  const isDecided = params.get('decided') === 'true';
  const target = Object.keys(targets).find((one) => one === params.get('about')) as ReportTarget | undefined;
  const reports = useInfiniteQuery(reportsQuery({ isDecided: isDecided ? 'true' : 'false', target }));
  const show = (name: string, value: string) =>
    setParams((before) => {
      before.set(name, value);
      return before;
    });
  return (
    <Screen title={useTexts(sectionTexts).reports} lead={t.lead} size="lg">
      <Group align="flex-end">
        <SegmentedControl
          aria-label={t.which}
          value={String(isDecided)}
          onChange={(value) => show('decided', value)}
          data={[
            { value: 'false', label: t.open },
            { value: 'true', label: t.decided },
          ]}
        />
        <NativeSelect
          label={t.kind}
          value={target ?? ''}
          onChange={(event) => show('about', event.currentTarget.value)}
          data={[
            { value: '', label: t.all },
            ...Object.entries(targets).map(([value, label]) => ({ value, label })),
          ]}
        />
      </Group>
      <Waiting waiting={reports.data?.pages[0]?.waiting} />
      <Pages
        query={reports}
        items={(page) => page.reports}
        empty={
          <Empty icon={<IconFlag />} title={isDecided ? t.noneDecided : t.noneOpen}>
            {isDecided ? undefined : t.noneOpenText}
          </Empty>
        }
      >
        {(found) => <Found reports={found} isDecided={isDecided} />}
      </Pages>
    </Screen>
  );
}

function Waiting({ waiting }: { waiting: { open: number; oldestAt?: number } | undefined }) {
  const t = useTexts(reportTexts);
  if (!waiting || waiting.oldestAt === undefined) return;
  return (
    <Text>
      {t.waiting(waiting.open)}, {t.oldest} <Moment at={waiting.oldestAt} />
    </Text>
  );
}

function Found({ reports, isDecided }: { reports: ListedReport[]; isDecided: boolean }) {
  const t = useTexts(reportTexts);
  const reasons = useTexts(reasonTexts);
  const decisions = useTexts(decisionTexts);
  return (
    <WideTable
      label={useTexts(sectionTexts).reports}
      minWidth={640}
      columns={[t.reported, t.reason, t.reporter, isDecided ? t.decision : t.at]}
    >
      {reports.map(({ reportId, reported, reporter, reason, decision, decidedAt, createdAt }) => (
        <Table.Tr key={reportId}>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>
            <Anchor component={Link} to={`/reports/${reportId}`} inherit>
              {reported ? reported.name || t.gone : t.aGroup}
            </Anchor>
          </Table.Td>
          <Table.Td>{reasons[reason]}</Table.Td>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>{reporter.name || t.gone}</Table.Td>
          <Table.Td>
            {decision && `${decisions[decision]}, `}
            <Moment at={decidedAt ?? createdAt} />
          </Table.Td>
        </Table.Tr>
      ))}
    </WideTable>
  );
}
