import { queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type { ChatStory, SharedStory as SharedStorySchema } from '#contract/stories.ts';
import { api } from '../../ui/api.ts';
import { chatKey } from '../live/feed.ts';

export type SharedStory = Static<typeof SharedStorySchema>;

const BASE = '/api/chat/stories';

/** The stories of others; frame/follow.ts reloads both of these. */
export const storiesQuery = queryOptions({
  queryKey: [...chatKey, 'stories', 'shared'],
  queryFn: ({ signal }) => api.get<SharedStory[]>(BASE, { signal }),
  staleTime: 60_000,
});

export const ownStoryQuery = queryOptions({
  queryKey: [...chatKey, 'stories', 'mine'],
  queryFn: async ({ signal }) => (await api.get<ChatStory[]>(`${BASE}/mine`, { signal }))[0] ?? null,
  staleTime: 60_000,
});

export const markSeen = (userId: string, elementId: string) =>
  api.post(`${BASE}/seen`, { userId, elementId });

export const publish = (element: object, idempotencyKey: string) =>
  api.post<{ storyId: string }>(BASE, element, { idempotencyKey });

export const deleteStory = (storyId: string) => api.delete(BASE, { storyId });
