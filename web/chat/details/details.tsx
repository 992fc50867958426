import {
  ActionIcon,
  Badge,
  Button,
  CloseButton,
  Divider,
  Group,
  Stack,
  Text,
  Title,
  UnstyledButton,
} from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconArrowLeft, IconFlag } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type RefObject, Suspense, useLayoutEffect, useRef, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import type { Conversation, Peer, Profile, ShownGroup } from '#contract/chat.ts';
import { confirms, runs, useAction } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { useTexts } from '../../ui/texts.ts';
import { LastSeen } from '../conversations/last-seen.tsx';
import { nameOf } from '../conversations/names.ts';
import { botQuery, type OpenConversation, profileQuery, setBlocked } from '../conversations/queries.ts';
import { useConversation } from '../conversations/use-conversation.ts';
import { AboutGroup, LeaveOrDelete, Rights } from '../groups/details.tsx';
import { IncomingWebhooks } from '../groups/incoming-webhooks.tsx';
import { JoinRequests } from '../groups/join-requests.tsx';
import { GroupLinks } from '../groups/links.tsx';
import { Members } from '../groups/members.tsx';
import { Avatar, LargeAvatar } from '../media/avatar.tsx';
import { useThread } from '../message/thread-context.ts';
import { ConversationSwitches, HideConversation, Shortcuts } from './conversation-switches.tsx';
import classes from './details.module.css';
import { isSharedKind, Shared, SharedMenu } from './shared-content.tsx';
import { coverThread, useDetails } from './use-details.ts';

/** The details of a conversation and the actions on it: beside the thread or, on small screens, in its place. */
export function Component() {
  const t = useTexts();
  const { conversationId = '', shared } = useParams();
  const { data: conversation } = useConversation(conversationId);
  const { back, close } = useDetails();
  const aside = useRef<HTMLElement>(null);
  useFocusWithin(aside, shared);
  useEscape(aside, close);
  const kind = isSharedKind(shared) ? shared : undefined;
  return (
    <aside ref={aside} className={classes.details} aria-labelledby="details-title">
      <header className={classes.head}>
        {kind && (
          <ActionIcon size="lg" aria-label={t('ui.common.back')} onClick={back}>
            <IconArrowLeft size={20} />
          </ActionIcon>
        )}
        <Text component="h2" id="details-title" fw={650} flex={1}>
          {kind ? t(`chat.details.${kind}`) : t('chat.details.title')}
        </Text>
        <CloseButton size="lg" aria-label={t('ui.common.close')} onClick={close} />
      </header>
      <div id="details-body" className={classes.body}>
        {kind ? (
          <Shared key={kind} conversationId={conversationId} shared={kind} />
        ) : (
          <Stack gap="lg">
            {conversation?.group && <GroupDetails conversation={conversation} group={conversation.group} />}
            {conversation?.peer && <PeerDetails conversation={conversation} peer={conversation.peer} />}
          </Stack>
        )}
      </div>
    </aside>
  );
}

/** A group or broadcast list: its members, and what the person may change. */
function GroupDetails({ conversation, group }: { conversation: Conversation; group: ShownGroup }) {
  const { conversationId, isAdmin } = conversation;
  return (
    <>
      <AboutGroup group={group} isAdmin={isAdmin} />
      {isAdmin && <JoinRequests groupId={group.groupId} />}
      <Shortcuts conversation={conversation} />
      <SharedMenu />
      <Divider />
      <Members group={group} isAdmin={isAdmin} />
      {isAdmin && <GroupLinks groupId={group.groupId} />}
      <Divider />
      <ConversationSwitches conversation={conversation} />
      {isAdmin && !group.isBroadcast && (
        <>
          <Divider />
          <Rights group={group} />
          <IncomingWebhooks groupId={group.groupId} />
        </>
      )}
      <Divider />
      <HideConversation conversationId={conversationId} />
      <LeaveOrDelete group={group} isAdmin={isAdmin} />
      {!(group.isBroadcast && isAdmin) && <ReportButton conversationId={conversationId} />}
    </>
  );
}

/**
 * Moves the focus to the first button of each view, as the thread may be covered, and finally back to where it was. Who is
 * writing beside them goes on.
 */
function useFocusWithin(aside: RefObject<HTMLElement | null>, view: string | undefined): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = aside.current;
    return () => {
      if (before instanceof HTMLElement && element?.contains(document.activeElement)) before.focus();
    };
  }, [aside]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view has another first button.
  useLayoutEffect(() => {
    const isWriting = document.activeElement instanceof HTMLTextAreaElement && !coverThread();
    if (!isWriting) aside.current?.querySelector('button')?.focus();
  }, [aside, view]);
}

/** Escape closes the details, unless the focus is elsewhere or in a menu. */
function useEscape(aside: RefObject<HTMLElement | null>, close: () => void): void {
  useWindowEvent(
    'keydown',
    ({ key, target }) => {
      if (key !== 'Escape' || !(target instanceof Element)) return;
      const isWithin = target === document.body || aside.current?.contains(target);
      if (isWithin && !target.closest('[role=menu]')) close();
    },
    // Before a menu or dialog that Escape closes has closed.
    { capture: true },
  );
}

