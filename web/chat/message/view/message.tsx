import { type MouseEvent, memo, useState } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import { useTexts } from '../../../ui/texts.ts';
import { clockTime, fullTime } from '../../../ui/times.ts';
import { type People, personName } from '../../conversations/people.ts';
import { Avatar } from '../../media/avatar.tsx';
import type { Unsent } from '../../outbox/store.ts';
import { ReactionList } from '../../reactions/reactions.tsx';
import { ReceiptMark } from '../../receipts/receipt.tsx';
import { Album } from '../attachments/album.tsx';
import classes from '../message.module.css';
import { useThread } from '../thread-context.ts';
import { MessageActions, type ShownActions } from './actions.tsx';
import { Body } from './body.tsx';
import { Forwarded } from './forwarded.tsx';
import { QuoteView } from './quote.tsx';
import { useGestures } from './use-gestures.ts';

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
  const sender = people[message.from];
  const isForeign = isGroup && !isOwn;
  // An album counts as read with its last message.
  const last = album?.findLast((one): one is ChatMessage => 'msgId' in one) ?? message;
  const name = isOwn ? t('chat.message.you') : personName(sender);
  return (
    <article
      className={classes.message}
      aria-label={name}
      data-own={isOwn || undefined}
      data-first={isFirst || undefined}
      data-marked={isMarked || undefined}
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
        <div className={classes.bubble}>
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
