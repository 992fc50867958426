import { Button, Group } from '@mantine/core';
import { IconArrowForwardUp, IconClock, IconExternalLink } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type MouseEvent, memo, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { ChatMessage, ForwardedFrom, ShownQuickReplies } from '#contract/chat.ts';
import { callChat } from '../../../ui/api.ts';
import { showError } from '../../../ui/parts/faults.tsx';
import { isSecondTap } from '../../../ui/parts/second-tap.ts';
import { uniqueId } from '../../../ui/secure-context.ts';
import { useAccount } from '../../../ui/session/session.ts';
import { OUTWARD, shownUrl } from '../../../ui/shown-url.ts';
import { useTexts } from '../../../ui/texts.ts';
import { clockTime, fullTime } from '../../../ui/times.ts';
import { personName } from '../../conversations/names.ts';
import { showMessage } from '../../frame/follow.ts';
import type { BotDraft } from '../../live/drafts-of-bots.ts';
import { Avatar } from '../../media/avatar.tsx';
import { useGestures } from '../../parts/use-gestures.ts';
import { ReactionList } from '../../reactions/reactions.tsx';
import { ReceiptMark } from '../../receipts/receipt.tsx';
import { Album } from '../attachments/album.tsx';
import { isMedia, timeOver } from '../attachments/media-frame.ts';
import classes from '../message.module.css';
import type { ShownMessage } from '../shown-message.ts';
import { closeMarks } from '../text/close-marks.ts';
import { RichText } from '../text/rich-text.tsx';
import { useThread } from '../thread-context.ts';
import { UnsentFault } from '../unsent-fault.tsx';
import { MessageActions, type ShownActions } from './actions.tsx';
import { Body } from './body.tsx';
import { QuoteView } from './quote.tsx';

/** One message in its bubble, with its actions once it is sent. */
export const Message = memo(function Message({
  message,
  album,
  isFirst,
  isLast,
  isMarked,
}: {
  message: ShownMessage;
  /** The messages displayed together, including this one. */
  album?: ShownMessage[] | undefined;
  isFirst: boolean;
  isLast: boolean;
  isMarked: boolean;
}) {
  const t = useTexts();
  const { accountId } = useAccount();
  const { mayWrite, isGroup, people, quote } = useThread();
  const { msgId, from, type, sentAt, editedAt, unsent } = message;
  const [shown, setShown] = useState<ShownActions>();
  const [pickedId, setPickedId] = useState<string>();
  const picked = album?.find((one) => one.msgId === pickedId);
  /** In an album, for the picture under the pointer, or for all of it. */
  const showMenu = (target?: Element) => {
    setPickedId(target?.closest<HTMLElement>('[data-tile]')?.dataset['tile']);
    setShown('menu');
  };
  const gestures = useGestures({
    onHold: showMenu,
    onSwipe: mayWrite && type !== 'deleted' ? () => quote(message) : undefined,
  });
  const openMenu = (event: MouseEvent) => {
    const target = event.target as Element;
    // Overlays, such as an open picture, are not part of the message.
    if (!event.currentTarget.contains(target) || wantsBrowser(target)) return;
    event.preventDefault();
    showMenu(target);
  };
  const article = useRef<HTMLElement>(null);
  useEffect(() => {
    // From the field of a search, the person goes on to the next match.
    if (isMarked && !document.activeElement?.closest('search'))
      article.current?.focus({ preventScroll: true });
  }, [isMarked]);
  const isOwn = from === accountId;
  const isForeign = isGroup && !isOwn;
  // An album counts as read with its last message.
  const last = album?.findLast((one) => !one.unsent) ?? message;
  const name = isOwn ? t('chat.message.you') : personName(people[from]);
  const state = unsent?.fault ? t('chat.message.failed') : t('chat.message.waiting');
  return (
    <article
      ref={article}
      tabIndex={-1}
      className={classes.message}
      aria-label={unsent ? state : name}
      data-own={isOwn || undefined}
      data-unsent={unsent && true}
      data-first={isFirst || undefined}
      data-marked={isMarked || undefined}
      data-media={isMedia(message) || undefined}
      data-time={timeOver(message, album)}
      data-bare={(type === 'sticker' && !message.isUnreadable) || undefined}
      data-msg-id={unsent ? undefined : msgId}
      {...(!unsent && { onContextMenu: openMenu, ...gestures })}
    >
      {isForeign && (
        <div className={classes.avatar}>
          {isLast && <Avatar name={name} seed={from} pictureUrl={people[from]?.pictureUrl} size={30} />}
        </div>
      )}
      <div className={classes.column}>
        {isForeign && isFirst && <div className={classes.sender}>{name}</div>}
        <div className={classes.bubble} id={msgId}>
          {message.forwardedFrom && <Forwarded {...message.forwardedFrom} />}
          {message.quote && <QuoteView quote={message.quote} />}
          {album ? <Album items={album} /> : <Body message={message} />}
          <div className={classes.foot}>
            {editedAt !== undefined && <span title={fullTime(editedAt)}>{t('chat.message.edited')}</span>}
            <time dateTime={new Date(sentAt).toISOString()} title={fullTime(sentAt)}>
              {clockTime(sentAt)}
            </time>
            {unsent && !unsent.fault && <IconClock size={12} role="img" aria-label={state} />}
            {!unsent && isOwn && type !== 'deleted' && <ReceiptMark message={last} />}
          </div>
        </div>
        {unsent && !album && <UnsentFault unsent={unsent} />}
        {message.quickReplies && <QuickReplies message={message} {...message.quickReplies} />}
        <ReactionList message={message} />
      </div>
      {!unsent && (
        <MessageActions
          message={picked ?? message}
          album={picked ? undefined : album}
          shown={shown}
          onOpen={() => showMenu()}
          onShow={setShown}
        />
      )}
    </article>
  );
});

