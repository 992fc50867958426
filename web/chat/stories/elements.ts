import type { ChatStory } from '#contract/stories.ts';

/** One element of a story, as shown by the viewer. */
export type Element =
  | { kind: 'text'; id: string; createdAt: number; text: string }
  | { kind: 'image'; id: string; createdAt: number; imageUrl: string }
  | { kind: 'video'; id: string; createdAt: number; videoUrl: string; thumbnailUrl?: string }
  | { kind: 'unreadable'; id: string; createdAt: number };

/** The elements of a story in the order of publication: ids are ordered by time. */
export function elementsOf({ texts, images, videos, unreadable = [] }: ChatStory): Element[] {
  const all: Element[] = [
    ...texts.map((one) => ({ kind: 'text' as const, ...one })),
    ...images.map((one) => ({ kind: 'image' as const, ...one })),
    ...videos.map((one) => ({ kind: 'video' as const, ...one })),
    ...unreadable.map((one) => ({ kind: 'unreadable' as const, ...one })),
  ];
  return all.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Where to begin: at the first unseen element, or at the start if all were seen. */
export function firstUnseen(elements: readonly Element[], seenElementId: string | undefined): number {
  return Math.max(
    0,
    elements.findIndex(({ id }) => id > (seenElementId ?? '')),
  );
}

/** The URL of its picture or video. */
export function mediaUrlOf(element: Element): string | undefined {
  if (element.kind === 'image') return element.imageUrl;
  return element.kind === 'video' ? element.videoUrl : undefined;
}
