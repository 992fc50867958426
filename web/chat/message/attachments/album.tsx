import type { CSSProperties } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import type { FileDetails } from '#contract/messages.ts';
import { useAccount } from '../../../ui/session/session.ts';
import { useTexts } from '../../../ui/texts.ts';
import type { People } from '../../conversations/people.ts';
import { shownAs } from '../../outbox/shown-as.ts';
import type { Unsent } from '../../outbox/store.ts';
import { ReactionList } from '../../reactions/reactions.tsx';
import { RichText } from '../text/rich-text.tsx';
import { toMessage } from '../unsent-as-message.ts';
import { UnsentFault } from '../unsent-fault.tsx';
import classes from './album.module.css';
import { ALBUM_PX, rowRatio, rowsOfAlbum } from './album-grid.ts';
import media from './media.module.css';
import { MediaBody } from './media.tsx';
import { PendingFile } from './pending-file.tsx';

/** Pictures and videos sent together, as one grid, with the first caption among them. */
export function Album({
  items,
  people,
  isPlain,
}: {
  items: (ChatMessage | Unsent)[];
  people: People;
  isPlain?: boolean | undefined;
}) {
  const t = useTexts();
  const { accountId } = useAccount();
  const rows = rowsOfAlbum(items.map(detailsOf));
  const tiles = [...items];
  const captions = items.map((one) => ('key' in one ? one.content.caption : one.caption));
  const caption = captions.find((words) => words);
  return (
    <>
      <div className={media.media} style={{ '--width': `${ALBUM_PX}px` } as CSSProperties}>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms. */}
        <div
          className={classes.album}
          role="group"
          aria-label={t('chat.message.album', { count: items.length })}
        >
          {rows.map((row, y) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity.
            <div key={y} className={classes.row} style={{ aspectRatio: rowRatio(row) }}>
              {tiles.splice(0, row.length).map((one, x) => (
                <div
                  key={'key' in one ? one.key : shownAs(one.msgId)}
                  className={classes.tile}
                  style={{ flexGrow: (row[x] ?? 1) / rowRatio(row) }}
                  data-tile={'key' in one ? undefined : one.msgId}
                >
                  {'key' in one && one.file ? (
                    <PendingFile unsent={one} />
                  ) : (
                    <MediaBody message={'key' in one ? toMessage(one, accountId) : one} />
                  )}
                  {/* The reactions of the first message are below the album, with its caption. */}
                  {one !== items[0] && 'msgId' in one && one.reactions && (
                    <div className={classes.reactions}>
                      <ReactionList message={one} people={people} />
                    </div>
                  )}
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
      {caption && <RichText text={caption} isPlain={isPlain} />}
      {items.map((one) => 'key' in one && <UnsentFault key={one.key} unsent={one} />)}
    </>
  );
}

/** Of a sent or unsent message. */
export function detailsOf(one: ChatMessage | Unsent): FileDetails | undefined {
  return ('key' in one ? one.content.fileDetails : one.fileDetails) ?? undefined;
}
