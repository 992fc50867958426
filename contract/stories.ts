import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { Peer } from './chat.ts';
import { confirmation, FileUrl, HttpsUrl, optional, unused, variantTitle, visibleText } from './fields.ts';
import { id, UserId } from './ids.ts';
import { LIMITS } from './limits.ts';

/** An element of a story (contract §4, Stories). */
const STORY_TYPES = ['text', 'image', 'video'] as const;

export type StoryType = (typeof STORY_TYPES)[number];

function fieldsOf(url: typeof HttpsUrl): Record<StoryType, TProperties> {
  return {
    text: { text: visibleText(LIMITS.storyTextLength) },
    image: { imageUrl: url },
    video: { videoUrl: url, thumbnailUrl: optional(url) },
  };
}

const REFUSED_UNLESS_USED = { text: unused, imageUrl: unused, videoUrl: unused, thumbnailUrl: unused };

/** An element as received, after validation: its fields match its type. */
export interface AddToStory {
  type: StoryType;
  text?: string | null;
  imageUrl?: string | null;
  videoUrl?: string | null;
  thumbnailUrl?: string | null;
}

function elementWith(url: typeof HttpsUrl, named?: { title: string; description: string }) {
  const fields = fieldsOf(url);
  const variants: TSchema[] = STORY_TYPES.map((type) =>
    Type.Object(
      { type: Type.Literal(type), ...REFUSED_UNLESS_USED, ...fields[type] },
      named && { title: variantTitle(named.title, type) },
    ),
  );
  return Type.Unsafe<AddToStory>({
    type: 'object',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: variants,
    ...named,
  });
}

/** Body of `POST /v1/stories` (contract §4): adds an element. A field that the type does not use is refused. */
export const AddToStory = elementWith(HttpsUrl, {
  title: 'StoryElement',
  description: 'An element to publish, one variant for each `type`.',
});

/** Body of `POST /api/chat/stories`: files may be uploads. */
export const AddToStoryInChat = elementWith(FileUrl);

/** The opaque id of a story. */
const StoryId = id({ examples: ['sty_06f2c8k4x1m9q7t3w5z8b2n4'] });

/** `data` of `POST /v1/stories`: the story that the element was added to, or started. */
export const AddedToStory = Type.Object(
  { storyId: StoryId },
  { title: 'AddedToStory', description: 'The story that the element joined or began.' },
);

export const DeleteStory = Type.Object(
  { storyId: StoryId },
  { title: 'DeleteStory', description: 'The story to delete.' },
);

export const DeletedStory = confirmation('deleted', 'DeletedStory', 'The story was deleted.');

const elementFields = { id: Type.String(), createdAt: Type.Integer({ description: 'Epoch milliseconds.' }) };

/** A story with its elements in order of creation (contract §2, decisions: Stories). */
export const Story = Type.Object(
  {
    storyId: StoryId,
    texts: Type.Array(Type.Object({ ...elementFields, text: Type.String() }, { title: 'StoryText' })),
    images: Type.Array(Type.Object({ ...elementFields, imageUrl: Type.String() }, { title: 'StoryImage' })),
    videos: Type.Array(
      Type.Object(
        { ...elementFields, videoUrl: Type.String(), thumbnailUrl: Type.Optional(Type.String()) },
        { title: 'StoryVideo' },
      ),
    ),
  },
  { title: 'Story', description: 'A story with its elements, the oldest first.' },
);

export const Stories = Type.Array(Story, { title: 'Stories', description: 'The user’s stories.' });

export type Story = Static<typeof Story>;

/** A story as people's clients show it. */
export const ChatStory = Type.Object({
  ...Story.properties,
  unreadable: Type.Optional(
    Type.Array(Type.Object(elementFields), {
      description:
        'Elements whose content cannot be read: the stored row is damaged, or its encryption key is missing.',
    }),
  ),
});

export type ChatStory = Static<typeof ChatStory>;

/** The current story of an account that wrote to the reader, or what it published since it shares a group with the reader. */
export const SharedStory = Type.Object({
  person: Peer,
  story: ChatStory,
  seenElementId: Type.Optional(
    Type.String({ description: 'The last element that the reader has seen; ids are ordered by time.' }),
  ),
  hasUnseen: Type.Boolean(),
});

/** Somebody who has seen the reader's story. */
export const StoryView = Type.Object({
  person: Peer,
  elementId: Type.String({ description: 'The last element that they have seen; ids are ordered by time.' }),
});

export type StoryView = Static<typeof StoryView>;

/** Body of `POST /api/chat/stories/seen`: the marker never moves back. */
export const MarkStorySeen = Type.Object({
  userId: UserId,
  elementId: id(),
});

export type MarkStorySeen = Static<typeof MarkStorySeen>;

export type SharedStory = Static<typeof SharedStory>;
