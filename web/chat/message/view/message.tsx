import { IconClock } from '@tabler/icons-react';
import { type MouseEvent, memo, useEffect, useRef, useState } from 'react';
import { useAccount } from '../../../ui/session/session.ts';
import { useTexts } from '../../../ui/texts.ts';
import { clockTime, fullTime } from '../../../ui/times.ts';
import { personName } from '../../conversations/names.ts';
import { Avatar } from '../../media/avatar.tsx';
import { useGestures } from '../../parts/use-gestures.ts';
import { ReactionList } from '../../reactions/reactions.tsx';
import { ReceiptMark } from '../../receipts/receipt.tsx';
import { Album } from '../attachments/album.tsx';
import { isMedia, timeOver } from '../attachments/media-frame.ts';
import classes from '../message.module.css';
import type { ShownMessage } from '../shown-message.ts';
import { useThread } from '../thread-context.ts';
import { UnsentFault } from '../unsent-fault.tsx';
import { MessageActions, type ShownActions } from './actions.tsx';
import { Body } from './body.tsx';
import { Forwarded } from './forwarded.tsx';
import { QuickReplies } from './quick-replies.tsx';
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
