import { Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { learnPeople, personName, usePeople } from '../conversations/people.ts';
import { Avatar } from '../media/avatar.tsx';

/** Who reacted to a message with which emoji: the only way to see it on touch screens. */
export default function WhoReacted({ message, onClose }: { message: ChatMessage; onClose: () => void }) {
  const t = useTexts();
  const client = useQueryClient();
  const { accountId } = useAccount();
  const { conversationId, reactions } = message;
  const people = usePeople(conversationId);
  const given = reactions?.given ?? [];
  useEffect(() => {
    const userIds = reactions?.given.flatMap((one) => one.userIds) ?? [];
    void learnPeople(client, conversationId, userIds).catch(() => undefined);
  }, [client, conversationId, reactions]);
  return (
    <Dialog opened onClose={onClose} title={t('chat.reaction.reactions')}>
      <Stack>
        {given.map(({ emoji, userIds }) => (
          <div key={emoji}>
            <Text fw={600}>
              {emoji}{' '}
              <Text span size="sm" c="dimmed" fw={400}>
                {userIds.length}
              </Text>
            </Text>
            {userIds.map((userId) => {
              const person = people[userId];
              const name = userId === accountId ? t('chat.reaction.you') : personName(person);
              return (
                <Group key={userId} gap="xs" mt={6} wrap="nowrap">
                  <Avatar name={personName(person)} seed={userId} pictureUrl={person?.pictureUrl} size={26} />
                  <Text size="sm">{name}</Text>
                </Group>
              );
            })}
          </div>
        ))}
      </Stack>
    </Dialog>
  );
}
