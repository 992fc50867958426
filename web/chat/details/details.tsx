import { ActionIcon, CloseButton, Divider, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconArrowLeft } from '@tabler/icons-react';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { useParams } from 'react-router';
import type { Conversation, ShownGroup } from '#contract/chat.ts';
import { useTexts } from '../../ui/texts.ts';
import { useConversation } from '../conversations/use-conversation.ts';
import { AboutGroup, LeaveOrDelete, Rights } from '../groups/details.tsx';
import { IncomingWebhooks } from '../groups/incoming-webhooks.tsx';
import { JoinRequests } from '../groups/join-requests.tsx';
import { GroupLinks } from '../groups/links.tsx';
import { Members } from '../groups/members.tsx';
import { ReportButton } from '../report/report-button.tsx';
import { ConversationSwitches, HideConversation, Shortcuts } from './conversation-switches.tsx';
import classes from './details.module.css';
import { PeerDetails } from './peer-details.tsx';
import { isSharedKind, Shared, SharedMenu } from './shared-content.tsx';
import { useDetails } from './use-details.ts';

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

/** Moves the focus to the first button of each view, as the thread may be covered, and finally back to where it was. */
function useFocusWithin(aside: RefObject<HTMLElement | null>, view: string | undefined): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = aside.current;
    return () => {
      if (before instanceof HTMLElement && element?.contains(document.activeElement)) before.focus();
    };
  }, [aside]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another view has another first button.
  useLayoutEffect(() => aside.current?.querySelector('button')?.focus(), [aside, view]);
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
