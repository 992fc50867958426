import { Anchor, Group, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Overview } from '#contract/applications/monitoring.ts';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { useApplication } from '../application/layout.tsx';
import { latestEventsQuery } from '../events/queries.ts';
import { Status } from '../requests/status.tsx';
import { overviewTexts } from './texts.ts';

const UNDELIVERED = new Set(['retrying', 'abandoned']);

/** The errors of the last hour, and the undelivered events. */
export function Failing({ groups }: { groups: Overview['failing'] }) {
  const t = useTexts(overviewTexts);
  const { appId } = useApplication();
  const events = useQuery(latestEventsQuery(appId)).data ?? [];
  const undelivered = events.filter(({ state }) => UNDELIVERED.has(state)).length;
  const at = `/applications/${appId}`;
  return (
    <Section title={t.now}>
      {groups.length === 0 && undelivered === 0 && (
        <Group gap="xs" c="dimmed">
          <IconCircleCheck size={18} />
          <Text size="sm">{t.allWell}</Text>
        </Group>
      )}
      <Stack gap="sm">
        {undelivered > 0 && (
          <Anchor component={Link} to={`${at}/events`} size="sm">
            {t.waiting(undelivered)}
          </Anchor>
        )}
        {groups.map(({ method, route, status, message, count, lastRequestId }) => (
          <div key={lastRequestId}>
            <Group gap="xs">
              <Status status={status} />
              <Anchor
                component={Link}
                to={`${at}/requests?requestId=${lastRequestId}`}
                size="sm"
                ff="monospace"
              >
                {method} {route}
              </Anchor>
              <Text size="sm" c="dimmed">
                {t.times(count)}
              </Text>
            </Group>
            <Text size="sm">{message}</Text>
          </div>
        ))}
      </Stack>
    </Section>
  );
}
