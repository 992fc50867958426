import { Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { learnPeople, usePeople } from '../conversations/people.ts';
import { PersonLine } from '../conversations/person-line.tsx';

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
            {userIds.map((userId) => (
              <PersonLine
                key={userId}
                userId={userId}
                person={people[userId]}
                {...(userId === accountId && { name: t('chat.reaction.you') })}
              />
            ))}
          </div>
        ))}
      </Stack>
    </Dialog>
  );
}
