import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { JoinRequests as Requests } from '#contract/group-links.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Failed } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Avatar } from '../media/avatar.tsx';
import { GroupSection } from './group-section.tsx';
import { joinRequestsQuery, useGroupChange } from './queries.ts';

/** Those who ask to join, for administrators; nothing while nobody does. */
export function JoinRequests({ groupId }: { groupId: string }) {
  const t = useTexts();
  const asked = useQuery(joinRequestsQuery(groupId));
  const requests = asked.data?.requests ?? [];
  if (requests.length === 0) return <Failed query={asked} />;
  return (
    <GroupSection title={t('chat.joinRequest.title')}>
      <Stack component="ul" gap={2}>
        {requests.map((person) => (
          <Row key={person.userId} groupId={groupId} person={person} />
        ))}
      </Stack>
      <Dimmed size="xs">{t('chat.joinRequest.declineText')}</Dimmed>
    </GroupSection>
  );
}

function Row({ groupId, person }: { groupId: string; person: Requests['requests'][number] }) {
  const t = useTexts();
  const { userId, name, username, pictureUrl } = person;
  const decide = useGroupChange('POST /groups/join-requests/decide');
  const button = (isAccepted: boolean) => ({
    loading: decide.isPending && decide.variables.body.isAccepted === isAccepted,
    onClick: () => decide.mutate({ body: { groupId, userId, isAccepted } }),
  });
  return (
    <Group component="li" wrap="nowrap" gap="sm" mih={48}>
      <Avatar name={name} seed={userId} pictureUrl={pictureUrl} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text truncate>{name}</Text>
        {username !== undefined && (
          <Dimmed size="xs" truncate>
            @{username}
          </Dimmed>
        )}
      </div>
      <Group gap={6} wrap="nowrap">
        <Button
          variant="default"
          size="compact-sm"
          aria-label={t('chat.joinRequest.declineName', { name })}
          {...button(false)}
        >
          {t('chat.joinRequest.decline')}
        </Button>
        <Button size="compact-sm" aria-label={t('chat.joinRequest.acceptName', { name })} {...button(true)}>
          {t('chat.joinRequest.accept')}
        </Button>
      </Group>
    </Group>
  );
}
