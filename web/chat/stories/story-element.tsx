import { Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../../ui/texts.ts';
import type { Element } from './elements.ts';
import { storyTexts } from './texts.ts';
import classes from './viewer.module.css';

/** One thing of a story. */
export function StoryElement({
  element,
  isHeld,
  onEnd,
}: {
  element: Element;
  isHeld: boolean;
  onEnd: () => void;
}) {
  const t = useTexts(storyTexts);
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <Text>{t.cannotLoad}</Text>;
  switch (element.kind) {
    case 'text':
      return <p className={element.text.length < 120 ? classes.large : classes.text}>{element.text}</p>;
    case 'image':
      return (
        <img
          className={classes.media}
          src={element.imageUrl}
          alt={t.image}
          referrerPolicy="no-referrer"
          onError={() => setBroken(true)}
        />
      );
    case 'video':
      return <Video element={element} {...{ isHeld, onEnd }} onBroken={() => setBroken(true)} />;
    case 'unreadable':
      return <Text>{t.unreadable}</Text>;
    default:
      throw element satisfies never;
  }
}

function Video({
  element: { videoUrl, thumbnailUrl },
  isHeld,
  onEnd,
  onBroken,
}: {
  element: Extract<Element, { kind: 'video' }>;
  isHeld: boolean;
  onEnd: () => void;
  onBroken: () => void;
}) {
  const t = useTexts(storyTexts);
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    // Browsers may want a click first; the controls are there for that.
    if (isHeld) video.current?.pause();
    else video.current?.play().catch(() => undefined);
  }, [isHeld]);
  return (
    // biome-ignore lint/a11y/useMediaCaption: nobody has written captions for what people publish.
    <video
      ref={video}
      className={classes.media}
      src={videoUrl}
      poster={thumbnailUrl}
      aria-label={t.video}
      controls
      playsInline
      onEnded={onEnd}
      onError={onBroken}
    />
  );
}
