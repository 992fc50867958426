import { Anchor, Badge, Group, Table, Text } from '@mantine/core';
import { IconUserSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { OperatedPerson } from '#contract/operate/people.ts';
import { Empty } from '../../ui/parts/empty.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { useTexts } from '../../ui/texts.ts';
import { peopleQuery } from '../parts/queries.ts';
import { MoreFound, SearchField, useSearched } from '../parts/search.tsx';
import { sectionTexts } from '../parts/section-texts.ts';
import { operateTexts } from '../parts/texts.ts';
import { peopleTexts } from './texts.ts';

/** The search for a person. */
export function Component() {
  const t = { ...useTexts(operateTexts), ...useTexts(peopleTexts) };
  const sections = useTexts(sectionTexts);
  const searched = useSearched();
  const people = useQuery(peopleQuery(searched));
  return (
    <Screen title={sections.people} lead={t.lead} size="lg">
      <SearchField label={t.label} hint={t.hint} />
      {searched === '' ? (
        <Empty icon={<IconUserSearch />} title={t.begin}>
          {t.beginText}
        </Empty>
      ) : (
        <QueryView query={people}>
          {(found) =>
            found.length === 0 ? (
              <Empty icon={<IconUserSearch />} title={t.none}>
                {t.noneText}
              </Empty>
            ) : (
              <>
                <Found people={found} />
                <MoreFound count={found.length} />
              </>
            )
          }
        </QueryView>
      )}
    </Screen>
  );
}

function Found({ people }: { people: OperatedPerson[] }) {
  const t = { ...useTexts(operateTexts), ...useTexts(peopleTexts) };
  const sections = useTexts(sectionTexts);
  return (
    <WideTable label={sections.people} minWidth={560} columns={[t.name, t.email, t.lastSeen]}>
      {people.map((person) => (
        <Table.Tr key={person.accountId}>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>
            <Group gap="xs">
              <Anchor component={Link} to={`/people/${person.accountId}`} inherit>
                {person.name}
              </Anchor>
              {person.suspension && (
                <Badge color="red" variant="light">
                  {t.suspended}
                </Badge>
              )}
            </Group>
          </Table.Td>
          <Table.Td style={{ overflowWrap: 'anywhere' }}>{person.email}</Table.Td>
          <Table.Td>
            {person.lastSeenAt === undefined ? (
              <Text size="sm" c="dimmed">
                {t.never}
              </Text>
            ) : (
              <Moment at={person.lastSeenAt} />
            )}
          </Table.Td>
        </Table.Tr>
      ))}
    </WideTable>
  );
}
