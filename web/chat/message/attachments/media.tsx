import { Anchor, Text } from '@mantine/core';
import { IconFile, IconPhotoOff } from '@tabler/icons-react';
import { useState } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import { OUTWARD } from '../../../ui/shown-url.ts';
import { useTexts } from '../../../ui/texts.ts';
import { clockLength } from '../../media/length.ts';
import { useLoading } from '../../media/loading.ts';
import { Picture } from '../../media/picture.tsx';
import { Remote } from '../../media/remote.tsx';
import { isRemote } from '../../media/remote-rule.ts';
import { fileSize } from '../../media/size.ts';
import { useThread } from '../thread-context.ts';
import { fileNameOf } from './file-name.ts';
import classes from './media.module.css';

interface MediaProps {
  message: ChatMessage;
  onGone: () => void;
}

/** A click enlarges the picture. */
function ImageBody({ message: { type, msgId, fileUrl = '', caption }, onGone }: MediaProps) {
  const t = useTexts();
  const { view } = useThread();
  const label = caption || (type === 'gif' ? t('chat.message.gif') : t('chat.message.photo'));
  return (
    <button
      type="button"
      className={classes.picture}
      aria-label={`${t('chat.message.openImage')}: ${label}`}
      onClick={() => view(msgId)}
    >
      <Picture fileUrl={fileUrl} loading="lazy" decoding="async" onError={onGone} />
    </button>
  );
}

function StickerBody({ message: { fileUrl = '' }, onGone }: MediaProps) {
  const t = useTexts();
  return (
    <Picture
      fileUrl={fileUrl}
      alt={t('chat.message.sticker')}
      className={classes.sticker}
      loading="lazy"
      decoding="async"
      onError={onGone}
    />
  );
}

function VideoBody({ message: { from, fileUrl, thumbnailUrl, caption, fileDetails }, onGone }: MediaProps) {
  const t = useTexts();
  const isPosterLoaded = useLoading(thumbnailUrl, from) === 'now';
  const [isBegun, setBegun] = useState(false);
  const durationMs = fileDetails?.durationMs;
  return (
    <div className={classes.film}>
      {/* biome-ignore lint/a11y/useMediaCaption: people's uploads have no captions. */}
      <video
        className={classes.video}
        src={fileUrl}
        poster={isPosterLoaded ? thumbnailUrl : undefined}
        aria-label={caption || t('chat.message.video')}
        controls
        playsInline
        // Its first bytes contain its duration, if the sender did not provide it.
        preload={durationMs === undefined ? 'metadata' : 'none'}
        onPlay={() => setBegun(true)}
        onError={onGone}
        // Of some videos, browsers can play only the sound.
        onLoadedMetadata={({ currentTarget }) => currentTarget.videoWidth === 0 && onGone()}
      />
      {durationMs !== undefined && !isBegun && (
        <span className={classes.length}>{clockLength(durationMs)}</span>
      )}
    </div>
  );
}

const MEDIA = {
  image: { Shown: ImageBody, load: 'loadPicture' },
  gif: { Shown: ImageBody, load: 'loadPicture' },
  video: { Shown: VideoBody, load: 'loadVideo' },
  sticker: { Shown: StickerBody, load: 'loadSticker' },
} as const;

/** A picture or video that fills the frame around it, or a sticker; what cannot be shown is offered as a file. */
export function MediaBody({ message }: { message: ChatMessage }) {
  const t = useTexts();
  const { type, from, fileUrl = '' } = message;
  const { Shown, load } = MEDIA[type as keyof typeof MEDIA];
  const [isGone, setGone] = useState(false);
  return (
    <Remote url={fileUrl} from={from} label={t(`chat.media.${load}`)}>
      {isGone ? <Gone fileUrl={fileUrl} /> : <Shown message={message} onGone={() => setGone(true)} />}
    </Remote>
  );
}

export function DocumentBody({ fileUrl, size }: { fileUrl: string; size: number | undefined }) {
  const t = useTexts();
  return (
    <a href={fileUrl} {...OUTWARD} download className={classes.document}>
      <IconFile size={28} stroke={1.5} aria-hidden="true" style={{ flex: 'none' }} />
      <span>
        <Text span fw={600} size="sm" display="block">
          {fileNameOf(fileUrl)}
        </Text>
        <Text span size="xs" c="dimmed">
          {isRemote(fileUrl, location.origin)
            ? t('chat.message.downloadFrom', { host: hostOf(fileUrl) })
            : t('chat.message.download')}
          {size !== undefined && ` · ${fileSize(size)}`}
        </Text>
      </span>
    </a>
  );
}

/** In ASCII if it has look-alike letters. */
function hostOf(fileUrl: string): string {
  return URL.parse(fileUrl)?.host ?? '';
}

function Gone({ fileUrl }: { fileUrl: string }) {
  const t = useTexts();
  return (
    <div className={classes.gone}>
      <IconPhotoOff size={24} aria-hidden="true" />
      {t('chat.message.cannotLoad')}
      <FileLink fileUrl={fileUrl} />
    </div>
  );
}

/** For what this browser cannot show: the file itself. */
export function FileLink({ fileUrl }: { fileUrl: string }) {
  const t = useTexts();
  return (
    <Anchor href={fileUrl} {...OUTWARD} download inherit c="inherit" underline="always">
      {isRemote(fileUrl, location.origin) ? t('chat.message.openAnyway') : t('chat.message.download')}
    </Anchor>
  );
}
