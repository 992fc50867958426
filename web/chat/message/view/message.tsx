import { type MouseEvent, memo, type TouchEvent, useEffect, useRef, useState } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import { useTexts } from '../../../ui/texts.ts';
import { clockTime, fullTime } from '../../../ui/times.ts';
import { personName } from '../../conversations/names.ts';
import type { People } from '../../conversations/people.ts';
import { Avatar } from '../../media/avatar.tsx';
import type { Unsent } from '../../outbox/store.ts';
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

/** How long a finger must rest to open the menu. */
const HOLD_MS = 450;
/** Movement up to this counts as resting. */
const REST_PX = 10;
/** How far a swipe must go to count. */
const SWIPE_PX = 56;
/** Touches that start left of this are the browser's back gesture. */
const EDGE_PX = 24;
/** Elements with touch handling of their own. */
const TAKEN = 'pre, audio, video, input, [role=slider]';

interface Touched {
  x: number;
  y: number;
  timer: ReturnType<typeof setTimeout>;
  /** The gesture that a touch is recognised as. */
  does?: 'hold' | 'swipe' | 'scroll';
}

/** Touch gestures on a message: a long press opens the menu; a swipe to the right quotes the message. */
function useGestures({
  onHold,
  onSwipe,
}: {
  onHold: (target: Element) => void;
  onSwipe: (() => void) | undefined;
}) {
  const touched = useRef<Touched>(undefined);
  const end = (element: HTMLElement) => {
    clearTimeout(touched.current?.timer);
    touched.current = undefined;
    element.style.removeProperty('translate');
    delete element.dataset['swiped'];
  };
  return {
    onTouchStart({ touches, target, currentTarget }: TouchEvent<HTMLElement>) {
      end(currentTarget);
      const touch = touches[0];
      // Overlays, such as an open picture, are not part of the message.
      if (!currentTarget.contains(target as Element)) return;
      if (!touch || touches.length > 1 || touch.clientX < EDGE_PX || (target as Element).closest(TAKEN))
        return;
      const begun: Touched = {
        x: touch.clientX,
        y: touch.clientY,
        timer: setTimeout(() => {
          begun.does = 'hold';
          onHold(target as Element);
        }, HOLD_MS),
      };
      touched.current = begun;
    },
    onTouchMove({ touches, currentTarget }: TouchEvent<HTMLElement>) {
      const { current: begun } = touched;
      const touch = touches[0];
      if (!begun || !touch || begun.does === 'hold') return;
      const [dx, dy] = [touch.clientX - begun.x, touch.clientY - begun.y];
      if (!begun.does && Math.hypot(dx, dy) > REST_PX) {
        clearTimeout(begun.timer);
        begun.does = onSwipe && dx > Math.abs(dy) ? 'swipe' : 'scroll';
      }
      if (begun.does !== 'swipe') return;
      currentTarget.style.setProperty('translate', `${Math.max(0, Math.min(dx, SWIPE_PX * 1.3))}px`);
      currentTarget.dataset['swiped'] = dx > SWIPE_PX ? 'far' : 'little';
    },
    onTouchEnd(event: TouchEvent<HTMLElement>) {
      const { currentTarget } = event;
      const does = touched.current?.does;
      const isFar = currentTarget.dataset['swiped'] === 'far';
      end(currentTarget);
      // The click after it would close the menu again, or open a picture.
      if (does === 'hold' && event.cancelable) event.preventDefault();
      if (does === 'swipe' && isFar) onSwipe?.();
    },
    onTouchCancel: ({ currentTarget }: TouchEvent<HTMLElement>) => end(currentTarget),
  };
}

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
