import { Code, Group, Text, Timeline } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AuditEntry } from '#contract/applications/audit.ts';
import { Empty } from '../ui/parts/empty.tsx';
import { Timestamp } from '../ui/parts/moment.tsx';
import { Pages } from '../ui/parts/pages.tsx';
import { Screen } from '../ui/parts/screen.tsx';
import { useTexts } from '../ui/texts.ts';
import { useApplication } from './application/layout.tsx';
import { consolePages } from './application/queries.ts';

/** Who changed what, newest first. */
export function Component() {
  const t = useTexts();
  const { appId } = useApplication();
  const pages = useInfiniteQuery(consolePages('GET /applications/:appId/audit', { params: { appId } }));
  return (
    <Screen title={t('console.audit.title')} lead={t('console.audit.lead')}>
      <Pages
        query={pages}
        items={({ entries }) => entries}
        empty={<Empty icon={<IconHistory />} title={t('console.audit.none')} />}
      >
        {(entries) => (
          <Timeline bulletSize={14} lineWidth={2}>
            {entries.map((entry) => (
              <Timeline.Item key={entry.entryId} title={<Title entry={entry} />}>
                <Details entry={entry} />
              </Timeline.Item>
            ))}
          </Timeline>
        )}
      </Pages>
    </Screen>
  );
}

function Title({ entry: { actor, action } }: { entry: AuditEntry }) {
  const t = useTexts();
  return (
    <Text size="sm">
      <b>{actor.kind === 'operator' ? t('console.audit.operator') : (actor.name ?? actor.userId)}</b>{' '}
      {t(`console.auditAction.${action}`)}
    </Text>
  );
}

function Details({ entry: { at, channel, details } }: { entry: AuditEntry }) {
  const t = useTexts();
  return (
    <>
      <Text size="xs" c="dimmed">
        <Timestamp at={at} /> · {t(`console.auditChannel.${channel}`)}
      </Text>
      <Group gap="xs" mt={4}>
        {Object.entries(details).map(([name, value]) => (
          <Code key={name} style={{ overflowWrap: 'anywhere' }}>
            {name}: {[value].flat().join(', ')}
          </Code>
        ))}
      </Group>
    </>
  );
}
