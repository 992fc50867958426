import type { CSSProperties } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import type { ShownMessage } from '../shown-message.ts';

const WIDEST_PX = 320;
const TALLEST_PX = 420;
/** Of a picture of unknown dimensions. */
const USUAL = { width: WIDEST_PX, height: 208 };
const SMALLEST = { width: 96, height: 56 };
/** Of a video, whose controls need space, and of the words below a picture. */
const SMALLEST_VIDEO = { width: 240, height: 156 };

type Shown = Pick<ChatMessage, 'type' | 'caption' | 'fileDetails'>;

/** Whether a message is shown as a picture or video, to the edges of its bubble. */
export function isMedia({ type, isUnreadable }: Pick<ChatMessage, 'type' | 'isUnreadable'>): boolean {
  return !isUnreadable && (type === 'image' || type === 'gif' || type === 'video');
}

/**
 * The frame of a picture or video in pixels, known before it is loaded, so that loading does not shift the layout. It has the
 * ratio of the picture, except for very long ones, and is not larger than the picture, except for very small ones.
 */
export function frameOf({ type, caption, fileDetails }: Shown): { width: number; height: number } {
  const { width, height } = fileDetails ?? {};
  if (width === undefined || height === undefined) return USUAL;
  const isVideo = type === 'video';
  const scale = Math.min(isVideo ? Number.POSITIVE_INFINITY : 1, WIDEST_PX / width, TALLEST_PX / height);
  const smallest = isVideo ? SMALLEST_VIDEO : SMALLEST;
  const narrowest = caption ? SMALLEST_VIDEO.width : smallest.width;
  return {
    width: Math.round(Math.max(narrowest, width * scale)),
    height: Math.round(Math.max(smallest.height, height * scale)),
  };
}

/** For the class `media` of media.module.css. */
export function frameStyle(shown: Shown): CSSProperties {
  const { width, height } = frameOf(shown);
  return { '--width': `${width}px`, '--ratio': `${width} / ${height}` } as CSSProperties;
}

/** Where the time is over the media, if no caption is below them: not over the controls of a video, nor over a quote. */
export function timeOver(
  message: ShownMessage,
  album: readonly ShownMessage[] = [message],
): 'bottom' | 'top' | undefined {
  if (!isMedia(message)) return undefined;
  if (album.some(({ caption }) => caption)) return undefined;
  if (album.every(({ type }) => type !== 'video')) return 'bottom';
  return message.quote || message.forwardedFrom ? undefined : 'top';
}
