import { Button, Group, Text } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import type { ChatMessage } from '#contract/chat.ts';
import { useTexts } from '../../ui/texts.ts';
import { clockTime } from '../../ui/times.ts';
import type { People } from '../conversations/people.ts';
import { outbox } from '../outbox/outbox.ts';
import type { Unsent } from '../outbox/store.ts';
import { Body } from './body.tsx';
import classes from './message.module.css';
import { QuoteView } from './quote.tsx';
import { messageTexts } from './texts.ts';

/** A message that is not sent yet: it waits, and says so where the server wants it later, or says why it was refused. */
export function UnsentMessage({
  unsent,
  isFirst,
  accountId,
  people,
}: {
  unsent: Unsent;
  isFirst: boolean;
  accountId: string;
  people: People;
}) {
  const t = useTexts(messageTexts);
  const { key, fault, delay, quote, createdAt } = unsent;
  const message = toMessage(unsent, accountId);
  return (
    <article
      className={classes.message}
      aria-label={fault ? t.failed : t.waiting}
      data-own
      data-unsent
      data-first={isFirst || undefined}
      data-bare={message.type === 'sticker' || undefined}
    >
      <div className={classes.column}>
        <div className={classes.bubble}>
          {quote && <QuoteView quote={quote} people={people} />}
          <Body message={message} people={people} isOwn />
          <div className={classes.foot}>
            {clockTime(createdAt)}
            {!fault && <IconClock size={12} role="img" aria-label={t.waiting} />}
          </div>
        </div>
        {!fault && delay && (
          <Text size="xs" c="dimmed" ta="end" mt={4} role="status">
            {delay}
          </Text>
        )}
        {fault && (
          <div role="alert">
            <Text size="xs" className={classes.fault} ta="end" mt={4}>
              {t.failed}: {fault}
            </Text>
            <Group gap="xs" justify="flex-end">
              <Button size="compact-xs" variant="subtle" onClick={() => outbox.retry(key)}>
                {t.sendAgain}
              </Button>
              <Button size="compact-xs" variant="subtle" color="red" onClick={() => outbox.discard(key)}>
                {t.discard}
              </Button>
            </Group>
          </div>
        )}
      </div>
    </article>
  );
}

function toMessage({ key, conversationId, content, target, createdAt }: Unsent, from: string): ChatMessage {
  const given = Object.fromEntries(Object.entries(content).filter(([, value]) => value !== null));
  const mentionedUserIds = 'groupId' in target ? target.mentionedUserIds : undefined;
  return {
    ...(given as Pick<ChatMessage, 'type'>),
    msgId: key,
    conversationId,
    from,
    ...(mentionedUserIds && { mentionedUserIds }),
    sentAt: createdAt,
  };
}
