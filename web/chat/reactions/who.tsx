import { Stack, Text } from '@mantine/core';
import type { ChatMessage } from '#contract/chat.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { PersonLine, useLearned } from '../conversations/person-line.tsx';

/** Who reacted to a message with which emoji: the only way to see it on touch screens. */
export default function WhoReacted({ message, onClose }: { message: ChatMessage; onClose: () => void }) {
  const t = useTexts();
  const { accountId } = useAccount();
  const { conversationId, reactions } = message;
  const given = reactions?.given ?? [];
  const people = useLearned(
    conversationId,
    given.flatMap(({ userIds }) => userIds),
  );
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
