import { Anchor, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Moment } from '../../ui/parts/moment.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { useTexts } from '../../ui/texts.ts';
import { failingQuery } from '../parts/queries.ts';
import { applicationTexts } from './texts.ts';

/** Endpoints that do not respond, if any. */
export function Failing() {
  const t = useTexts(applicationTexts);
  const { data: endpoints = [] } = useQuery(failingQuery);
  if (endpoints.length === 0) return null;
  return (
    <Section title={t.failingEndpoints} lead={t.failingLead}>
      <WideTable label={t.failingEndpoints} minWidth={360} columns={[t.name, t.openSince]}>
        {endpoints.map(({ appId, name, breakerOpenedAt }) => (
          <Table.Tr key={appId}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Anchor component={Link} to={`/applications/${appId}`} inherit>
                {name}
              </Anchor>
            </Table.Td>
            <Table.Td>
              <Moment at={breakerOpenedAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </WideTable>
    </Section>
  );
}
