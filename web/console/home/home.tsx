import { Button, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconApps, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ConsoleHome } from '#contract/applications/monitoring.ts';
import { Avatar } from '../../ui/parts/avatar.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { Happened } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { ApplicationBadge } from '../application/badges.tsx';
import { Sparkline } from '../application/figures.tsx';
import { homeQuery } from '../application/queries.ts';
import classes from './home.module.css';

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

/** One application: its bot, its state, and the last 24 hours. */
function ApplicationCard({ application }: { application: ConsoleHome['applications'][number] }) {
  const t = useTexts();
  const { appId, name, state, role, bot, keyLastUsedAt, hours } = application;
  const sum = (of: 'requests' | 'errors' | 'deliveries' | 'failedDeliveries') =>
    hours.reduce((total, hour) => total + hour[of], 0);
  const figures = [
    {
      label: t('console.home.requests', { count: sum('requests'), errors: sum('errors') }),
      bars: hours.map(({ requests: total, errors: failed }) => ({ total, failed })),
    },
    {
      label: t('console.home.deliveries', { count: sum('deliveries'), failed: sum('failedDeliveries') }),
      bars: hours.map(({ deliveries: total, failedDeliveries: failed }) => ({ total, failed })),
    },
  ];
  return (
    <Card withBorder className={classes.card ?? ''} component={Link} to={`/applications/${appId}`}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Group gap="sm" wrap="nowrap" miw={0} flex="1 1 12rem">
            <Avatar name={name} seed={bot?.userId ?? appId} pictureUrl={bot?.pictureUrl} size={36} />
            <div style={{ minWidth: 0 }}>
              <Text fw={600} truncate>
                {name}
              </Text>
              <Dimmed size="xs" truncate>
                {role !== 'owner' && `${t(`console.role.${role}`)} · `}
                {bot ? `@${bot.username}` : t('console.home.noBot')}
              </Dimmed>
            </div>
          </Group>
          <ApplicationBadge appId={appId} state={state} />
        </Group>
        <SimpleGrid cols={2} aria-label={t('console.home.lastDay')}>
          {figures.map(({ label, bars }) => (
            <div key={label}>
              <Sparkline label={label} bars={bars} />
              <Dimmed size="xs" mt={4}>
                {label}
              </Dimmed>
            </div>
          ))}
        </SimpleGrid>
        <Dimmed size="xs">
          <Happened
            words={t('console.home.keyUsed')}
            at={keyLastUsedAt}
            never={t('console.home.keyUnused')}
          />
        </Dimmed>
      </Stack>
    </Card>
  );
}
