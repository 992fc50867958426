import type { AddToStory, ChatStory, StoryType } from '#contract/stories.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import { requireFileUrl } from '#platform/files/upload-links.ts';
import type { ElementRow, StoryRow } from './queries.ts';

/** The content of an element, as it is sealed in the database. */
type ElementBody = { text: string } | { imageUrl: string } | { videoUrl: string; thumbnailUrl?: string };

/** An element that is ready to be stored. */
export interface ElementContent {
  type: StoryType;
  body: ElementBody;
}

/**
 * Takes a validated element out of a request body.
 *
 * @throws ApiError 400 naming the field when a URL is not public https
 */
export function readElement({ type, text, imageUrl, videoUrl, thumbnailUrl }: AddToStory): ElementContent {
  switch (type) {
    case 'text':
      return { type, body: { text: text as string } };
    case 'image':
      return { type, body: { imageUrl: requireFileUrl('imageUrl', imageUrl as string) } };
    case 'video':
      return {
        type,
        body: {
          videoUrl: requireFileUrl('videoUrl', videoUrl as string),
          ...(thumbnailUrl != null && { thumbnailUrl: requireFileUrl('thumbnailUrl', thumbnailUrl) }),
        },
      };
    default:
      return type satisfies never;
  }
}

/** The row of a new element. All texts of people are sealed, including stories. */
export function toElementRow(
  keyring: Keyring,
  element: { accountId: string; elementId: string; content: ElementContent; createdAt: number },
): ElementRow {
  const { content, ...row } = element;
  const sealed = keyring.seal(contextOf(row.elementId), Buffer.from(JSON.stringify(content.body)));
  return { ...row, type: content.type, body: sealed.ciphertext, bodyKeyId: sealed.keyId };
}

/** A stored story as its readers see it. */
export function viewStory(keyring: Keyring, { storyId }: StoryRow, elements: ElementRow[]): ChatStory {
  const story: ChatStory = { storyId, texts: [], images: [], videos: [] };
  for (const { type, elementId: id, body, bodyKeyId, createdAt } of elements) {
    const opened = keyring.openIfReadable(contextOf(id), { keyId: bodyKeyId, ciphertext: body });
    const element = { id, ...(opened && JSON.parse(opened.toString())), createdAt };
    if (!opened) story.unreadable = [...(story.unreadable ?? []), element];
    else if (type === 'text') story.texts.push(element);
    else if (type === 'image') story.images.push(element);
    else story.videos.push(element);
  }
  return story;
}

function contextOf(elementId: string) {
  return { table: 'story_elements', rowId: elementId };
}
