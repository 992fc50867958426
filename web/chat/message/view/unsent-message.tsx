import { IconClock } from '@tabler/icons-react';
import type { ChatMessage } from '#contract/chat.ts';
import { useTexts } from '../../../ui/texts.ts';
import { clockTime } from '../../../ui/times.ts';
import type { People } from '../../conversations/people.ts';
import type { Unsent } from '../../outbox/store.ts';
import { Album } from '../attachments/album.tsx';
import media from '../attachments/media.module.css';
import { frameStyle, isMedia, timeOver } from '../attachments/media-frame.ts';
import { PendingFile } from '../attachments/pending-file.tsx';
import classes from '../message.module.css';
import { RichText } from '../text/rich-text.tsx';
import { toMessage } from '../unsent-as-message.ts';
import { UnsentFault } from '../unsent-fault.tsx';
import { Body } from './body.tsx';
import { Forwarded } from './forwarded.tsx';
import { QuoteView } from './quote.tsx';

/** A message that is not sent yet, and the reason. */
export function UnsentMessage({
  unsent,
  album,
  isFirst,
  accountId,
  people,
}: {
  unsent: Unsent;
  /** The messages displayed together, including this one. */
  album?: (ChatMessage | Unsent)[] | undefined;
  isFirst: boolean;
  accountId: string;
  people: People;
}) {
  const t = useTexts();
  const { fault, quote, createdAt, file, content } = unsent;
  const message = toMessage(unsent, accountId);
  return (
    <article
      className={classes.message}
      aria-label={fault ? t('chat.message.failed') : t('chat.message.waiting')}
      data-own
      data-unsent
      data-first={isFirst || undefined}
      data-media={isMedia(message) || undefined}
      data-time={timeOver(message, album)}
      data-bare={message.type === 'sticker' || undefined}
    >
      <div className={classes.column}>
        <div className={classes.bubble}>
          {unsent.forwarded && <Forwarded />}
          {quote && <QuoteView quote={quote} people={people} />}
          {album ? (
            <Album items={album} people={people} />
          ) : file ? (
            <>
              <div {...(isMedia(message) && { className: media.media, style: frameStyle(content) })}>
                <PendingFile unsent={unsent} />
              </div>
              {content.caption && <RichText text={content.caption} />}
            </>
          ) : (
            <Body message={message} people={people} isOwn />
          )}
          <div className={classes.foot}>
            {clockTime(createdAt)}
            {!fault && <IconClock size={12} role="img" aria-label={t('chat.message.waiting')} />}
          </div>
        </div>
        {!album && <UnsentFault unsent={unsent} />}
      </div>
    </article>
  );
}
