import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { callAuth } from '../api.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { Moment } from '../parts/moment.tsx';
import { QueryView } from '../parts/query-view.tsx';
import { Section } from '../parts/screen.tsx';
import { useChangeOfPerson } from '../session/session.ts';
import { useTexts } from '../texts.ts';
import { sessionsQuery, useAccountChange } from './queries.ts';
import { accountTexts } from './texts.ts';
import { nameBrowser } from './user-agent.ts';

export function Sessions() {
  const t = useTexts(accountTexts);
  const sessions = useQuery(sessionsQuery);
  const changePerson = useChangeOfPerson();
  const end = useAccountChange(
    (sessionId: string) => callAuth('POST /sessions/revoke', { body: { sessionId } }),
    {
      done: t.sessionEnded,
    },
  );
  const endAll = useAccountChange(() => callAuth('POST /sign-out-everywhere'), {
    onSuccess: () => changePerson(null),
  });
  return (
    <Section
      title={t.sessions}
      lead={t.sessionsLead}
      action={
        <ConfirmButton
          variant="default"
          size="compact-sm"
          label={t.endEverywhere}
          title={t.endEverywhere}
          onConfirm={() => endAll.mutate(undefined)}
        >
          {t.endEverywhereText}
        </ConfirmButton>
      }
    >
      <QueryView query={sessions}>
        {(list) => (
          <Stack gap="xs">
            {list.map(({ sessionId, userAgent, lastSeenAt, isCurrent }) => (
              <Group key={sessionId} justify="space-between" wrap="nowrap">
                <div style={{ minWidth: 0 }}>
                  <Text truncate title={userAgent}>
                    {nameBrowser(userAgent) ?? t.unknownBrowser}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {t.lastSeen} <Moment at={lastSeenAt} />
                  </Text>
                </div>
                {isCurrent ? (
                  <Badge variant="light" tt="none">
                    {t.current}
                  </Badge>
                ) : (
                  <Button variant="default" size="compact-sm" onClick={() => end.mutate(sessionId)}>
                    {t.end}
                  </Button>
                )}
              </Group>
            ))}
          </Stack>
        )}
      </QueryView>
    </Section>
  );
}
