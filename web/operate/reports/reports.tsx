import { Anchor, Group, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { IconFlag } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { REPORT_TARGETS } from '#contract/choices.ts';
import { Empty } from '../../ui/parts/empty.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { Pages } from '../../ui/parts/pages.tsx';
import { Screen } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { useTexts } from '../../ui/texts.ts';
import { operatePages } from '../parts/queries.ts';

/** The queue of reports. */
export function Component() {
  const t = useTexts();
  const [params, setParams] = useSearchParams();
  const isDecided = params.get('decided') === 'true';
  const target = REPORT_TARGETS.find((one) => one === params.get('about'));
  const asked = { isDecided: isDecided ? 'true' : 'false', target } as const;
  const reports = useInfiniteQuery(operatePages('GET /reports', { query: asked }));
  const waiting = reports.data?.pages[0]?.waiting;
  const show = (name: string, value: string) =>
    setParams((before) => {
      before.set(name, value);
      return before;
    });
  return (
    <Screen title={t('operate.section.reports')} lead={t('operate.report.lead')} size="lg">
      <Group align="flex-end">
        <SegmentedControl
          aria-label={t('operate.report.which')}
          value={String(isDecided)}
          onChange={(value) => show('decided', value)}
          data={[
            { value: 'false', label: t('operate.report.open') },
            { value: 'true', label: t('operate.report.decided') },
          ]}
        />
        <NativeSelect
          label={t('operate.report.kind')}
          value={target ?? ''}
          onChange={(event) => show('about', event.currentTarget.value)}
          data={[
            { value: '', label: t('operate.report.all') },
            ...REPORT_TARGETS.map((value) => ({ value, label: t(`operate.reportTarget.${value}`) })),
          ]}
        />
      </Group>
      {waiting?.oldestAt !== undefined && (
        <Text>
          {t('operate.report.waiting', { open: waiting.open })}, {t('operate.report.oldest')}{' '}
          <Moment at={waiting.oldestAt} />
        </Text>
      )}
      <Pages
        query={reports}
        items={(page) => page.reports}
        empty={
          <Empty
            icon={<IconFlag />}
            title={isDecided ? t('operate.report.noneDecided') : t('operate.report.noneOpen')}
          >
            {isDecided ? undefined : t('operate.report.noneOpenText')}
          </Empty>
        }
      >
        {(found) => (
          <WideTable
            label={t('operate.section.reports')}
            minWidth={640}
            isLinked
            items={found}
            keyOf={({ reportId }) => reportId}
            columns={[
              [
                t('operate.report.reported'),
                ({ reportId, reported }) => (
                  <Anchor component={Link} to={`/reports/${reportId}`} inherit>
                    {reported ? reported.name || t('operate.report.gone') : t('operate.report.aGroup')}
                  </Anchor>
                ),
              ],
              [t('operate.report.reason'), ({ reason }) => t(`operate.reportReason.${reason}`)],
              [t('operate.report.reporter'), ({ reporter }) => reporter.name || t('operate.report.gone')],
              [
                isDecided ? t('operate.report.decision') : t('operate.report.at'),
                ({ decision, decidedAt, createdAt }) => (
                  <>
                    {decision && `${t(`operate.reportDecision.${decision}`)}, `}
                    <Moment at={decidedAt ?? createdAt} />
                  </>
                ),
              ],
            ]}
          />
        )}
      </Pages>
    </Screen>
  );
}
