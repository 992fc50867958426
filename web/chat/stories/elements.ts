import type { ChatStory } from '#contract/stories.ts';

/** One element of a story, as shown by the viewer. */
export interface Element {
  kind: 'text' | 'image' | 'video' | 'unreadable';
  id: string;
  createdAt: number;
  text?: string;
  /** Of its picture or video. */
  url?: string;
  thumbnailUrl?: string | undefined;
}

/** The elements of a story in the order of publication: ids are ordered by time. */
export function elementsOf({ texts, images, videos, unreadable = [] }: ChatStory): Element[] {
  const all: Element[] = [
    ...texts.map((one) => ({ kind: 'text' as const, ...one })),
    ...images.map(({ imageUrl, ...one }) => ({ kind: 'image' as const, ...one, url: imageUrl })),
    ...videos.map(({ videoUrl, ...one }) => ({ kind: 'video' as const, ...one, url: videoUrl })),
    ...unreadable.map((one) => ({ kind: 'unreadable' as const, ...one })),
  ];
  return all.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Where to begin: at the first unseen element, or at the start if all were seen. */
export function firstUnseen(elements: readonly Element[], seenElementId = ''): number {
  return Math.max(
    0,
    elements.findIndex(({ id }) => id > seenElementId),
  );
}
