import { queryOptions } from '@tanstack/react-query';
import { callChat } from '../../ui/api.ts';
import { chatQuery } from '../../ui/parts/query.ts';
import { chatKey, live } from '../live/feed.ts';

/** No event says that a story has ended. */
const ENDING = { staleTime: 60_000, refetchInterval: 5 * 60_000 };

/** The stories of others; frame/follow.ts reloads both of these. */
export const storiesQuery = {
  ...live(chatQuery([...chatKey, 'stories', 'shared'], 'GET /stories')),
  ...ENDING,
};

export const ownStoryQuery = live(
  queryOptions({
    queryKey: [...chatKey, 'stories', 'mine'],
    queryFn: async ({ signal }) => (await callChat('GET /stories/mine', { signal }))[0] ?? null,
    ...ENDING,
  }),
);

export const storyViewsQuery = chatQuery([...chatKey, 'stories', 'views'], 'GET /stories/views');
