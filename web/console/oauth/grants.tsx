import { Badge, Table, Text } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import type { Grant } from '#contract/oauth.ts';
import { callConsole } from '../../ui/api.ts';
import { Empty } from '../../ui/parts/empty.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { Pages } from '../../ui/parts/pages.tsx';
import { Scopes } from '../../ui/parts/scopes.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { useTexts } from '../../ui/texts.ts';
import { useApplication } from '../application/layout.tsx';

const grantsQuery = (appId: string) =>
  infiniteQueryOptions({
    queryKey: ['applications', appId, 'grants'],
    queryFn: ({ pageParam, signal }) =>
      callConsole('GET /applications/:appId/grants', {
        params: { appId },
        query: { before: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }) => nextBefore,
  });

/** Grants, newest first, with the reasons why some have ended. */
export function Grants() {
  const t = useTexts();
  const { appId } = useApplication();
  const pages = useInfiniteQuery(grantsQuery(appId));
  return (
    <Section title={t('console.oauth.grants')} lead={t('console.oauth.grantsLead')}>
      <Pages
        query={pages}
        items={({ grants }) => grants}
        empty={
          <Empty icon={<IconLogin2 />} title={t('console.oauth.noGrants')}>
            {t('console.oauth.noGrantsText')}
          </Empty>
        }
      >
        {(grants) => (
          <WideTable
            label={t('console.oauth.grants')}
            minWidth={560}
            verticalSpacing="sm"
            columns={[
              t('console.oauth.granted'),
              t('console.oauth.scopes'),
              t('console.oauth.refreshed'),
              t('console.oauth.state_'),
            ]}
          >
            {grants.map((grant) => (
              <Row key={grant.grantId} grant={grant} />
            ))}
          </WideTable>
        )}
      </Pages>
    </Section>
  );
}

function Row({ grant: { scopes, grantedAt, lastRefreshedAt, endedAt, endReason } }: { grant: Grant }) {
  const t = useTexts();
  return (
    <Table.Tr>
      <Table.Td>
        <Moment at={grantedAt} />
      </Table.Td>
      <Table.Td>
        <Scopes scopes={scopes} />
      </Table.Td>
      <Table.Td>{lastRefreshedAt !== undefined && <Moment at={lastRefreshedAt} />}</Table.Td>
      <Table.Td>
        <Badge variant="dot" color={endedAt === undefined ? 'teal' : 'gray'} tt="none" fw={500}>
          {endedAt === undefined ? t('console.oauth.holds') : t('console.oauth.ended')}
        </Badge>
        {endReason && (
          <Text size="xs" c="dimmed">
            {t(`console.grantEnd.${endReason}`)}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
