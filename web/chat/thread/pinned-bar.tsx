import { ActionIcon, UnstyledButton } from '@mantine/core';
import { IconPinFilled, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { PinnedMessages } from '#contract/chat.ts';
import { showError } from '../../ui/parts/faults.tsx';
import { useTexts } from '../../ui/texts.ts';
import { excerptOf } from '../conversations/excerpt.ts';
import { setPinned } from '../message/pins.ts';
import { threadTexts } from './texts.ts';
import classes from './thread.module.css';

/** The pinned messages, one at a time: a click scrolls to it, and the next click to the one before. */
export function PinnedBar({ pins, jumpTo }: { pins: PinnedMessages; jumpTo: (msgId: string) => void }) {
  const t = useTexts(threadTexts);
  const [index, setIndex] = useState(0);
  const { messages, mayPin } = pins;
  const position = index % Math.max(messages.length, 1);
  const message = messages[position];
  if (!message) return null;
  const sender = pins.people.find(({ userId }) => userId === message.from);
  return (
    <section className={classes.pinned} aria-label={t.pinned}>
      <UnstyledButton
        className={classes.pin ?? ''}
        onClick={() => {
          jumpTo(message.msgId);
          setIndex(position + 1);
        }}
      >
        <IconPinFilled size={16} aria-hidden="true" />
        <span>
          <b>{messages.length > 1 ? t.pinnedOf(position + 1, messages.length) : t.pinnedOne}</b>
          <span>{excerptOf(message, sender)}</span>
        </span>
      </UnstyledButton>
      {mayPin && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t.unpin}
          onClick={() => void setPinned(message, false).catch(showError)}
        >
          <IconX size={18} />
        </ActionIcon>
      )}
    </section>
  );
}