/** A person's or bot's profile, with blocking and reporting. */
function PeerDetails({ conversation, peer }: { conversation: OpenConversation; peer: Peer }) {
  const t = useTexts();
  const { isNew = false, isBlocked } = conversation;
  // A bot not contacted before is known only by its username.
  const profile = useQuery(isNew && peer.username ? botQuery(peer.username) : profileQuery(peer.userId));
  // A bot's description is above the button, which must not move while it is being tapped.
  const isAboutToGrow = peer.isBot && profile.isLoading;
  const block = useAction(() => setBlocked(peer.userId, true));
  const unblock = useAction(() => setBlocked(peer.userId, false));
  return (
    <>
      <Stack align="center" gap={6} ta="center">
        <LargeAvatar name={nameOf(peer)} seed={peer.userId} pictureUrl={peer.pictureUrl} size={88} />
        <Title order={3}>{nameOf(peer)}</Title>
        {peer.isService ? (
          <Text c="dimmed">{t('chat.thread.service')}</Text>
        ) : (
          (peer.isBot || peer.username) && (
            <Group gap="xs">
              {peer.isBot && <Badge>{t('chat.details.bot')}</Badge>}
              {peer.username && <Text c="dimmed">@{peer.username}</Text>}
            </Group>
          )
        )}
        {profile.data?.lastSeenAt !== undefined && (
          <Dimmed>
            <LastSeen at={profile.data.lastSeenAt} />
          </Dimmed>
        )}
      </Stack>
      {!isNew && (
        <>
          <Shortcuts conversation={conversation} />
          <SharedMenu />
        </>
      )}
      {profile.data?.isBot && !peer.isService && <AboutBot bot={profile.data} />}
      {profile.data && profile.data.commonGroups.length > 0 && (
        <CommonGroups groups={profile.data.commonGroups} />
      )}
      {!isNew && (
        <>
          <Divider />
          <ConversationSwitches conversation={conversation} />
        </>
      )}
      <Divider />
      {!isNew && <HideConversation conversationId={conversation.conversationId} />}
      {!peer.isDeleted &&
        !isAboutToGrow &&
        (isBlocked ? (
          <Button variant="default" {...runs(unblock)}>
            {t('chat.details.unblock')}
          </Button>
        ) : (
          <ConfirmButton
            variant="light"
            color="red"
            label={t('chat.details.block')}
            title={t('chat.details.blockTitle')}
            text={t('chat.details.blockText')}
            {...confirms(block)}
          />
        ))}
      {!isNew && !isAboutToGrow && (
        <ReportButton conversationId={conversation.conversationId} userId={peer.userId} />
      )}
    </>
  );
}

function CommonGroups({ groups }: { groups: Profile['commonGroups'] }) {
  const t = useTexts();
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {t('chat.details.commonGroups', { count: groups.length })}
      </Text>
      <Stack gap={0}>
        {groups.map(({ groupId, name, photoUrl, photoSetBy }) => (
          <UnstyledButton key={groupId} component={Link} to={`/c/${groupId}`} py={6}>
            <Group gap="sm" wrap="nowrap">
              <Avatar name={name} seed={groupId} pictureUrl={photoUrl} from={photoSetBy} size={32} />
              <Text size="sm" truncate>
                {name}
              </Text>
            </Group>
          </UnstyledButton>
        ))}
      </Stack>
    </div>
  );
}

function AboutBot({ bot }: { bot: Profile }) {
  const { description, commands = [], conversationId, isQuietInGroups } = bot;
  const t = useTexts();
  const { send, mayWrite } = useThread();
  const navigate = useNavigate();
  return (
    <Stack gap="md">
      <div>
        <Text size="sm" fw={600}>
          {t('chat.details.about')}
        </Text>
        <Text size="sm">{description || t('chat.details.noDescription')}</Text>
        <Dimmed>{isQuietInGroups ? t('chat.details.quiet') : t('chat.details.hearsAll')}</Dimmed>
      </div>
      {commands.length > 0 && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            {t('chat.details.commands')}
          </Text>
          <Stack gap={0}>
            {commands.map(({ command, description: about }) => (
              <UnstyledButton
                key={command}
                py={6}
                disabled={!mayWrite}
                onClick={() => {
                  send({ type: 'text', content: `/${command}` });
                  navigate(`/c/${conversationId}`, { replace: true });
                }}
              >
                <Text size="sm" fw={600}>
                  /{command}
                </Text>
                <Dimmed>{about}</Dimmed>
              </UnstyledButton>
            ))}
          </Stack>
        </div>
      )}
    </Stack>
  );
}

const ReportDialog = lazy(() => import('../report/dialog.tsx'));

/** Reports the peer of a conversation, or the whole group. */
function ReportButton({ conversationId, userId }: { conversationId: string; userId?: string }) {
  const t = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="subtle" color="red" leftSection={<IconFlag size={16} />} onClick={() => setOpen(true)}>
        {t('chat.report.report')}
      </Button>
      <Suspense>
        {isOpen && (
          <ReportDialog conversationId={conversationId} userId={userId} onClose={() => setOpen(false)} />
        )}
      </Suspense>
    </>
  );
}
