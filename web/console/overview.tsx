import { Anchor, Card, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Overview } from '#contract/applications/monitoring.ts';
import { passes } from '#contract/webhooks/event-filter.ts';
import { CopyField } from '../ui/parts/copy-field.tsx';
import { Dimmed } from '../ui/parts/dimmed.tsx';
import { Moment } from '../ui/parts/moment.tsx';
import { QueryView } from '../ui/parts/query-view.tsx';
import { Screen, Section } from '../ui/parts/screen.tsx';
import { formatNumber, useTexts } from '../ui/texts.ts';
import { duration } from '../ui/times.ts';
import { StatusBadge } from './application/badges.tsx';
import { QuotaBar, Sparkline } from './application/figures.tsx';
import { useApplication } from './application/layout.tsx';
import { botQuery, consoleQuery, useOwnQuery } from './application/queries.ts';

/** The last 100 events, newest first. */
const useLatestEvents = () => useOwnQuery('GET /applications/:appId/events').data;

/** The errors of the last hour, and the undelivered events. */
function Failing({ groups }: { groups: Overview['failing'] }) {
  const t = useTexts();
  const { appId } = useApplication();
  const events = useLatestEvents() ?? [];
  const undelivered = events.filter((event) => passes({ state: 'failed' }, event)).length;
  const at = `/applications/${appId}`;
  return (
    <Section title={t('console.overview.now')}>
      {groups.length === 0 && undelivered === 0 && (
        <Group gap="xs" wrap="nowrap" c="dimmed">
          <IconCircleCheck size={18} style={{ flex: 'none' }} />
          <Text size="sm">{t('console.overview.allWell')}</Text>
        </Group>
      )}
      <Stack gap="sm">
        {undelivered > 0 && (
          <Anchor component={Link} to={`${at}/events?state=failed`} size="sm">
            {t('console.overview.waiting', { count: undelivered })}
          </Anchor>
        )}
        {groups.map(({ method, route, status, message, count, lastRequestId }) => (
          <div key={lastRequestId}>
            <Group gap="xs">
              <StatusBadge status={status} />
              <Anchor
                component={Link}
                to={`${at}/requests?requestId=${lastRequestId}`}
                size="sm"
                ff="monospace"
              >
                {method} {route}
              </Anchor>
              <Dimmed>{t('console.requests.times', { count })}</Dimmed>
            </Group>
            <Text size="sm">{message}</Text>
          </div>
        ))}
      </Stack>
    </Section>
  );
}

/** The state of an application: its last 24 hours, current failures, remaining quota, and next steps. */
export function Component() {
  const t = useTexts();
  const { appId, createdAt } = useApplication();
  const overview = useQuery({
    ...consoleQuery('GET /applications/:appId/overview', { params: { appId } }),
    refetchInterval: 15_000,
  });
  return (
    <Screen title={t('console.application.overview')} size="lg">
      <NextSteps hasSent={overview.data?.hours.some(({ sends }) => sends > 0) ?? true} />
      <QueryView query={overview}>
        {(found) => (
          <>
            <Figures overview={found} />
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              <Failing groups={found.failing} />
              <QuotaLeft busiest={found.busiest} />
            </SimpleGrid>
          </>
        )}
      </QueryView>
      <Section title={t('console.overview.identifiers')}>
        <SimpleGrid cols={{ base: 1, lg: 2 }}>
          <CopyField
            label={t('console.overview.appId')}
            value={appId}
            hint={t('console.overview.clientIdHint')}
          />
          <CopyField label={t('console.overview.baseUrl')} value={location.origin} />
        </SimpleGrid>
        <Dimmed>
          {t('console.overview.created')} <Moment at={createdAt} />
        </Dimmed>
      </Section>
    </Screen>
  );
}

/** The endpoint closest to its limit. */
function QuotaLeft({ busiest }: { busiest: Overview['busiest'] }) {
  const t = useTexts();
  const { requestsPerMinute } = useApplication();
  const { used, limit } = busiest?.quota ?? { used: 0, limit: requestsPerMinute };
  return (
    <Section
      title={t('console.overview.quota')}
      lead={t('console.overview.quotaText', { perMinute: requestsPerMinute })}
    >
      {busiest && (
        <Text size="sm" ff="monospace">
          {busiest.method} {busiest.route}
        </Text>
      )}
      <QuotaBar used={used} limit={limit} />
    </Section>
  );
}

