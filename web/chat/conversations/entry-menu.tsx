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
import { serverNow } from '../../ui/clock.ts';
import { showError } from '../../ui/parts/faults.tsx';
import { MenuItem } from '../../ui/parts/menu-item.tsx';
import { useReturnsFocus } from '../../ui/parts/use-returns-focus.ts';
import { useTexts } from '../../ui/texts.ts';
import classes from './list.module.css';
import { markRead } from './queries.ts';
import { MUTED_FOR, MUTES, useSettingsChange } from './use-conversation.ts';

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
  const isPinned = pinnedAt !== undefined;
  const settings = useSettingsChange(conversationId);
  const change = (wanted: ChangeConversation) => () => settings.mutate(wanted);
  const now = serverNow();
  const isArchived = isArchivedAt(conversation, now);
  return (
    <>
      <MenuItem
        icon={isPinned ? IconPinnedOff : IconPin}
        label={isPinned ? t('chat.conversation.unpin') : t('chat.conversation.pin')}
        onClick={change({ isPinned: !isPinned })}
      />
      {unreadCount > 0 && lastMessage && (
        <MenuItem
          icon={IconChecks}
          label={t('chat.conversation.markRead')}
          onClick={() => void markRead(conversationId, lastMessage.msgId).catch(showError)}
        />
      )}
      <MenuItem
        icon={isArchived ? IconArchiveOff : IconArchive}
        label={isArchived ? t('chat.conversation.unarchive') : t('chat.conversation.archive')}
        onClick={change({ isArchived: !isArchived })}
      />
      <Menu.Divider />
      {isMutedAt(conversation, now) ? (
        <MenuItem
          icon={IconBell}
          label={t('chat.conversation.unmute')}
          onClick={change({ isMuted: false })}
        />
      ) : (
        <>
          <Menu.Label>{t('chat.conversation.mute')}</Menu.Label>
          {MUTED_FOR.map((time) => (
            <MenuItem
              key={time}
              icon={IconBellOff}
              label={t(`chat.conversation.${time}`)}
              onClick={change(MUTES[time])}
            />
          ))}
        </>
      )}
    </>
  );
}
