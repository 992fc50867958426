import { ActionIcon, Badge, Menu } from '@mantine/core';
import {
  IconArchive,
  IconArchiveOff,
  IconAt,
  IconBan,
  IconBell,
  IconBellOff,
  IconChecks,
  IconDots,
  IconPin,
  IconPinFilled,
  IconPinnedOff,
} from '@tabler/icons-react';
import { memo, useId, useState } from 'react';
import { NavLink } from 'react-router';
import type { ChangeConversation } from '#contract/chat/conversation-settings.ts';
import type { Conversation } from '#contract/chat.ts';
import { isArchivedAt, isMutedAt } from '#contract/rights.ts';
import { serverNow } from '../../ui/clock.ts';
import { showError } from '../../ui/parts/faults.tsx';
import { MenuItem } from '../../ui/parts/menu-item.tsx';
import { useNow } from '../../ui/parts/moment.tsx';
import { useReturnsFocus } from '../../ui/parts/use-returns-focus.ts';
import { isolate, useTexts } from '../../ui/texts.ts';
import { Avatar } from '../media/avatar.tsx';
import { useGestures } from '../parts/use-gestures.ts';
import { excerptOf } from './excerpt.ts';
import classes from './list.module.css';
import { avatarOf, nameOf } from './names.ts';
import { noticeText } from './notice.ts';
import { usePeople } from './people.ts';
import { markRead } from './queries.ts';
import { useTypingWords } from './typing.ts';
import { MUTED_FOR, MUTES, useSettingsChange } from './use-conversation.ts';
import { ShortTime } from './when.tsx';

const MOST_COUNTED = 99;

/** One conversation of the list. */
export const Entry = memo(function Entry({
  conversation,
  accountId,
  draft,
}: {
  conversation: Conversation;
  accountId: string;
  draft: string;
}) {
  const t = useTexts();
  const { conversationId, lastMessage, isBlocked, unreadCount, mentionMsgId, pinnedAt } = conversation;
  const [isMenuOpen, setMenuOpen] = useState(false);
  const isMuted = isMutedAt(conversation, useNow());
  const { name, ...avatar } = avatarOf(conversation);
  const typing = useTypingWords(conversation);
  const gestures = useGestures({ onHold: () => setMenuOpen(true) });
  return (
    <li
      className={classes.item}
      {...gestures}
      onContextMenu={(event) => {
        event.preventDefault();
        setMenuOpen(true);
      }}
    >
      <NavLink to={`/c/${conversationId}`} className={classes.entry ?? ''}>
        <Avatar name={name} {...avatar} size={44} />
        <div>
          <div className={classes.line}>
            <span className={classes.name}>{name}</span>
            {pinnedAt !== undefined && (
              <IconPinFilled size={14} role="img" aria-label={t('chat.conversation.pinned')} />
            )}
            {isMuted && <IconBellOff size={14} role="img" aria-label={t('chat.conversation.muted')} />}
            {isBlocked && <IconBan size={14} role="img" aria-label={t('chat.conversation.blocked')} />}
            {lastMessage && <ShortTime at={lastMessage.sentAt} />}
          </div>
          <div className={classes.line}>
            <span className={classes.excerpt} data-typing={typing !== '' || undefined}>
              {typing !== '' ? (
                typing
              ) : draft === '' ? (
                <LastWords conversation={conversation} accountId={accountId} />
              ) : (
                <>
                  <span className={classes.draft}>{t('chat.conversation.draft')}</span> {draft}
                </>
              )}
            </span>
            {mentionMsgId !== undefined && (
              <Badge variant="filled" size="md" circle miw={20}>
                <IconAt size={12} role="img" aria-label={t('chat.conversation.mentionsYou')} />
              </Badge>
            )}
            {unreadCount > 0 && (
              <Badge
                variant="filled"
                size="md"
                circle={unreadCount < 10}
                miw={20}
                {...(isMuted && { color: 'gray' })}
              >
                <span aria-hidden="true">
                  {unreadCount > MOST_COUNTED ? `${MOST_COUNTED}+` : unreadCount}
                </span>
                <span className="visually-hidden">
                  {unreadCount > MOST_COUNTED
                    ? t('chat.conversation.manyUnread')
                    : t('chat.conversation.unreadCount', { count: unreadCount })}
                </span>
              </Badge>
            )}
          </div>
        </div>
      </NavLink>
      <EntryMenu conversation={conversation} name={name} isOpen={isMenuOpen} onChange={setMenuOpen} />
    </li>
  );
});

/** The last message on one line, in groups after the sender's name. */
function LastWords({ conversation, accountId }: { conversation: Conversation; accountId: string }) {
  const t = useTexts();
  const { conversationId, kind, lastMessage, lastSender } = conversation;
  const people = usePeople(conversationId);
  if (!lastMessage) return t('chat.conversation.noMessages');
  if (lastMessage.notice) {
    const named = Object.fromEntries((lastMessage.people ?? []).map((person) => [person.userId, person]));
    return noticeText(lastMessage, named, accountId);
  }
  const { from } = lastMessage;
  const sender = people[from] ?? (lastSender?.userId === from ? lastSender : undefined);
  const name = from === accountId ? t('chat.conversation.you') : kind === 'group' && sender && nameOf(sender);
  const words = excerptOf(lastMessage, sender ?? conversation.peer);
  return name ? `${isolate(name)}: ${words}` : words;
}

/** The actions on a conversation in the list. The menu is rendered when it is first opened. */
function EntryMenu({
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
