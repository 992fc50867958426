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
import { nameBrowser } from './user-agent.ts';

export function Sessions() {
  const t = useTexts();
  const sessions = useQuery(sessionsQuery);
  const changePerson = useChangeOfPerson();
  const end = useAccountChange(
    (sessionId: string) => callAuth('POST /sessions/revoke', { body: { sessionId } }),
    {
      done: t('ui.account.sessionEnded'),
    },
  );
  const endAll = useAccountChange(() => callAuth('POST /sign-out-everywhere'), {
    onSuccess: () => changePerson(null),
  });
  return (
    <Section
      title={t('ui.account.sessions')}
      lead={t('ui.account.sessionsLead')}
      action={
        <ConfirmButton
          variant="default"
          size="compact-sm"
          label={t('ui.account.endEverywhere')}
          title={t('ui.account.endEverywhere')}
          onConfirm={() => endAll.mutate(undefined)}
        >
          {t('ui.account.endEverywhereText')}
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
                    {nameBrowser(userAgent) ?? t('ui.account.unknownBrowser')}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {t('ui.account.lastSeen')} <Moment at={lastSeenAt} />
                  </Text>
                </div>
                {isCurrent ? (
                  <Badge variant="light" tt="none">
                    {t('ui.account.current')}
                  </Badge>
                ) : (
                  <Button variant="default" size="compact-sm" onClick={() => end.mutate(sessionId)}>
                    {t('ui.account.end')}
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
