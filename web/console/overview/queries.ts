import { queryOptions } from '@tanstack/react-query';
import { callConsole } from '../../ui/api.ts';

const REFRESH_MS = 15_000;

export const overviewQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'overview'],
    queryFn: ({ signal }) => callConsole('GET /applications/:appId/overview', { params: { appId }, signal }),
    refetchInterval: REFRESH_MS,
  });
