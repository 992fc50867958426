import { useWindowEvent } from '@mantine/hooks';
import { IconDownload } from '@tabler/icons-react';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import Lightbox, { type ControllerRef, type GenericSlide } from 'yet-another-react-lightbox';
import Inline from 'yet-another-react-lightbox/plugins/inline';
import Zoom from 'yet-another-react-lightbox/plugins/zoom';
import { OUTWARD } from '../../ui/shown-url.ts';
import 'yet-another-react-lightbox/styles.css';
import type { ChatMessage } from '#contract/chat.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { useNow } from '../../ui/parts/moment.tsx';
import { useAccount } from '../../ui/session/session.ts';
import { isolate, useTexts } from '../../ui/texts.ts';
import { shortTime } from '../../ui/times.ts';
import { personName } from '../conversations/names.ts';
import { usePeople } from '../conversations/people.ts';
import { readOn, threadQuery } from '../history/queries.ts';
import { Picture } from '../media/picture.tsx';
import { Remote } from '../media/remote.tsx';
import classes from './viewer.module.css';

/** More of the conversation is loaded when this close to the first or last picture. */
const AHEAD = 2;
/** At most this many pages are loaded for one picture: a long conversation may have no other. */
const MOST_PAGES = 6;

/** The pictures of a conversation around a message, oldest first; more are loaded as the person goes on. */
function usePictures(client: QueryClient, conversationId: string, msgId: string): ChatMessage[] {
  const thread = useQuery(threadQuery(conversationId)).data;
  const pictures = useMemo(() => thread?.messages.filter(isPicture) ?? [], [thread]);
  const index = pictures.findIndex((one) => one.msgId === msgId);
  const wantsOlder = thread?.hasOlder && index < AHEAD;
  const wantsNewer = thread?.hasNewer && index >= pictures.length - AHEAD;
  const [oldest, newest] = [thread?.messages[0]?.msgId, thread?.messages.at(-1)?.msgId];
  const read = useRef({ msgId, pages: 0 });
  if (read.current.msgId !== msgId) read.current = { msgId, pages: 0 };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page without pictures requires the next one.
  useEffect(() => {
    if (!(wantsOlder || wantsNewer) || read.current.pages++ >= MOST_PAGES) return;
    // A failed request is repeated with the next picture.
    readOn(client, conversationId, wantsOlder ? 'before' : 'after').catch(() => undefined);
  }, [client, conversationId, wantsOlder, wantsNewer, oldest, newest, msgId]);
  return pictures;
}

function isPicture({ type, fileUrl, isUnreadable }: ChatMessage): boolean {
  return (type === 'image' || type === 'gif') && fileUrl !== undefined && !isUnreadable;
}

declare module 'yet-another-react-lightbox' {
  interface SlideTypes {
    picture: GenericSlide & { type: 'picture'; message: ChatMessage };
  }
}

/** The maximum zoom, relative to the size that fits the window. */
const MOST_ZOOM = 8;

/** The pictures of a conversation in full screen, with zoom; navigation by key, button or swipe. */
export default function Viewer({
  conversationId,
  startMsgId,
  onClose,
}: {
  conversationId: string;
  startMsgId: string;
  onClose: () => void;
}) {
  const t = useTexts();
  const now = useNow();
  const { accountId } = useAccount();
  const people = usePeople(conversationId);
  const client = useQueryClient();
  const [msgId, setMsgId] = useState(startMsgId);
  const controller = useRef<ControllerRef>(null);
  const pictures = usePictures(client, conversationId, msgId);
  const slides = useMemo(
    () => pictures.map((message) => ({ type: 'picture' as const, message })),
    [pictures],
  );
  const index = pictures.findIndex((one) => one.msgId === msgId);
  const shown = pictures[index];
  const close = useEffectEvent(onClose);
  useEffect(() => {
    // It was deleted in the meantime.
    if (!shown) close();
  }, [shown]);
  useWindowEvent('keydown', ({ key, target }) => {
    // The viewer handles its own keys.
    if (target instanceof Element && target.closest('.yarl__container')) return;
    if (key === 'ArrowLeft') controller.current?.prev();
    if (key === 'ArrowRight') controller.current?.next();
  });
  if (!shown) return null;
  const sender = shown.from === accountId ? t('chat.conversation.you') : personName(people[shown.from]);
  return (
    <Dialog
      opened
      onClose={onClose}
      fullScreen
      title={[isolate(sender), shortTime(shown.sentAt, now)].filter(Boolean).join(' · ')}
      closeButtonProps={{ 'aria-label': t('chat.viewer.close') }}
      classNames={{
        content: classes.content,
        header: classes.head,
        close: classes.close,
        body: classes.body,
      }}
    >
      <Lightbox
        plugins={[Inline, Zoom]}
        inline={{ className: classes.frame }}
        slides={slides}
        index={index}
        on={{ view: ({ index: viewed }) => setMsgId((now) => pictures[viewed]?.msgId ?? now) }}
        carousel={{ finite: true, preload: 1, padding: 0, spacing: 16 }}
        controller={{ ref: controller, closeOnBackdropClick: false }}
        zoom={{ supports: ['picture'], maxZoom: MOST_ZOOM, scrollToZoom: true, doubleClickMaxStops: 1 }}
        labels={{
          Previous: t('chat.viewer.previous'),
          Next: t('chat.viewer.next'),
          'Zoom in': t('chat.viewer.zoomIn'),
          'Zoom out': t('chat.viewer.zoomOut'),
          Slide: t('chat.viewer.photo'),
          Carousel: t('chat.viewer.pictures'),
          'Photo gallery': t('chat.viewer.pictures'),
          '{index} of {total}': t('chat.viewer.position', { index: '{index}', total: '{total}' }),
        }}
        toolbar={{
          buttons: [
            'zoom',
            <a
              key="download"
              className="yarl__button"
              href={shown.fileUrl}
              download
              {...OUTWARD}
              aria-label={t('chat.viewer.download')}
              title={t('chat.viewer.download')}
            >
              <IconDownload size={28} stroke={1.75} aria-hidden="true" />
            </a>,
          ],
        }}
        render={{
          slide: ({ slide, offset }) =>
            slide.type === 'picture' && (
              <Remote
                url={slide.message.fileUrl ?? ''}
                from={slide.message.from}
                label={t('chat.media.loadPicture')}
              >
                <Picture
                  fileUrl={slide.message.fileUrl ?? ''}
                  alt={offset === 0 ? slide.message.caption || t('chat.viewer.photo') : ''}
                  className={classes.picture}
                />
              </Remote>
            ),
        }}
      />
      {shown.caption && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long caption is scrolled by keys.
        <p className={classes.caption} dir="auto" tabIndex={0}>
          {shown.caption}
        </p>
      )}
    </Dialog>
  );
}
