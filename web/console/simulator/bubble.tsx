import { ActionIcon, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import type { Simulator } from '#contract/applications/simulator.ts';
import type { ChatMessage } from '#contract/chat.ts';
import type { Poll } from '#contract/polls.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { OUTWARD, shownUrl } from '../../ui/shown-url.ts';
import { text, useTexts } from '../../ui/texts.ts';
import { clockTime } from '../../ui/times.ts';
import { useChange } from '../application/queries.ts';
import classes from './chat-pane.module.css';

/** A message on one line. */
export function excerpt({ type, isUnreadable, content, caption, poll }: ChatMessage): string {
  if (isUnreadable) return text('ui.common.unreadableMessage');
  return content ?? poll?.question ?? (caption ? `${type}: ${caption}` : type);
}

/** Who wrote a message, and whether that is the test person, whose place the developer takes. */
export function sideOf({ testPerson, bot }: Simulator, { from }: ChatMessage) {
  const isOwn = from === testPerson.userId;
  return { isOwn, author: isOwn ? text('console.simulator.you') : bot.name };
}

/** A message with its raw fields: developers want to see exactly what was sent. */
export function Bubble({
  message,
  author,
  isOwn,
  quoted,
  onQuote,
}: {
  message: ChatMessage;
  author: string;
  isOwn: boolean;
  quoted?: ChatMessage | undefined;
  onQuote?: () => void;
}) {
  const t = useTexts();
  const { type, content, fileUrl, caption, location, poll, sentAt } = message;
  return (
    <div className={`${classes.bubble} ${isOwn ? classes.own : ''}`}>
      <Text size="xs" fw={600}>
        {author}
      </Text>
      {quoted && (
        <Text size="xs" className={classes.quote ?? ''} lineClamp={2}>
          {excerpt(quoted)}
        </Text>
      )}
      {type !== 'text' && (
        <Dimmed size="xs" ff="monospace">
          {type}
        </Dimmed>
      )}
      {message.isUnreadable && (
        <Text size="sm" fs="italic">
          {excerpt(message)}
        </Text>
      )}
      {content && (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
          {content}
        </Text>
      )}
      {fileUrl && (
        <Anchor size="sm" href={fileUrl} {...OUTWARD}>
          {shownUrl(fileUrl)}
        </Anchor>
      )}
      {caption && <Text size="sm">{caption}</Text>}
      {location && (
        <Text size="sm">
          {[location.name, location.address, `${location.latitude}, ${location.longitude}`]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      )}
      {poll && <Ballot poll={poll} />}
      <Group gap={4} justify="flex-end">
        <Dimmed size="xs">{clockTime(sentAt)}</Dimmed>
        {onQuote && (
          <ActionIcon size="sm" aria-label={t('console.simulator.quote')} onClick={onQuote}>
            <IconArrowBackUp size={14} />
          </ActionIcon>
        )}
      </Group>
    </div>
  );
}

function Ballot({ poll }: { poll: Poll }) {
  const t = useTexts();
  const vote = useChange('POST /applications/:appId/simulator/polls/vote');
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {poll.question}
      </Text>
      {poll.options.map(({ id, text, votes }) => (
        <Button
          key={id}
          size="compact-sm"
          variant={poll.myOptionIds.includes(id) ? 'filled' : 'default'}
          aria-pressed={poll.myOptionIds.includes(id)}
          disabled={poll.closed}
          onClick={() => vote.mutate({ body: { messageId: poll.msgId, optionId: id } })}
        >
          {text} · {t('console.simulator.votes', { count: votes })}
        </Button>
      ))}
    </Stack>
  );
}
