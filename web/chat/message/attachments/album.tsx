import type { ChatMessage } from '#contract/chat.ts';
import { useAccount } from '../../../ui/session/session.ts';
import { useTexts } from '../../../ui/texts.ts';
import type { People } from '../../conversations/people.ts';
import { Remote } from '../../media/remote.tsx';
import { shownAs } from '../../outbox/shown-as.ts';
import type { Unsent } from '../../outbox/store.ts';
import { ReactionList } from '../../reactions/reactions.tsx';
import { RichText } from '../text/rich-text.tsx';
import { toMessage } from '../unsent-as-message.ts';
import { UnsentFault } from '../unsent-fault.tsx';
import classes from './album.module.css';
import { rowsOfAlbum } from './album-grid.ts';
import { ImageBody, VideoBody } from './media.tsx';
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
  const inRow = rowsOfAlbum(items.length).flatMap((count) => Array.from({ length: count }, () => count));
  const captions = items.map((one) => ('key' in one ? one.content.caption : one.caption));
  const caption = captions.find((words) => words);
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms. */}
      <div
        className={classes.album}
        role="group"
        aria-label={t('chat.message.album', { count: items.length })}
      >
        {items.map((one, i) => (
          <div
            key={'key' in one ? one.key : shownAs(one.msgId)}
            className={classes.tile}
            data-in-row={inRow[i]}
            data-tile={'key' in one ? undefined : one.msgId}
          >
            {'key' in one && one.file ? (
              <PendingFile unsent={one} />
            ) : (
              <Tile message={'key' in one ? toMessage(one, accountId) : one} />
            )}
            {/* The reactions of the first message are below the album, with its caption. */}
            {i > 0 && 'msgId' in one && one.reactions && (
              <div className={classes.reactions}>
                <ReactionList message={one} people={people} />
              </div>
            )}
          </div>
        ))}
      </div>
      {caption && <RichText text={caption} isPlain={isPlain} />}
      {items.map((one) => 'key' in one && <UnsentFault key={one.key} unsent={one} />)}
    </>
  );
}

function Tile({ message }: { message: ChatMessage }) {
  const t = useTexts();
  const { type, from, fileUrl = '', thumbnailUrl, caption } = message;
  const isVideo = type === 'video';
  return (
    <Remote
      url={fileUrl}
      from={from}
      label={isVideo ? t('chat.media.loadVideo') : t('chat.media.loadPicture')}
    >
      {isVideo ? (
        <VideoBody
          {...{ fileUrl, thumbnailUrl, from }}
          label={caption || t('chat.message.video')}
          durationMs={message.fileDetails?.durationMs}
        />
      ) : (
        <ImageBody fileUrl={fileUrl} label={caption || t('chat.message.photo')} msgId={message.msgId} />
      )}
    </Remote>
  );
}