/** The remaining steps of a new application, in order; nothing once all are done. */
function NextSteps({ hasSent }: { hasSent: boolean }) {
  const t = useTexts();
  const { appId, apiKeys, webhookUrl } = useApplication();
  const bot = useQuery(botQuery(appId)).data;
  const events = useLatestEvents();
  if (bot === undefined || events === undefined) return null;
  const hasEvents = events.some(({ type }) => type !== 'ping');
  const isUsed = apiKeys.some(({ lastUsedAt }) => lastUsedAt !== undefined);
  const steps = (
    [
      [!bot, 'bot', 'nextBot'],
      [!webhookUrl && !isUsed, 'events', 'nextWebhook'],
      [bot && !hasEvents, 'simulator', 'nextEvent'],
      [hasEvents && !hasSent, 'simulator', 'nextAnswer'],
    ] as const
  ).filter(([isLeft]) => isLeft);
  if (steps.length === 0) return null;
  return (
    <Section title={t('console.overview.next')}>
      <Stack gap="xs">
        {steps.map(([, to, step]) => (
          <Card key={step} withBorder padding="sm">
            <Anchor component={Link} to={`/applications/${appId}/${to}`} fw={600}>
              {t(`console.overview.${step}`)}
            </Anchor>
            <Dimmed>{t(`console.overview.${step}Text`)}</Dimmed>
          </Card>
        ))}
      </Stack>
    </Section>
  );
}

/** The last 24 hours in four figures, each with its trend and the screen of its details. */
function Figures({ overview: { hours, p50Ms, p95Ms } }: { overview: Overview }) {
  const t = useTexts();
  const { appId } = useApplication();
  const sum = (of: 'requests' | 'sends' | 'errors' | 'deliveries' | 'failedDeliveries') =>
    hours.reduce((total, hour) => total + hour[of], 0);
  const failed = sum('failedDeliveries');
  const figures = [
    {
      to: 'requests',
      label: t('console.overview.sends'),
      value: formatNumber(sum('sends')),
      detail: t('console.overview.ofRequests', { count: sum('requests') }),
      bars: hours.map(({ sends }) => ({ total: sends, failed: 0 })),
    },
    {
      to: 'events',
      label: t('console.overview.events'),
      value: formatNumber(sum('deliveries')),
      detail:
        failed === 0 ? t('console.overview.noneFailed') : t('console.overview.failed', { count: failed }),
      bars: hours.map(({ deliveries: total, failedDeliveries }) => ({ total, failed: failedDeliveries })),
    },
    {
      to: 'requests?view=errors',
      label: t('console.overview.errors'),
      value: formatNumber(sum('errors')),
      detail: t('console.overview.ofRequests', { count: sum('requests') }),
      bars: hours.map(({ errors }) => ({ total: errors, failed: errors })),
    },
    {
      to: 'usage',
      label: t('console.overview.latency'),
      value: duration(p50Ms),
      detail:
        p95Ms === undefined
          ? t('console.overview.noRequests')
          : t('console.overview.median', { time: duration(p95Ms) }),
      bars: hours.map((hour) => ({ total: hour.p95Ms ?? 0, failed: 0 })),
    },
  ];
  return (
    <Section title={t('console.home.lastDay')}>
      <SimpleGrid cols={{ base: 2, lg: 4 }}>
        {figures.map(({ to, label, value, detail, bars }) => (
          <Card
            key={label}
            withBorder
            component={Link}
            to={`/applications/${appId}/${to}`}
            c="inherit"
            padding="sm"
          >
            <Dimmed>{label}</Dimmed>
            <Text size="xl" fw={650}>
              {value}
            </Text>
            <Dimmed size="xs" mb="xs">
              {detail}
            </Dimmed>
            <Sparkline label={`${label}: ${value}`} bars={bars} />
          </Card>
        ))}
      </SimpleGrid>
    </Section>
  );
}
