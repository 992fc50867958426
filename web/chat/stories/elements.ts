import type { ChatStory } from '#contract/stories.ts';

/** One thing of a story, as the viewer shows it. */
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

/** Where to begin: at what was not seen yet, or from the start when all of it was. */
export function firstUnseen(elements: readonly Element[], seenElementId: string | undefined): number {
  return Math.max(
    0,
    elements.findIndex(({ id }) => id > (seenElementId ?? '')),
  );
}

/** The address of its picture or video. */
export function mediaUrlOf(element: Element): string | undefined {
  if (element.kind === 'image') return element.imageUrl;
  return element.kind === 'video' ? element.videoUrl : undefined;
}
