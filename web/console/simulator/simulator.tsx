import { Anchor, Badge, Button, Group, SimpleGrid, Text, Timeline } from '@mantine/core';
import { IconMessage, IconRobot, IconTerminal2, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Simulator, TimelineItem } from '#contract/applications/simulator.ts';
import { confirms, runs } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { Timestamp } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { useServerWords } from '../../ui/server-words.ts';
import { useTexts } from '../../ui/texts.ts';
import { duration } from '../../ui/times.ts';
import { DeliveryBadge, StatusBadge } from '../application/badges.tsx';
import { DeveloperOnly, useApplication } from '../application/layout.tsx';
import { simulatorQuery, timelineQuery, useChange } from '../application/queries.ts';
import { useLiveTimeline } from '../live/live.tsx';
import { excerpt } from './bubble.tsx';
import { ChatPane } from './chat-pane.tsx';

const ICONS = { message: IconMessage, event: IconWebhook, request: IconTerminal2 };

/** Everything between the test person and the bot, in chronological order. */
function TimelineItems({ simulator, items }: { simulator: Simulator; items: TimelineItem[] }) {
  const t = useTexts();
  if (items.length === 0) return <Text c="dimmed">{t('console.simulator.nothing')}</Text>;
  return (
    <Timeline bulletSize={26} lineWidth={2}>
      {items.map((item) => {
        const Icon = ICONS[item.kind];
        return (
          <Timeline.Item
            key={itemKey(item)}
            bullet={<Icon size={14} aria-hidden="true" />}
            title={<Title item={item} simulator={simulator} />}
          >
            <Line item={item} />
            <Dimmed size="xs">
              <Timestamp at={item.at} />
            </Dimmed>
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
}

function itemKey({ kind, at, message, event, request }: TimelineItem): string {
  return `${kind} ${message?.msgId ?? event?.eventId ?? request?.requestId ?? at}`;
}

function Title({
  item: { message, event, request },
  simulator,
}: {
  item: TimelineItem;
  simulator: Simulator;
}) {
  const t = useTexts();
  const { appId } = useApplication();
  let title: ReactNode = t('console.simulator.request');
  if (message)
    title = t('console.simulator.wrote', {
      name: message.from === simulator.testPerson.userId ? t('console.simulator.you') : simulator.bot.name,
    });
  if (event) {
    title = (
      <Anchor component={Link} to={`/applications/${appId}/events/${event.eventId}`} size="sm">
        {t('console.simulator.event')}: {event.type}
      </Anchor>
    );
  }
  return (
    <Group gap="xs">
      <Text size="sm" fw={600} component="div" miw={0} style={{ overflowWrap: 'anywhere' }}>
        {title}
      </Text>
      {event && <DeliveryBadge state={event.state} />}
      {request && <StatusBadge status={request.status} />}
    </Group>
  );
}

function Line({ item: { message, event, request } }: { item: TimelineItem }) {
  const inOwnWords = useServerWords();
  const attempt = event?.attemptLog.at(-1);
  // The chat shows the full text.
  if (message)
    return (
      <Text size="sm" lineClamp={3}>
        {excerpt(message)}
      </Text>
    );
  const lines = [
    request && `${request.method} ${request.route} · ${duration(request.durationMs)}`,
    request?.message && `${request.code}: ${request.message}`,
    attempt?.status !== undefined && `HTTP ${attempt.status}`,
    attempt?.timings && duration(attempt.timings.total),
    attempt && inOwnWords(attempt),
  ];
  return <Text size="sm">{lines.filter(Boolean).join(' · ')}</Text>;
}

/** A chat with the developer's own bot as a test person, beside everything that results from it. */
export function Component() {
  const t = useTexts();
  const { appId } = useApplication();
  return (
    <Screen title={t('console.application.simulator')} lead={t('console.simulator.lead')} size="xl">
      <QueryView query={useQuery(simulatorQuery(appId))}>
        {(found) =>
          found ? (
            <Stage simulator={found} />
          ) : (
            <Empty
              icon={<IconRobot />}
              title={t('console.simulator.noBot')}
              action={
                <Button component={Link} to={`/applications/${appId}/bot`}>
                  {t('console.simulator.toBot')}
                </Button>
              }
            >
              {t('console.simulator.noBotText')}
            </Empty>
          )
        }
      </QueryView>
    </Screen>
  );
}

function Stage({ simulator }: { simulator: Simulator }) {
  const t = useTexts();
  const { appId } = useApplication();
  const live = useLiveTimeline(appId);
  const timeline = useQuery(timelineQuery(appId));
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
      <DeveloperOnly>
        <Section title={t('console.simulator.chat')} action={<Actions simulator={simulator} />}>
          <QueryView query={timeline}>
            {({ items }) => (
              <ChatPane simulator={simulator} messages={items.flatMap(({ message }) => message ?? [])} />
            )}
          </QueryView>
        </Section>
      </DeveloperOnly>
      <Section
        title={t('console.simulator.timeline')}
        lead={t('console.simulator.timelineLead')}
        action={
          <Badge variant="dot" fw={500} color={live === 'open' ? 'teal' : 'yellow'} role="status">
            {t(`console.live.${live}`)}
          </Badge>
        }
      >
        <QueryView query={timeline}>
          {({ items }) => <TimelineItems simulator={simulator} items={items} />}
        </QueryView>
      </Section>
    </SimpleGrid>
  );
}

function Actions({ simulator: { isBlocked } }: { simulator: Simulator }) {
  const t = useTexts();
  const block = useChange(`POST /applications/:appId/simulator/${isBlocked ? 'unblock' : 'block'}`);
  const reset = useChange('POST /applications/:appId/simulator/reset', {
    done: t('console.simulator.resetDone'),
  });
  return (
    <Group gap="xs">
      <Button size="compact-sm" variant="default" {...runs(block)}>
        {isBlocked ? t('console.simulator.unblock') : t('console.simulator.block')}
      </Button>
      <ConfirmButton
        size="compact-sm"
        label={t('console.simulator.reset')}
        title={t('console.simulator.resetTitle')}
        text={t('console.simulator.resetText')}
        {...confirms(reset)}
      />
    </Group>
  );
}