/** Links, players and selected text keep the browser's own menu. */
function wantsBrowser(target: Element): boolean {
  return target.closest('a, audio, video') !== null || getSelection()?.isCollapsed === false;
}

/** The author of a forwarded message, with a link if it is a bot. */
function Forwarded({ name, username }: ForwardedFrom) {
  const t = useTexts();
  const words = name === undefined ? t('chat.forward.forwarded') : t('chat.forward.forwardedFrom', { name });
  return (
    <div className={classes.forwarded}>
      <IconArrowForwardUp size={14} aria-hidden="true" />
      {username === undefined ? (
        <span>{words}</span>
      ) : (
        <Link to={`/new/bot?username=${username}`}>{words}</Link>
      )}
    </div>
  );
}

/** The buttons below a message of a bot: each writes an answer, or opens a page. */
function QuickReplies({
  message: { conversationId, msgId, mentionedUserIds = [] },
  buttons,
  mentionedOnly = false,
}: ShownQuickReplies & { message: ChatMessage }) {
  const t = useTexts();
  const client = useQueryClient();
  const { accountId } = useAccount();
  const { mayWrite, isGroup } = useThread();
  const isMine = !isGroup || !mentionedOnly || mentionedUserIds.includes(accountId);
  /** The same for each try of a press, so that an answer is written once. */
  const keys = useRef(new Map<number, string>());
  const press = useMutation({
    mutationFn: (button: number) => {
      const key = keys.current.get(button) ?? uniqueId();
      keys.current.set(button, key);
      return callChat('POST /conversations/:conversationId/messages/:msgId/quick-replies', {
        params: { conversationId, msgId },
        body: { button },
        idempotencyKey: key,
      });
    },
    onSuccess: (answer, button) => {
      keys.current.delete(button);
      return showMessage(client, answer);
    },
    onError: showError,
  });
  return (
    <Group
      component="fieldset"
      gap={6}
      mx={0}
      my={6}
      p={0}
      bd={0}
      miw={0}
      maw="100%"
      aria-label={t('chat.message.answers')}
    >
      {buttons.map(({ label, url }, i) => {
        const key = i;
        const common = {
          size: 'compact-md',
          variant: 'light',
          radius: 'md',
          maw: '100%',
          h: 'auto',
          className: classes.answer ?? '',
          py: 4,
          lh: 1.3,
          styles: { label: { whiteSpace: 'normal', textAlign: 'start', overflowWrap: 'anywhere' } },
        } as const;
        if (url !== undefined) {
          return (
            <Button
              key={key}
              {...common}
              component="a"
              href={url}
              title={shownUrl(url)}
              {...OUTWARD}
              rightSection={<IconExternalLink size={14} aria-hidden="true" />}
            >
              {label}
            </Button>
          );
        }
        return (
          <Button
            key={key}
            {...common}
            disabled={!mayWrite || !isMine}
            loading={press.isPending && press.variables === i}
            onClick={(event) => isSecondTap(event) || press.isPending || press.mutate(i)}
          >
            {label}
          </Button>
        );
      })}
    </Group>
  );
}

/** A message that a bot is writing. Screen readers are told of the finished one. */
export function DraftOfBot({ draft }: { draft: BotDraft }) {
  const t = useTexts();
  const { isGroup, people } = useThread();
  const sender = people[draft.userId];
  const name = personName(sender);
  return (
    <article className={classes.message} aria-label={name} aria-busy data-first data-draft>
      {isGroup && (
        <div className={classes.avatar}>
          <Avatar name={name} seed={draft.userId} pictureUrl={sender?.pictureUrl} size={30} />
        </div>
      )}
      <div className={classes.column}>
        {isGroup && <div className={classes.sender}>{name}</div>}
        <div className={classes.bubble}>
          <RichText text={closeMarks(draft.content)} from={draft.userId} />
          <div className={classes.foot}>{t('chat.conversation.typing')}</div>
        </div>
      </div>
    </article>
  );
}
