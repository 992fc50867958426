import { Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Moment } from '../../ui/parts/moment.tsx';
import { Pages } from '../../ui/parts/pages.tsx';
import { Scopes } from '../../ui/parts/scopes.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { useTexts } from '../../ui/texts.ts';
import { grantsQuery } from '../parts/queries.ts';
import { applicationTexts } from './texts.ts';

/** The grants that people gave an application, newest first, without their names. */
export function Grants({ appId }: { appId: string }) {
  const t = useTexts(applicationTexts);
  const pages = useInfiniteQuery(grantsQuery(appId));
  return (
    <Section title={t.grants} lead={t.grantsLead}>
      <Pages query={pages} items={({ grants }) => grants} empty={<Text c="dimmed">{t.noGrants}</Text>}>
        {(grants) => (
          <WideTable label={t.grants} minWidth={520} columns={[t.granted, t.scopes, t.refreshed, t.ended]}>
            {grants.map(({ grantId, scopes, grantedAt, lastRefreshedAt, endedAt }) => (
              <Table.Tr key={grantId}>
                <Table.Td>
                  <Moment at={grantedAt} />
                </Table.Td>
                <Table.Td>
                  <Scopes scopes={scopes} />
                </Table.Td>
                <Table.Td>{lastRefreshedAt !== undefined && <Moment at={lastRefreshedAt} />}</Table.Td>
                <Table.Td>{endedAt === undefined ? t.holds : <Moment at={endedAt} />}</Table.Td>
              </Table.Tr>
            ))}
          </WideTable>
        )}
      </Pages>
    </Section>
  );
}
