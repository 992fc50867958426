import { Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { ConsoleHome } from '#contract/applications/monitoring.ts';
import { Avatar } from '../../ui/parts/avatar.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Sparkline } from '../application/sparkline.tsx';
import { StateBadge } from '../application/state-badge.tsx';
import classes from './application-card.module.css';

/** One application: its bot, its state, and the last 24 hours. */
export function ApplicationCard({ application }: { application: ConsoleHome['applications'][number] }) {
  const t = useTexts();
  const { appId, name, state, role, bot, keyLastUsedAt, hours } = application;
  const sum = (of: 'requests' | 'errors' | 'deliveries' | 'failedDeliveries') =>
    hours.reduce((total, hour) => total + hour[of], 0);
  const requests = t('console.home.requests', { count: sum('requests'), errors: sum('errors') });
  const deliveries = t('console.home.deliveries', {
    count: sum('deliveries'),
    failed: sum('failedDeliveries'),
  });
  return (
    <Card withBorder className={classes.card ?? ''} component={Link} to={`/applications/${appId}`}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Avatar name={name} seed={bot?.userId ?? appId} pictureUrl={bot?.pictureUrl} size={36} />
            <div style={{ minWidth: 0 }}>
              <Text fw={600} truncate>
                {name}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {role !== 'owner' && `${t(`console.role.${role}`)} · `}
                {bot ? `@${bot.username}` : t('console.home.noBot')}
              </Text>
            </div>
          </Group>
          <StateBadge appId={appId} state={state} />
        </Group>
        <SimpleGrid cols={2} aria-label={t('console.home.lastDay')}>
          <div>
            <Sparkline
              label={requests}
              bars={hours.map(({ requests: total, errors }) => ({ total, failed: errors }))}
            />
            <Text size="xs" c="dimmed" mt={4}>
              {requests}
            </Text>
          </div>
          <div>
            <Sparkline
              label={deliveries}
              bars={hours.map(({ deliveries: total, failedDeliveries }) => ({
                total,
                failed: failedDeliveries,
              }))}
            />
            <Text size="xs" c="dimmed" mt={4}>
              {deliveries}
            </Text>
          </div>
        </SimpleGrid>
        <Text size="xs" c="dimmed">
          {keyLastUsedAt === undefined ? (
            t('console.home.keyUnused')
          ) : (
            <>
              {t('console.home.keyUsed')} <Moment at={keyLastUsedAt} />
            </>
          )}
        </Text>
      </Stack>
    </Card>
  );
}
