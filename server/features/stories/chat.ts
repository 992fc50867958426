import { Type } from 'typebox';
import { UserId } from '#contract/ids.ts';
import {
  AddedToStory,
  AddToStoryInChat,
  ChatStory,
  DeletedStory,
  DeleteStory,
  MarkStorySeen,
  SharedStory,
} from '#contract/stories.ts';
import type { ChatRoutes } from '#features/accounts/index.ts';
import type { Media } from '#features/media/index.ts';
import type { Stories } from './index.ts';

const Seen = Type.Object({ userId: UserId, seenElementId: Type.String() });

/** Stories as a person's client shows, publishes and deletes them. */
export function storyChatRoutes(chat: ChatRoutes, stories: Stories, media: Media): void {
  chat.get(
    '/stories',
    { reply: Type.Array(SharedStory), message: 'stories of people you know' },
    ({ person }) => stories.listShared(person.accountId),
  );

  chat.post(
    '/stories/seen',
    { body: MarkStorySeen, reply: Seen, message: 'marked as seen' },
    ({ person, body }) => stories.markSeen(person.accountId, body),
  );

  chat.get('/stories/mine', { reply: Type.Array(ChatStory), message: 'your stories' }, ({ person }) =>
    stories.findCurrent(person.accountId),
  );

  chat.post(
    '/stories',
    { body: AddToStoryInChat, reply: AddedToStory, message: 'story published', creates: 'elm' },
    async ({ person, body, reserved }) => {
      await media.claim(body, reserved.id);
      return stories.add(person.accountId, body, reserved);
    },
  );

  chat.delete(
    '/stories',
    { body: DeleteStory, reply: DeletedStory, message: 'story deleted' },
    async ({ person, body }) => {
      await stories.delete(person.accountId, body.storyId);
      return { deleted: true as const };
    },
  );
}
