import { queryOptions } from '@tanstack/react-query';
import type { MediaLimits } from '#contract/media.ts';
import { api } from '../../ui/api.ts';

export const mediaLimitsQuery = queryOptions({
  queryKey: ['media-limits'],
  queryFn: ({ signal }) => api.get<MediaLimits>('/api/chat/media/limits', { signal }),
  staleTime: 60_000,
});
