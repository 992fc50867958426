import { type MouseEvent, memo, useEffect, useRef, useState } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import { useTexts } from '../../../ui/texts.ts';
import { clockTime, fullTime } from '../../../ui/times.ts';
import { personName } from '../../conversations/names.ts';
import type { People } from '../../conversations/people.ts';
import { Avatar } from '../../media/avatar.tsx';
import type { Unsent } from '../../outbox/store.ts';
import { useGestures } from '../../parts/use-gestures.ts';
import { ReactionList } from '../../reactions/reactions.tsx';
import { ReceiptMark } from '../../receipts/receipt.tsx';
import { Album } from '../attachments/album.tsx';
import { isMedia, timeOver } from '../attachments/media-frame.ts';
import classes from '../message.module.css';
import { useThread } from '../thread-context.ts';
import { MessageActions, type ShownActions } from './actions.tsx';
import { Body } from './body.tsx';
import { Forwarded } from './forwarded.tsx';
import { QuickReplies } from './quick-replies.tsx';
import { QuoteView } from './quote.tsx';

/** One message in its bubble, with its actions. */
export const Message = memo(function Message({
  message,
  album,
  isFirst,
  isLast,
  isOwn,
  isGroup,
  isMarked,
  people,
}: {
  message: ChatMessage;
  /** The messages displayed together, including this one. */
  album?: (ChatMessage | Unsent)[] | undefined;
  isFirst: boolean;
  isLast: boolean;
  isOwn: boolean;
  isGroup: boolean;
  isMarked: boolean;
  people: People;
}) {
  const t = useTexts();
  const { mayWrite, quote } = useThread();
  const [shown, setShown] = useState<ShownActions>();
  const [pickedId, setPickedId] = useState<string>();
  const picked = album?.find((one): one is ChatMessage => 'msgId' in one && one.msgId === pickedId);
  /** In an album, for the picture under the pointer, or for all of it. */
  const showMenu = (target?: Element) => {
    setPickedId(target?.closest<HTMLElement>('[data-tile]')?.dataset['tile']);
    setShown('menu');
  };
  const gestures = useGestures({
    onHold: showMenu,
    onSwipe: mayWrite && message.type !== 'deleted' ? () => quote(message) : undefined,
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
  const sender = people[message.from];
  const isForeign = isGroup && !isOwn;
  // An album counts as read with its last message.
  const last = album?.findLast((one): one is ChatMessage => 'msgId' in one) ?? message;
  const name = isOwn ? t('chat.message.you') : personName(sender);
  return (
    <article
      ref={article}
      tabIndex={-1}
      className={classes.message}
      aria-label={name}
      data-own={isOwn || undefined}
      data-first={isFirst || undefined}
      data-marked={isMarked || undefined}
      data-media={isMedia(message) || undefined}
      data-time={timeOver(message, album)}
      data-bare={(message.type === 'sticker' && !message.isUnreadable) || undefined}
      data-msg-id={message.msgId}
      onContextMenu={openMenu}
      {...gestures}
    >
      {isForeign && (
        <div className={classes.avatar}>
          {isLast && <Avatar name={name} seed={message.from} pictureUrl={sender?.pictureUrl} size={30} />}
        </div>
      )}
      <div className={classes.column}>
        {isForeign && isFirst && <div className={classes.sender}>{name}</div>}
        <div className={classes.bubble} id={message.msgId}>
          {message.forwardedFrom && <Forwarded {...message.forwardedFrom} />}
          {message.quote && <QuoteView quote={message.quote} people={people} />}
          {album ? (
            <Album items={album} people={people} isPlain={sender?.isPlainText} />
          ) : (
            <Body message={message} people={people} isOwn={isOwn} />
          )}
          <div className={classes.foot}>
            {message.editedAt !== undefined && (
              <span title={fullTime(message.editedAt)}>{t('chat.message.edited')}</span>
            )}
            <time dateTime={new Date(message.sentAt).toISOString()} title={fullTime(message.sentAt)}>
              {clockTime(message.sentAt)}
            </time>
            {isOwn && message.type !== 'deleted' && (
              <ReceiptMark message={last} isGroup={isGroup} people={people} />
            )}
          </div>
        </div>
        {message.quickReplies && (
          <QuickReplies message={message} isGroup={isGroup} {...message.quickReplies} />
        )}
        <ReactionList message={message} people={people} />
      </div>
      <MessageActions
        message={picked ?? message}
        album={picked ? undefined : album}
        shown={shown}
        onOpen={() => showMenu()}
        onShow={setShown}
      />
    </article>
  );
});

/** Links, players and selected text keep the browser's own menu. */
function wantsBrowser(target: Element): boolean {
  return target.closest('a, audio, video') !== null || getSelection()?.isCollapsed === false;
}
