import { queryOptions } from '@tanstack/react-query';
import type { AddToStory } from '#contract/stories.ts';
import { callChat } from '../../ui/api.ts';
import { chatQuery } from '../../ui/parts/query.ts';
import { chatKey } from '../live/feed.ts';

/** No event says that a story has ended. */
const ENDING = { staleTime: 60_000, refetchInterval: 5 * 60_000 };

/** The stories of others; frame/follow.ts reloads both of these. */
export const storiesQuery = {
  ...chatQuery([...chatKey, 'stories', 'shared'], 'GET /stories'),
  ...ENDING,
};

export const ownStoryQuery = queryOptions({
  queryKey: [...chatKey, 'stories', 'mine'],
  queryFn: async ({ signal }) => (await callChat('GET /stories/mine', { signal }))[0] ?? null,
  ...ENDING,
});

export const storyViewsQuery = chatQuery([...chatKey, 'stories', 'views'], 'GET /stories/views');

/** A private message to the owner of a story; it says which element it is about. */
export const replyToStory = (userId: string, content: string, idempotencyKey: string) =>
  callChat('POST /messages', { body: { to: userId, type: 'text', content }, idempotencyKey });

export const markSeen = (userId: string, elementId: string) =>
  callChat('POST /stories/seen', { body: { userId, elementId } });

export const publish = (element: AddToStory, idempotencyKey: string) =>
  callChat('POST /stories', { body: element, idempotencyKey });

export const deleteStory = (storyId: string) => callChat('DELETE /stories', { body: { storyId } });
