import { ActionIcon, Alert, Group, Stack, Text } from '@mantine/core';
import { IconMessageChatbot, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { Simulator } from '#contract/applications/simulator.ts';
import type { ChatMessage } from '#contract/chat.ts';
import { Empty } from '../../ui/parts/empty.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Bubble, excerpt } from './bubble.tsx';
import classes from './chat-pane.module.css';
import { Composer } from './composer.tsx';

/** The conversation, oldest first, and the composer; `messages` are newest first. */
export function ChatPane({ simulator, messages }: { simulator: Simulator; messages: ChatMessage[] }) {
  const t = useTexts();
  const [quoted, setQuoted] = useState<ChatMessage>();
  const list = useRef<HTMLDivElement>(null);
  const newest = messages[0]?.msgId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message must be scrolled into view.
  useEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [newest]);
  return (
    <Stack gap="sm">
      <div ref={list} className={classes.messages} role="log" aria-label={t('console.simulator.chat')}>
        {messages.length === 0 && (
          <Empty icon={<IconMessageChatbot />} title={t('console.simulator.nothing')}>
            {t('console.simulator.nothingText')}
          </Empty>
        )}
        {messages.toReversed().map((message) => (
          <Bubble
            key={message.msgId}
            message={message}
            isOwn={message.from === simulator.testPerson.userId}
            quoted={messages.find(({ msgId }) => msgId === message.replyToMsgId)}
            onQuote={() => setQuoted(message)}
          />
        ))}
      </div>
      {simulator.isBlocked && (
        <Alert color="yellow" p="xs">
          {t('console.simulator.blocked')}
        </Alert>
      )}
      {quoted && (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm" c="dimmed" truncate>
            {t('console.simulator.quoting')}: {excerpt(quoted)}
          </Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('console.simulator.stopQuoting')}
            onClick={() => setQuoted(undefined)}
          >
            <IconX size={16} />
          </ActionIcon>
        </Group>
      )}
      <Composer {...(quoted && { replyToMsgId: quoted.msgId })} onSent={() => setQuoted(undefined)} />
    </Stack>
  );
}
