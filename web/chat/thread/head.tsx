import { ActionIcon, Badge, Box, Indicator, UnstyledButton } from '@mantine/core';
import { IconArrowLeft, IconClockHour4, IconInfoCircle, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { MouseEvent } from 'react';
import { Link } from 'react-router';
import { useTexts } from '../../ui/texts.ts';
import { LastSeen } from '../conversations/last-seen.tsx';
import { avatarOf } from '../conversations/names.ts';
import { lastSeenQuery, type OpenConversation } from '../conversations/queries.ts';
import { useTypingWords } from '../conversations/typing.ts';
import { useDetails } from '../details/use-details.ts';
import { Avatar } from '../media/avatar.tsx';
import classes from './thread.module.css';

/** The name of the conversation, and a link to its details. */
export function ThreadHead({ conversation }: { conversation: OpenConversation }) {
  const t = useTexts();
  const { conversationId, peer, group, lifetimeDays, isNew = false, isAdmin } = conversation;
  const requests = (isAdmin && conversation.joinRequestCount) || 0;
  const { name, ...avatar } = avatarOf(conversation);
  const typing = useTypingWords(conversation);
  const isPerson = peer !== undefined && !peer.isBot && !peer.isDeleted;
  const lastSeen = useQuery({ ...lastSeenQuery(conversationId), enabled: !isNew && isPerson }).data;
  // Also of somebody who deletes their account meanwhile, it is still known.
  const lastSeenAt = isPerson ? lastSeen?.lastSeenAt : undefined;
  const { isOpen, path, state, close } = useDetails();
  const details = {
    to: path,
    state,
    onClick(event: MouseEvent) {
      if (!isOpen) return;
      event.preventDefault();
      close();
    },
  };
  return (
    <header className={classes.head}>
      <ActionIcon component={Link} to="/" size="lg" aria-label={t('ui.common.back')} hiddenFrom="sm">
        <IconArrowLeft size={20} />
      </ActionIcon>
      <UnstyledButton component={Link} {...details} className={classes.who}>
        <Avatar name={name} {...avatar} size={38} />
        <div style={{ minWidth: 0 }}>
          <Box component="h1" className="one-line" m={0} fz="md" fw={650} lh={1.3}>
            {name}
          </Box>
          {typing !== '' && <span className={`${classes.about} ${classes.typing}`}>{typing}</span>}
          {peer?.isService && <span className={classes.about}>{t('chat.thread.service')}</span>}
          {peer?.isBot && !peer.isService && (
            <span className={classes.about}>
              <Badge size="xs">{t('chat.thread.bot')}</Badge> {peer.username && `@${peer.username}`}
            </span>
          )}
          {lastSeenAt !== undefined && typing === '' && (
            <span className={classes.about}>
              <span className="one-line">
                <LastSeen at={lastSeenAt} />
              </span>
            </span>
          )}
          {group && typing === '' && (
            <span className={classes.about}>{t('chat.group.memberCount', { count: group.memberCount })}</span>
          )}
        </div>
        {lifetimeDays !== undefined && (
          <IconClockHour4
            size={16}
            role="img"
            aria-label={t(`chat.lifetime.days${lifetimeDays}`)}
            className={`mantine-hidden-from-sm ${classes.about}`}
          />
        )}
        {lifetimeDays !== undefined && (
          <Badge
            visibleFrom="sm"
            flex="none"
            size="sm"
            color="gray"
            leftSection={<IconClockHour4 size={12} aria-hidden="true" />}
          >
            {t(`chat.lifetime.days${lifetimeDays}`)}
          </Badge>
        )}
      </UnstyledButton>
      <ActionIcon
        component={Link}
        // By it, the focus finds back here when the search ends.
        id="search-in-thread"
        to={{ search: '?search=' }}
        size="lg"
        aria-label={t('chat.thread.search')}
      >
        <IconSearch size={20} />
      </ActionIcon>
      <Indicator label={requests} size={16} offset={6} disabled={requests === 0}>
        <ActionIcon
          component={Link}
          {...details}
          variant={isOpen ? 'light' : 'subtle'}
          color={isOpen ? 'parley' : 'gray'}
          size="lg"
          aria-label={
            requests === 0 ? t('chat.thread.details') : t('chat.thread.detailsRequests', { count: requests })
          }
        >
          <IconInfoCircle size={20} />
        </ActionIcon>
      </Indicator>
    </header>
  );
}
