import { queryOptions } from '@tanstack/react-query';
import { callConsole } from '../../ui/api.ts';
import { orNone } from '../application/queries.ts';

/** The bot of an application; `null` before it has one. */
export const botQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'bot'],
    queryFn: ({ signal }) =>
      orNone(callConsole('GET /applications/:appId/bot', { params: { appId }, signal })),
  });
