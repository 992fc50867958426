import type { CSSProperties } from 'react';
import { useTexts } from '../../../ui/texts.ts';
import { shownAs } from '../../outbox/shown-as.ts';
import { ReactionList } from '../../reactions/reactions.tsx';
import type { ShownMessage } from '../shown-message.ts';
import { RichText } from '../text/rich-text.tsx';
import { UnsentFault } from '../unsent-fault.tsx';
import classes from './album.module.css';
import { ALBUM_PX, rowRatio, rowsOfAlbum } from './album-grid.ts';
import media from './media.module.css';
import { MediaBody } from './media.tsx';
import { PendingFile } from './pending-file.tsx';

/** Pictures and videos sent together, as one grid, with the first caption among them. */
export function Album({ items }: { items: ShownMessage[] }) {
  const t = useTexts();
  const rows = rowsOfAlbum(items.map(({ fileDetails }) => fileDetails));
  const tiles = [...items];
  const captioned = items.find(({ caption }) => caption);
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
                  key={shownAs(one.msgId)}
                  className={classes.tile}
                  style={{ flexGrow: (row[x] ?? 1) / rowRatio(row) }}
                  data-tile={one.unsent ? undefined : one.msgId}
                >
                  {one.unsent?.file ? <PendingFile unsent={one.unsent} /> : <MediaBody message={one} />}
                  {/* The reactions of the first message are below the album, with its caption. */}
                  {one !== items[0] && one.reactions && (
                    <div className={classes.reactions}>
                      <ReactionList message={one} />
                    </div>
                  )}
                </div>
              ))}
            </div>
          ))}
        </div>
      </div>
      {captioned?.caption && <RichText text={captioned.caption} from={captioned.from} />}
      {items.map(({ unsent }) => unsent && <UnsentFault key={unsent.key} unsent={unsent} />)}
    </>
  );
}
