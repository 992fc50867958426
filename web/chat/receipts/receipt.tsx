import { Popover, Text } from '@mantine/core';
import { IconCheck, IconChecks } from '@tabler/icons-react';
import { useState } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import { useTexts } from '../../ui/texts.ts';
import { PersonLine, useLearned } from '../conversations/person-line.tsx';
import { useThread } from '../message/thread-context.ts';
import classes from './receipt.module.css';
import { useReceipt } from './receipts.ts';

/** Beside the time of the person's own message: sent, delivered or read; in a group, who has read it. */
export function ReceiptMark({ message }: { message: ChatMessage }) {
  const t = useTexts();
  const { isGroup } = useThread();
  const { isDelivered, readers } = useReceipt(message) ?? { isDelivered: false, readers: [] };
  if (isGroup && readers.length > 0) return <Readers message={message} userIds={readers} />;
  const isRead = readers.length > 0;
  const Tick = isDelivered && !isGroup ? IconChecks : IconCheck;
  const label = isRead
    ? t('chat.receipt.read')
    : isDelivered && !isGroup
      ? t('chat.receipt.delivered')
      : t('chat.receipt.sent');
  return (
    <Tick
      size={14}
      role="img"
      aria-label={label}
      className={isRead ? classes.read : undefined}
      style={{ flex: 'none' }}
    />
  );
}

function Readers({ message: { conversationId }, userIds }: { message: ChatMessage; userIds: string[] }) {
  const t = useTexts();
  const [isOpen, setOpen] = useState(false);
  // Members who have never written here may not be loaded.
  const people = useLearned(conversationId, isOpen ? userIds : []);
  return (
    <Popover opened={isOpen} onChange={setOpen} withinPortal trapFocus returnFocus>
      <Popover.Target>
        <button
          type="button"
          className={`${classes.count} ${classes.read}`}
          aria-label={t('chat.receipt.readBy', { count: userIds.length })}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
        >
          <IconChecks size={14} aria-hidden="true" />
          {userIds.length}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('chat.receipt.readers')}>
        <Text size="sm" fw={600}>
          {t('chat.receipt.readers')}
        </Text>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be scrollable by keyboard. */}
        <ul className={classes.readers} tabIndex={0}>
          {userIds.map((userId) => (
            <PersonLine key={userId} component="li" userId={userId} person={people[userId]} />
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
}
