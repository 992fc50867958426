import { queryOptions } from '@tanstack/react-query';
import type { Bot } from '#contract/bots.ts';
import { api } from '../../ui/api.ts';
import { orNone } from '../application/queries.ts';

/** The bot of an application; `null` before it has one. */
export const botQuery = (appId: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'bot'],
    queryFn: ({ signal }) => orNone(api.get<Bot>(`/api/console/applications/${appId}/bot`, { signal })),
  });
