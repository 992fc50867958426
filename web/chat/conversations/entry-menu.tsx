import { ActionIcon, Menu } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconBell,
  IconBellOff,
  IconChecks,
  IconDots,
  IconPin,
  IconPinnedOff,
} from '@tabler/icons-react';
import { useId } from 'react';
import type { ChangeConversation } from '#contract/chat/conversation-settings.ts';
import type { Conversation } from '#contract/chat.ts';
import { isArchivedAt, isMutedAt } from '#contract/rights.ts';
import { showError } from '../../ui/parts/faults.tsx';
import { useReturnsFocus } from '../../ui/parts/use-returns-focus.ts';
import { useTexts } from '../../ui/texts.ts';
import classes from './list.module.css';
import { markRead } from './queries.ts';
import { MUTE_SECONDS, useSettingsChange } from './use-conversation.ts';

const LENGTHS = [
  ['forHour', MUTE_SECONDS.hour],
  ['forEightHours', MUTE_SECONDS.eightHours],
  ['forWeek', MUTE_SECONDS.week],
  ['always', undefined],
] as const;

/** The actions on a conversation in the list. The menu is rendered when it is first opened. */
export function EntryMenu({
  conversation,
  name,
  isOpen,
  onChange,
}: {
  conversation: Conversation;
  name: string;
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
}) {
  const t = useTexts();
  const id = useId();
  useReturnsFocus(isOpen);
  const button = (
    <ActionIcon
      id={id}
      className={classes.actions ?? ''}
      variant="default"
      size="sm"
      radius="xl"
      aria-label={t('chat.conversation.actionsFor', { name })}
      aria-haspopup="menu"
      onClick={() => onChange(true)}
    >
      <IconDots size={14} />
    </ActionIcon>
  );
  if (!isOpen) return button;
  return (
    <Menu id={id} position="bottom-end" opened onChange={onChange} portalProps={{ target: '#conversations' }}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Items conversation={conversation} />
      </Menu.Dropdown>
    </Menu>
  );
}

function Items({ conversation }: { conversation: Conversation }) {
  const t = useTexts();
  const { conversationId, pinnedAt, unreadCount, lastMessage } = conversation;
  const settings = useSettingsChange(conversationId);
  const change = (wanted: ChangeConversation) => () => settings.mutate(wanted);
  const now = Date.now();
  const isArchived = isArchivedAt(conversation, now);
  return (
    <>
      {pinnedAt === undefined ? (
        <Menu.Item leftSection={<IconPin size={16} />} onClick={change({ isPinned: true })}>
          {t('chat.conversation.pin')}
        </Menu.Item>
      ) : (
        <Menu.Item leftSection={<IconPinnedOff size={16} />} onClick={change({ isPinned: false })}>
          {t('chat.conversation.unpin')}
        </Menu.Item>
      )}
      {unreadCount > 0 && lastMessage && (
        <Menu.Item
          leftSection={<IconChecks size={16} />}
          onClick={() => void markRead(conversationId, lastMessage.msgId).catch(showError)}
        >
          {t('chat.conversation.markRead')}
        </Menu.Item>
      )}
      <Menu.Item
        leftSection={isArchived ? <IconArchiveOff size={16} /> : <IconArchive size={16} />}
        onClick={change({ isArchived: !isArchived })}
      >
        {isArchived ? t('chat.conversation.unarchive') : t('chat.conversation.archive')}
      </Menu.Item>
      <Menu.Divider />
      {isMutedAt(conversation, now) ? (
        <Menu.Item leftSection={<IconBell size={16} />} onClick={change({ isMuted: false })}>
          {t('chat.conversation.unmute')}
        </Menu.Item>
      ) : (
        <>
          <Menu.Label>{t('chat.conversation.mute')}</Menu.Label>
          {LENGTHS.map(([name, mutedForSeconds]) => (
            <Menu.Item
              key={name}
              leftSection={<IconBellOff size={16} />}
              onClick={change({ isMuted: true, ...(mutedForSeconds && { mutedForSeconds }) })}
            >
              {t(`chat.conversation.${name}`)}
            </Menu.Item>
          ))}
        </>
      )}
    </>
  );
}
