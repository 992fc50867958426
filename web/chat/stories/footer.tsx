import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconEye, IconSend2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { callChat } from '../../ui/api.ts';
import { useAction } from '../../ui/parts/change.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { FormLine } from '../../ui/parts/form.tsx';
import { uniqueId } from '../../ui/secure-context.ts';
import { useTexts } from '../../ui/texts.ts';
import { fullTime } from '../../ui/times.ts';
import { PersonLine } from '../conversations/person-line.tsx';
import { SendButton } from '../parts/send-button.tsx';
import type { Element } from './elements.ts';
import { storyViewsQuery } from './queries.ts';
import classes from './viewer.module.css';

/** Who has seen an element of one's own story. */
export function SeenBy({ element, onOpen }: { element: Element; onOpen: () => void }) {
  const t = useTexts();
  const [isOpen, setOpen] = useState(false);
  const views = useQuery(storyViewsQuery).data?.filter(({ elementId }) => elementId >= element.id);
  if (!views) return;
  return (
    <Group justify="center" className={classes.above ?? ''}>
      <Button
        variant="transparent"
        color="white"
        leftSection={<IconEye size={18} />}
        disabled={views.length === 0}
        className={classes.seen ?? ''}
        onClick={() => {
          onOpen();
          setOpen(true);
        }}
      >
        {t('chat.story.seenBy', { count: views.length })}
      </Button>
      <Dialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('chat.story.seenBy', { count: views.length })}
      >
        <Stack gap={0} component="ul">
          {views.map(({ person }) => (
            <PersonLine key={person.userId} component="li" userId={person.userId} person={person} />
          ))}
        </Stack>
      </Dialog>
    </Group>
  );
}

const REACTIONS = ['❤️', '😂', '😮', '👍'];

/** A reply or a reaction to somebody's story: a private message that quotes which one it is about. */
export function ReplyToStory({
  userId,
  element,
  onWriting,
}: {
  userId: string;
  element: Element;
  onWriting: () => void;
}) {
  const t = useTexts();
  const [text, setText] = useState('');
  const reply = useAction(
    (said: string) => {
      const about = t('chat.story.toYourStory', { time: fullTime(element.createdAt) });
      const body = { to: userId, type: 'text', content: `> ${about}\n\n${said}` } as const;
      return callChat('POST /messages', { body, idempotencyKey: uniqueId() });
    },
    { done: t('chat.story.replied'), onSuccess: () => setText('') },
  );
  const send = (said: string) => {
    if (said.trim() !== '' && !reply.isPending) reply.mutate(said.trim());
  };
  return (
    <FormLine gap={4} align="center" wrap="nowrap" onSubmit={() => send(text)} className={classes.above}>
      <TextInput
        flex={1}
        miw={0}
        radius="xl"
        classNames={{ input: classes.answer ?? '' }}
        aria-label={t('chat.story.reply')}
        placeholder={t('chat.story.reply')}
        value={text}
        maxLength={LIMITS.captionLength}
        onFocus={onWriting}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {text === '' ? (
        REACTIONS.map((emoji) => (
          <ActionIcon
            key={emoji}
            variant="transparent"
            color="white"
            size={40}
            aria-label={t('chat.story.react', { emoji })}
            disabled={reply.isPending}
            onClick={() => send(emoji)}
          >
            <span aria-hidden="true" style={{ fontSize: '1.375rem' }}>
              {emoji}
            </span>
          </ActionIcon>
        ))
      ) : (
        <SendButton size={40} aria-label={t('chat.composer.send')} loading={reply.isPending}>
          <IconSend2 size={20} />
        </SendButton>
      )}
    </FormLine>
  );
}
