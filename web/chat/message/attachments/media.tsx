import { Text } from '@mantine/core';
import { IconFile, IconPhotoOff } from '@tabler/icons-react';
import { useState } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
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

/** A picture or video that fills the frame around it. */
export function MediaBody({ message }: { message: ChatMessage }) {
  const t = useTexts();
  const { type, from, msgId, fileUrl = '', thumbnailUrl, caption, fileDetails } = message;
  if (type === 'video') {
    return (
      <Remote url={fileUrl} from={from} label={t('chat.media.loadVideo')}>
        <VideoBody
          {...{ fileUrl, thumbnailUrl, from }}
          label={caption || t('chat.message.video')}
          durationMs={fileDetails?.durationMs}
        />
      </Remote>
    );
  }
  return (
    <Remote url={fileUrl} from={from} label={t('chat.media.loadPicture')}>
      <ImageBody
        {...{ fileUrl, msgId }}
        label={caption || (type === 'gif' ? t('chat.message.gif') : t('chat.message.photo'))}
      />
    </Remote>
  );
}

/** A click enlarges the picture. */
function ImageBody({ fileUrl, label, msgId }: { fileUrl: string; label: string; msgId: string }) {
  const t = useTexts();
  const { view } = useThread();
  const [isGone, setGone] = useState(false);
  if (isGone) return <Gone fileUrl={fileUrl} />;
  return (
    <button
      type="button"
      className={classes.picture}
      aria-label={`${t('chat.message.openImage')}: ${label}`}
      onClick={() => view(msgId)}
    >
      <Picture fileUrl={fileUrl} loading="lazy" decoding="async" onError={() => setGone(true)} />
    </button>
  );
}

export function StickerBody({ fileUrl }: { fileUrl: string }) {
  const t = useTexts();
  const [isGone, setGone] = useState(false);
  if (isGone) return <Gone fileUrl={fileUrl} />;
  return (
    <Picture
      fileUrl={fileUrl}
      alt={t('chat.message.sticker')}
      className={classes.sticker}
      loading="lazy"
      decoding="async"
      onError={() => setGone(true)}
    />
  );
}

function VideoBody({
  fileUrl,
  thumbnailUrl,
  from,
  label,
  durationMs,
}: {
  fileUrl: string;
  thumbnailUrl: string | undefined;
  from: string;
  label: string;
  durationMs: number | undefined;
}) {
  const isPosterLoaded = useLoading(thumbnailUrl, from) === 'now';
  const [isBegun, setBegun] = useState(false);
  const [isGone, setGone] = useState(false);
  if (isGone) return <Gone fileUrl={fileUrl} />;
  return (
    <div className={classes.film}>
      {/* biome-ignore lint/a11y/useMediaCaption: people's uploads have no captions. */}
      <video
        className={classes.video}
        src={fileUrl}
        poster={isPosterLoaded ? thumbnailUrl : undefined}
        aria-label={label}
        controls
        playsInline
        // Its first bytes contain its duration, if the sender did not provide it.
        preload={durationMs === undefined ? 'metadata' : 'none'}
        onPlay={() => setBegun(true)}
        onError={() => setGone(true)}
        // Of some videos, browsers can play only the sound.
        onLoadedMetadata={({ currentTarget }) => currentTarget.videoWidth === 0 && setGone(true)}
      />
      {durationMs !== undefined && !isBegun && (
        <span className={classes.length}>{clockLength(durationMs)}</span>
      )}
    </div>
  );
}

export function DocumentBody({ fileUrl, size }: { fileUrl: string; size: number | undefined }) {
  const t = useTexts();
  return (
    <a
      href={fileUrl}
      target="_blank"
      rel="noopener noreferrer nofollow"
      download
      className={classes.document}
    >
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
    <a href={fileUrl} target="_blank" rel="noopener noreferrer nofollow" download>
      {isRemote(fileUrl, location.origin) ? t('chat.message.openAnyway') : t('chat.message.download')}
    </a>
  );
}
