import { ActionIcon, Button, Center, UnstyledButton } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconDoorExit, IconPinFilled, IconX } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { Link, Outlet, useParams, useSearchParams } from 'react-router';
import type { ChatMessage, Conversation, PinnedMessages } from '#contract/chat.ts';
import { ApiError } from '../../ui/api.ts';
import { Empty } from '../../ui/parts/empty.tsx';
import { Fault, showError } from '../../ui/parts/faults.tsx';
import { Bars } from '../../ui/parts/query-view.tsx';
import { useReturnsFocus } from '../../ui/parts/use-returns-focus.ts';
import { useAccount } from '../../ui/session/session.ts';
import { isolate, useTexts } from '../../ui/texts.ts';
import { Composer } from '../composer/composer.tsx';
import { commandWords } from '../composer/suggest.ts';
import { useWriting } from '../composer/use-writing.ts';
import { excerptOf } from '../conversations/excerpt.ts';
import { avatarOf } from '../conversations/names.ts';
import { usePeople } from '../conversations/people.ts';
import { commandsQuery, type OpenConversation } from '../conversations/queries.ts';
import { useConversation } from '../conversations/use-conversation.ts';
import { positionIn, startPosition, threadQuery } from '../history/queries.ts';
import { pinsQuery, setPinned } from '../message/pins.ts';
import { ThreadContext } from '../message/thread-context.ts';
import { keepPosition } from '../outbox/positions.ts';
import { receiptsQuery } from '../receipts/receipts.ts';
import { ThreadHead } from './head.tsx';
import { Messages } from './messages.tsx';
import { SelectionBar, SelectionContext, useSelection } from './selection.tsx';
import classes from './thread.module.css';

const SearchBar = lazy(() => import('../search/bar.tsx'));
const Viewer = lazy(() => import('../viewer/viewer.tsx'));
const ForwardDialog = lazy(() => import('../forward/dialog.tsx'));

const NOTHING: ReadonlySet<string> = new Set();

/** One conversation: header, messages and composer. */
export function Component() {
  const { conversationId = '' } = useParams();
  const conversation = useConversation(conversationId);
  // It may also cease to exist: the group was deleted, or the person was removed.
  if (conversation.error instanceof ApiError && conversation.error.status === 404) {
    if (!conversation.data) throw conversation.error;
    return <Gone conversation={conversation.data} />;
  }
  if (conversation.data) return <Thread key={conversationId} conversation={conversation.data} />;
  return <Aside query={conversation} />;
}

/** In place of what is still loading, or cannot be loaded. */
function Aside({ query, bars }: { query: UseQueryResult<unknown>; bars?: number }) {
  return (
    <div className={classes.aside}>
      {query.isError ? <Fault error={query.error} retry={() => query.refetch()} /> : <Bars count={bars} />}
    </div>
  );
}

/** Shown in place of a thread that ceased to exist while it was open. */
function Gone({ conversation }: { conversation: Conversation }) {
  const t = useTexts();
  return (
    <Center h="100%">
      <Empty
        icon={<IconDoorExit />}
        title={t('chat.thread.goneTitle', { name: avatarOf(conversation).name })}
        order={1}
        action={
          <Button component={Link} to="/">
            {t('ui.common.home')}
          </Button>
        }
      >
        {t('chat.thread.goneText')}
      </Empty>
    </Center>
  );
}

