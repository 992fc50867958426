import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { ServerHealth } from '#contract/operate/health.ts';
import { Moment } from '../../ui/parts/moment.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { formatNumber, useTexts } from '../../ui/texts.ts';
import { Fact, Facts } from '../parts/facts.tsx';
import { healthTexts } from './texts.ts';

/** The queue, and the endpoints that delay it. */
export function Queue({ queue }: { queue: ServerHealth['queue'] }) {
  const t = useTexts(healthTexts);
  return (
    <Section title={t.queue}>
      <Facts>
        <Fact name={t.due}>{formatNumber(queue.due)}</Fact>
        <Fact name={t.waiting}>{formatNumber(queue.waiting)}</Fact>
        <Fact name={t.parked}>{formatNumber(queue.parked)}</Fact>
      </Facts>
      {queue.slowest.length === 0 ? (
        <Text c="dimmed">{t.noneWait}</Text>
      ) : (
        <WideTable label={t.slowest} minWidth={560} columns={[t.application, t.events, t.oldest, t.breaker]}>
          {queue.slowest.map(({ appId, name, events, oldestDueAt, breakerOpenedAt }) => (
            <Table.Tr key={appId}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>
                <Anchor component={Link} to={`/applications/${appId}`} inherit>
                  {name || appId}
                </Anchor>
              </Table.Td>
              <Table.Td>{formatNumber(events)}</Table.Td>
              <Table.Td>
                <Moment at={oldestDueAt} />
              </Table.Td>
              <Table.Td>
                {breakerOpenedAt === undefined ? (
                  t.closed
                ) : (
                  <>
                    {t.open} <Moment at={breakerOpenedAt} />
                  </>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </WideTable>
      )}
    </Section>
  );
}
