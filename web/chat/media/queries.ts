import { queryOptions } from '@tanstack/react-query';
import { callChat } from '../../ui/api.ts';

export const mediaLimitsQuery = queryOptions({
  queryKey: ['media-limits'],
  queryFn: ({ signal }) => callChat('GET /media/limits', { signal }),
  staleTime: 60_000,
});
