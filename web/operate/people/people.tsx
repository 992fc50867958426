import { Anchor, Badge, Group } from '@mantine/core';
import { IconUserSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Happened } from '../../ui/parts/moment.tsx';
import { useTexts } from '../../ui/texts.ts';
import { operateQuery } from '../parts/queries.ts';
import { SearchScreen, useSearched } from '../parts/search.tsx';

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
    <SearchScreen
      about="people"
      icon={<IconUserSearch />}
      query={people}
      keyOf={({ accountId }) => accountId}
      columns={[
        [
          t('operate.people.name'),
          ({ accountId, name, suspension }) => (
            <Group gap="xs">
              <Anchor component={Link} to={`/people/${accountId}`} inherit>
                {name}
              </Anchor>
              {suspension && <Badge color="red">{t('operate.people.suspended')}</Badge>}
            </Group>
          ),
        ],
        [t('operate.people.email'), ({ email }) => email],
        [
          t('operate.people.lastSeen'),
          ({ lastSeenAt }) => (
            <Happened at={lastSeenAt} never={<Dimmed>{t('operate.people.never')}</Dimmed>} />
          ),
        ],
      ]}
    />
  );
}