function Thread({ conversation }: { conversation: OpenConversation }) {
  const t = useTexts();
  const { conversationId, kind, peer, mayWrite, isAdmin, isNew = false } = conversation;
  const { accountId } = useAccount();
  useState(() => startPosition(conversation, accountId));
  useLeaving(() => keepPosition(accountId, conversationId, positionIn(conversationId)));
  const thread = useQuery(threadQuery(conversationId));
  // Bots have no receipts.
  useQuery({ ...receiptsQuery(conversationId), enabled: !isNew && peer?.isBot !== true });
  const writing = useWriting(conversation, thread.data?.messages);
  const jump = useRef<(msgId: string) => void>(() => {});
  const [viewed, view] = useState<string>();
  const { quote, edit, send } = writing;
  // Members who may not write in a group may react; in a broadcast list, reactions would reveal subscribers to each other.
  const mayReact = kind === 'group' ? conversation.group?.isBroadcast === false : mayWrite;
  const hasBots = kind === 'group' || peer?.isBot === true;
  const commands = useQuery({
    ...commandsQuery(conversationId),
    select: commandWords,
    enabled: mayWrite && hasBots && !isNew,
  }).data;
  const pins = useQuery({ ...pinsQuery(conversationId), enabled: !isNew }).data;
  const pinned = useMemo(() => new Set(pins?.messages.map(({ msgId }) => msgId)), [pins]);
  const mayPin = pins?.mayPin ?? false;
  const selection = useSelection();
  const { toggle: select } = selection;
  const [forwarded, setForwarded] = useState<readonly ChatMessage[]>();
  const people = usePeople(conversationId);
  const around = useMemo(
    () => ({
      isGroup: kind === 'group',
      people,
      mayWrite,
      mayReact,
      isAdmin,
      commands: (mayWrite && commands) || NOTHING,
      quote,
      edit,
      send,
      view,
      forward: setForwarded,
      select,
      mayPin,
      pinned,
      jumpTo: (msgId: string) => jump.current(msgId),
    }),
    [kind, people, mayWrite, mayReact, isAdmin, commands, quote, edit, send, select, mayPin, pinned],
  );
  const [search, setSearch] = useSearchParams();
  const isSearching = search.has('search');
  useReturnsFocus(isSearching);
  const endSearch = () => setSearch({}, { replace: true });
  return (
    <ThreadContext value={around}>
      <title>{`${isolate(avatarOf(conversation).name)} – ${t('ui.common.service')}`}</title>
      <div className={classes.panes}>
        <div className={classes.pane}>
          {selection.chosen ? (
            <SelectionBar selection={selection} onForward={setForwarded} />
          ) : isSearching ? (
            <Suspense fallback={<ThreadHead conversation={conversation} />}>
              <SearchBar conversation={conversation} jumpTo={around.jumpTo} onClose={endSearch} />
            </Suspense>
          ) : (
            <ThreadHead conversation={conversation} />
          )}
          {pins && thread.data && <PinnedBar pins={pins} jumpTo={around.jumpTo} />}
          {thread.data ? (
            <SelectionContext value={selection}>
              <Messages conversation={conversation} shown={thread.data} jump={jump} />
            </SelectionContext>
          ) : (
            <Aside query={thread} bars={6} />
          )}
          <Composer conversation={conversation} writing={writing} />
        </div>
        <Outlet />
      </div>
      {viewed !== undefined && (
        <Suspense>
          <Viewer conversationId={conversationId} startMsgId={viewed} onClose={() => view(undefined)} />
        </Suspense>
      )}
      <Suspense>
        {forwarded && (
          <ForwardDialog
            messages={forwarded}
            onClose={(isSent) => {
              setForwarded(undefined);
              if (isSent) selection.end();
            }}
          />
        )}
      </Suspense>
    </ThreadContext>
  );
}

/** Calls `leave` when the person leaves the screen or closes the page. */
function useLeaving(leave: () => void): void {
  const latest = useRef(leave);
  latest.current = leave;
  useWindowEvent('pagehide', leave);
  useEffect(() => () => latest.current(), []);
}

/** The pinned messages, one at a time: a click scrolls to it, and the next click to the one before. */
function PinnedBar({ pins, jumpTo }: { pins: PinnedMessages; jumpTo: (msgId: string) => void }) {
  const t = useTexts();
  const [index, setIndex] = useState(0);
  const { messages, mayPin } = pins;
  const position = index % Math.max(messages.length, 1);
  const message = messages[position];
  if (!message) return null;
  const sender = pins.people.find(({ userId }) => userId === message.from);
  return (
    <section className={classes.pinned} aria-label={t('chat.thread.pinned')}>
      <UnstyledButton
        className={classes.pin ?? ''}
        onClick={() => {
          jumpTo(message.msgId);
          setIndex(position + 1);
        }}
      >
        <IconPinFilled size={16} aria-hidden="true" />
        <span>
          <b className="one-line">
            {messages.length > 1
              ? t('chat.thread.pinnedOf', { n: position + 1, count: messages.length })
              : t('chat.thread.pinnedOne')}
          </b>
          <span className="one-line">{excerptOf(message, sender)}</span>
        </span>
      </UnstyledButton>
      {mayPin && (
        <ActionIcon
          size="lg"
          aria-label={t('chat.thread.unpin')}
          onClick={() => void setPinned(message, false).catch(showError)}
        >
          <IconX size={18} />
        </ActionIcon>
      )}
    </section>
  );
}
