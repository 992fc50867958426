import { Button, SimpleGrid } from '@mantine/core';
import { IconApps, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Empty } from '../../ui/parts/empty.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { homeQuery } from '../application/queries.ts';
import { ApplicationCard } from './application-card.tsx';

/** The first screen: the person's applications, or the start of the first one. */
export function Component() {
  const t = useTexts();
  const home = useQuery(homeQuery);
  const create = (
    <Button component={Link} to="/new" leftSection={<IconPlus size={18} />}>
      {t('console.home.create')}
    </Button>
  );
  return (
    <Screen
      title={t('console.home.title')}
      size="xl"
      isCentred
      lead={
        home.data &&
        home.data.used > 0 &&
        t('console.home.used', { count: home.data.used, limit: home.data.limit })
      }
      action={home.data && home.data.applications.length > 0 && create}
    >
      <QueryView query={home}>
        {({ applications }) =>
          applications.length === 0 ? (
            <Empty icon={<IconApps />} title={t('console.home.emptyTitle')} action={create}>
              {t('console.home.emptyText')}
            </Empty>
          ) : (
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
              {applications.map((one) => (
                <ApplicationCard key={one.appId} application={one} />
              ))}
            </SimpleGrid>
          )
        }
      </QueryView>
    </Screen>
  );
}
