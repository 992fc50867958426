import { Badge } from '@mantine/core';
import { IconAt, IconBan, IconBellOff, IconPinFilled } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { NavLink } from 'react-router';
import type { Conversation } from '#contract/chat.ts';
import { isMutedAt } from '#contract/rights.ts';
import { useNow } from '../../ui/parts/moment.tsx';
import { isolate, useTexts } from '../../ui/texts.ts';
import { fullTime } from '../../ui/times.ts';
import { Avatar } from '../media/avatar.tsx';
import { useGestures } from '../parts/use-gestures.ts';
import { EntryMenu } from './entry-menu.tsx';
import { excerptOf } from './excerpt.ts';
import classes from './list.module.css';
import { avatarOf, nameOf } from './names.ts';
import { noticeText } from './notice.ts';
import { usePeople } from './people.ts';
import { useTypingWords } from './typing.ts';
import { shortTime } from './when.ts';

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
            {lastMessage && <When at={lastMessage.sentAt} />}
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

function When({ at }: { at: number }) {
  const now = useNow();
  return (
    <time className={classes.time} dateTime={new Date(at).toISOString()} title={fullTime(at)}>
      {shortTime(at, now)}
    </time>
  );
}
