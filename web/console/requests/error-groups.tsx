import { Anchor, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Moment } from '../../ui/parts/moment.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { useApplication } from '../application/layout.tsx';
import { errorGroupsQuery } from './queries.ts';
import { Status } from './status.tsx';
import { requestsTexts } from './texts.ts';

/** Errors grouped by kind, with their counts and times; a click shows the latest of each. */
export function ErrorGroups() {
  const t = useTexts(requestsTexts);
  const { appId } = useApplication();
  const groups = useQuery(errorGroupsQuery(appId));
  return (
    <QueryView query={groups}>
      {(list) =>
        list.length === 0 ? (
          <Text c="dimmed">{t.noErrors}</Text>
        ) : (
          <Stack gap="md">
            {list.map((group) => (
              <div key={`${group.method} ${group.route} ${group.code} ${group.message}`}>
                <Group gap="xs" style={{ rowGap: 0 }}>
                  <Status status={group.status} />
                  <Text size="sm" ff="monospace">
                    {group.method} {group.route}
                  </Text>
                  <Text size="sm" c="dimmed">
                    {t.times(group.count)} · {t.last} <Moment at={group.lastAt} />
                  </Text>
                </Group>
                <Text size="sm">
                  {group.code}: {group.message}
                </Text>
                <Anchor component={Link} to={`?requestId=${group.lastRequestId}`} size="xs" ff="monospace">
                  {group.lastRequestId}
                </Anchor>
              </div>
            ))}
          </Stack>
        )
      }
    </QueryView>
  );
}
