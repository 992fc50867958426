import { Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../ui/texts.ts';
import { useLoading } from '../media/loading.ts';
import { Remote } from '../media/remote.tsx';
import type { Element } from './elements.ts';
import classes from './viewer.module.css';

/** One element of a story. */
export function StoryElement({
  element,
  from,
  isHeld,
  onEnd,
}: {
  element: Element;
  /** The story's author. */
  from: string;
  isHeld: boolean;
  onEnd: () => void;
}) {
  const t = useTexts();
  const { kind, text = '', url = '' } = element;
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <Text>{t('chat.story.cannotLoad')}</Text>;
  switch (kind) {
    case 'text':
      return <p className={text.length < 120 ? classes.large : classes.text}>{text}</p>;
    case 'image':
      return (
        <Remote url={url} from={from} label={t('chat.media.loadPicture')}>
          <img
            className={classes.media}
            src={url}
            alt={t('chat.story.image')}
            referrerPolicy="no-referrer"
            onError={() => setBroken(true)}
          />
        </Remote>
      );
    case 'video':
      return (
        <Remote url={url} from={from} label={t('chat.media.loadVideo')}>
          <Video {...{ element, from, isHeld, onEnd }} onBroken={() => setBroken(true)} />
        </Remote>
      );
    case 'unreadable':
      return <p className={classes.text}>{t('chat.story.unreadable')}</p>;
    default:
      throw kind satisfies never;
  }
}

function Video({
  element: { url, thumbnailUrl },
  from,
  isHeld,
  onEnd,
  onBroken,
}: {
  element: Element;
  from: string;
  isHeld: boolean;
  onEnd: () => void;
  onBroken: () => void;
}) {
  const t = useTexts();
  const isPosterLoaded = useLoading(thumbnailUrl, from) === 'now';
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    // Browsers may require a click first; the controls allow it.
    if (isHeld) video.current?.pause();
    else video.current?.play().catch(() => undefined);
  }, [isHeld]);
  return (
    // biome-ignore lint/a11y/useMediaCaption: people's uploads have no captions.
    <video
      ref={video}
      className={classes.media}
      src={url}
      poster={isPosterLoaded ? thumbnailUrl : undefined}
      aria-label={t('chat.story.video')}
      controls
      playsInline
      onEnded={onEnd}
      onError={onBroken}
      // Of some videos, browsers can play only the sound.
      onLoadedMetadata={({ currentTarget }) => currentTarget.videoWidth === 0 && onBroken()}
    />
  );
}
