import { Anchor, Group, Text, Timeline } from '@mantine/core';
import { IconMessage, IconTerminal2, IconWebhook } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Simulator, TimelineItem } from '#contract/applications/simulator.ts';
import { Moment } from '../../ui/parts/moment.tsx';
import { useServerWords } from '../../ui/server-words.ts';
import { useTexts } from '../../ui/texts.ts';
import { duration } from '../../ui/times.ts';
import { useApplication } from '../application/layout.tsx';
import { State } from '../events/state.tsx';
import { Status } from '../requests/status.tsx';
import { excerpt } from './bubble.tsx';
import { itemKey } from './queries.ts';

const ICONS = { message: IconMessage, event: IconWebhook, request: IconTerminal2 };

/** Everything between the test person and the bot, in chronological order. */
export function TimelineItems({ simulator, items }: { simulator: Simulator; items: TimelineItem[] }) {
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
            <Text size="xs" c="dimmed">
              <Moment at={item.at} />
            </Text>
          </Timeline.Item>
        );
      })}
    </Timeline>
  );
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
      {event && <State state={event.state} />}
      {request && <Status status={request.status} />}
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
