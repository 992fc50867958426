import { Box, Group, Mark, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ChatMessage, Peer } from '#contract/chat.ts';
import { useAccount } from '../../ui/session/session.ts';
import { isolate, useTexts } from '../../ui/texts.ts';
import { excerptOf } from '../conversations/excerpt.ts';
import { avatarOf, nameOf } from '../conversations/names.ts';
import { conversationQuery } from '../conversations/queries.ts';
import { ShortTime } from '../conversations/when.tsx';
import { Avatar } from '../media/avatar.tsx';
import { markWords } from './mark-words.ts';
import classes from './search.module.css';

/** A message that was found, as a link to it. */
export function Hit({
  message,
  from,
  words,
}: {
  message: ChatMessage;
  from: Peer | undefined;
  words: string;
}) {
  const t = useTexts();
  const { conversationId, msgId, sentAt } = message;
  const { data: conversation } = useQuery(conversationQuery(conversationId));
  const { name, ...avatar } = conversation ? avatarOf(conversation) : { name: '', seed: conversationId };
  const text = excerptOf(message, from);
  const { accountId } = useAccount();
  const isOwn = from?.userId === accountId;
  const sender = isOwn ? t('chat.conversation.you') : from && conversation?.kind === 'group' && nameOf(from);
  return (
    <li>
      <Link to={`/c/${conversationId}?${new URLSearchParams({ at: msgId })}`} className={classes.hit}>
        <Avatar name={name} {...avatar} size={40} />
        <div style={{ minWidth: 0 }}>
          <Group gap={8} align="baseline" wrap="nowrap">
            <Box component="span" className="one-line" flex={1} fw={650}>
              {name}
            </Box>
            <ShortTime at={sentAt} />
          </Group>
          <Text size="sm" c="dimmed" lineClamp={2}>
            {sender && `${isolate(sender)}: `}
            {markWords(text, words).map((part, i) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text, always in this order
              part.isFound ? <Mark key={i}>{part.text}</Mark> : part.text,
            )}
          </Text>
        </div>
      </Link>
    </li>
  );
}
