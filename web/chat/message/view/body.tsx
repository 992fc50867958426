import { Box } from '@mantine/core';
import { lazy, memo, Suspense } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import { Bars } from '../../../ui/parts/query-view.tsx';
import { useAccount } from '../../../ui/session/session.ts';
import { useTexts } from '../../../ui/texts.ts';
import { Remote } from '../../media/remote.tsx';
import { AudioBody } from '../attachments/audio.tsx';
import { LocationBody } from '../attachments/location.tsx';
import media from '../attachments/media.module.css';
import { DocumentBody, MediaBody } from '../attachments/media.tsx';
import { frameStyle, isMedia } from '../attachments/media-frame.ts';
import { PendingFile } from '../attachments/pending-file.tsx';
import classes from '../message.module.css';
import type { ShownMessage } from '../shown-message.ts';
import { RichText } from '../text/rich-text.tsx';

/** Placeholder for a message that was deleted for everybody. */
function Tombstone({ from, deletedBy }: ChatMessage) {
  const t = useTexts();
  const { accountId } = useAccount();
  const words =
    deletedBy === accountId
      ? t('chat.message.deletedByYou')
      : deletedBy === from
        ? t('chat.message.deleted')
        : t('chat.message.deletedByAdmin');
  return <em className={classes.unreadable}>{words}</em>;
}

const PollBody = lazy(() => import('../../polls/poll.tsx'));

/** The body of a message, by its type. */
export const Body = memo(function Body({ message }: { message: ShownMessage }) {
  const t = useTexts();
  if (message.isUnreadable) return <em className={classes.unreadable}>{t('ui.common.unreadableMessage')}</em>;
  const { from, type, content = '', fileUrl = '', fileDetails, caption, location, poll, unsent } = message;
  const words = caption ? <RichText text={caption} from={from} /> : null;
  if (unsent?.file)
    return (
      <>
        <div {...(isMedia(message) && { className: media.media, style: frameStyle(message) })}>
          <PendingFile unsent={unsent} />
        </div>
        {words}
      </>
    );
  switch (type) {
    case 'text':
      return <RichText text={content} from={from} mentionedUserIds={message.mentionedUserIds} />;
    case 'image':
    case 'gif':
    case 'video':
      return (
        <>
          <div className={media.media} style={frameStyle(message)}>
            <MediaBody message={message} />
          </div>
          {words}
        </>
      );
    case 'audio':
      return (
        <Remote url={fileUrl} from={from} label={t('chat.media.loadAudio')}>
          <AudioBody fileUrl={fileUrl} details={fileDetails} />
        </Remote>
      );
    case 'doc':
      return (
        <>
          <DocumentBody fileUrl={fileUrl} size={fileDetails?.size} />
          {words}
        </>
      );
    case 'sticker':
      return <MediaBody message={message} />;
    case 'location':
      return location ? <LocationBody location={location} /> : null;
    case 'deleted':
      return <Tombstone {...message} />;
    case 'poll':
      return poll ? (
        <Suspense
          fallback={
            // As wide as the poll will be.
            <Box w="22rem" maw="100%">
              <Bars count={poll.options.length + 2} />
            </Box>
          }
        >
          <PollBody message={message} poll={poll} />
        </Suspense>
      ) : null;
    default:
      return t('chat.message.unknownKind');
  }
});
