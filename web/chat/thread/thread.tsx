import { Button, Center } from '@mantine/core';
import { IconDoorExit } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { Link, Outlet, useParams } from 'react-router';
import type { Conversation } from '#contract/chat.ts';
import { ApiError } from '../../ui/api.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { Empty } from '../../ui/parts/empty.tsx';
import { Fault } from '../../ui/parts/faults.tsx';
import { Bars } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Composer } from '../composer/composer.tsx';
import { commandWords } from '../composer/suggest.ts';
import { useWriting } from '../composer/use-writing.ts';
import { faceOf } from '../conversations/names.ts';
import { commandsQuery } from '../conversations/queries.ts';
import { useConversation } from '../conversations/use-conversation.ts';
import { startPlace, threadQuery } from '../history/queries.ts';
import { ThreadContext } from '../message/thread-context.ts';
import { receiptsQuery } from '../receipts/receipts.ts';
import { ThreadHead } from './head.tsx';
import { Messages } from './messages.tsx';
import { threadTexts } from './texts.ts';
import classes from './thread.module.css';

const Viewer = lazy(() => import('../viewer/viewer.tsx'));

const NO_COMMANDS: ReadonlySet<string> = new Set();

/** One conversation: who it is with, what was written, and where one writes. */
export function Component() {
  const { conversationId = '' } = useParams();
  const conversation = useConversation(conversationId);
  // It may also cease to be: the group was deleted, or somebody took the person out.
  if (conversation.error instanceof ApiError && conversation.error.status === 404) {
    if (!conversation.data) throw conversation.error;
    return <Gone conversation={conversation.data} />;
  }
  if (conversation.data) return <Thread key={conversationId} conversation={conversation.data} />;
  return (
    <div className={classes.aside}>
      {conversation.isError ? (
        <Fault error={conversation.error} retry={() => conversation.refetch()} />
      ) : (
        <Bars />
      )}
    </div>
  );
}

/** In place of a thread that ended while it was read. */
function Gone({ conversation }: { conversation: Conversation }) {
  const t = { ...useTexts(commonTexts), ...useTexts(threadTexts) };
  return (
    <Center h="100%">
      <Empty
        icon={<IconDoorExit />}
        title={t.goneTitle(faceOf(conversation).name)}
        action={
          <Button component={Link} to="/">
            {t.home}
          </Button>
        }
      >
        {t.goneText}
      </Empty>
    </Center>
  );
}

function Thread({ conversation }: { conversation: Conversation & { isNew?: boolean } }) {
  const t = useTexts(commonTexts);
  const { conversationId, kind, peer, mayWrite, isAdmin, isNew = false } = conversation;
  useState(() => startPlace(conversation));
  const thread = useQuery(threadQuery(conversationId));
  // Of a bot nobody knows how far it is.
  useQuery({ ...receiptsQuery(conversationId), enabled: !isNew && peer?.isBot !== true });
  const writing = useWriting(conversation);
  const jump = useRef<(msgId: string) => void>(() => {});
  const [viewed, view] = useState<string>();
  const { quote, edit, send } = writing;
  // Whoever may only read a group may react; the readers of a broadcast list would learn of each other.
  const mayReact = kind === 'group' ? conversation.group?.isBroadcast === false : mayWrite;
  const hasBots = kind === 'group' || peer?.isBot === true;
  const commands = useQuery({
    ...commandsQuery(conversationId),
    select: commandWords,
    enabled: mayWrite && hasBots && !isNew,
  }).data;
  const actions = useMemo(
    () => ({
      conversationId,
      mayWrite,
      mayReact,
      isAdmin,
      commands: (mayWrite && commands) || NO_COMMANDS,
      quote,
      edit,
      send,
      view,
      jumpTo: (msgId: string) => jump.current(msgId),
    }),
    [conversationId, mayWrite, mayReact, isAdmin, commands, quote, edit, send],
  );
  return (
    <ThreadContext value={actions}>
      <title>{`${faceOf(conversation).name} – ${t.service}`}</title>
      <ThreadHead conversation={conversation} />
      {thread.data ? (
        <Messages conversation={conversation} shown={thread.data} jump={jump} />
      ) : (
        <div className={classes.aside}>
          {thread.isError ? (
            <Fault error={thread.error} retry={() => thread.refetch()} />
          ) : (
            <Bars count={6} />
          )}
        </div>
      )}
      <Composer conversation={conversation} writing={writing} />
      {viewed !== undefined && (
        <Suspense>
          <Viewer conversationId={conversationId} startMsgId={viewed} onClose={() => view(undefined)} />
        </Suspense>
      )}
      <Outlet />
    </ThreadContext>
  );
}
