import { Anchor, Badge, Group } from '@mantine/core';
import { IconUserSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { OperatedPerson } from '#contract/operate/people.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { useTexts } from '../../ui/texts.ts';
import { operateQuery } from '../parts/queries.ts';
import { MoreFound, SearchField, useSearched } from '../parts/search.tsx';

/** The search for a person. */
export function Component() {
  const t = useTexts();
  const searched = useSearched();
  const people = useQuery({
    ...operateQuery('GET /people', { query: { query: searched } }),
    select: ({ people: list }) => list,
    enabled: searched !== '',
  });
  return (
    <Screen title={t('operate.section.people')} lead={t('operate.people.lead')} size="lg">
      <SearchField label={t('operate.people.label')} hint={t('operate.people.hint')} />
      {searched === '' ? (
        <Empty icon={<IconUserSearch />} title={t('operate.people.begin')}>
          {t('operate.people.beginText')}
        </Empty>
      ) : (
        <QueryView
          query={people}
          empty={
            <Empty icon={<IconUserSearch />} title={t('operate.common.none')}>
              {t('operate.people.noneText')}
            </Empty>
          }
        >
          {(found) => (
            <>
              <Found people={found} />
              <MoreFound count={found.length} />
            </>
          )}
        </QueryView>
      )}
    </Screen>
  );
}

function Found({ people }: { people: OperatedPerson[] }) {
  const t = useTexts();
  return (
    <WideTable
      label={t('operate.section.people')}
      minWidth={560}
      items={people}
      keyOf={({ accountId }) => accountId}
      columns={[
        [
          t('operate.people.name'),
          ({ accountId, name, suspension }) => (
            <Group gap="xs">
              <Anchor component={Link} to={`/people/${accountId}`} inherit>
                {name}
              </Anchor>
              {suspension && (
                <Badge color="red" variant="light">
                  {t('operate.people.suspended')}
                </Badge>
              )}
            </Group>
          ),
        ],
        [t('operate.people.email'), ({ email }) => email],
        [
          t('operate.people.lastSeen'),
          ({ lastSeenAt }) =>
            lastSeenAt === undefined ? (
              <Dimmed>{t('operate.people.never')}</Dimmed>
            ) : (
              <Moment at={lastSeenAt} />
            ),
        ],
      ]}
    />
  );
}
