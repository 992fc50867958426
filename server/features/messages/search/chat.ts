import { CHAT } from '#contract/api/chat.ts';
import { say } from '#contract/reasons.ts';
import { serve } from '#platform/http/serve.ts';
import { RateLimit } from '#platform/rate-limits.ts';
import type { MessageDeps } from '../deps.ts';
import { searchMessages } from './search.ts';

/** A search of a long conversation is several requests, one after another. */
const SEARCHES_PER_MINUTE = 240;

/** People search what was written in their conversations. */
export function searchChatRoutes(deps: MessageDeps) {
  const searches = new RateLimit(deps, {
    name: 'search',
    limit: SEARCHES_PER_MINUTE,
    windowMs: 60_000,
    refusal: say('person.searching-fast'),
  });
  return [
    serve(CHAT, {
      'GET /search': ({ person, query }) => searchMessages({ ...deps, searches }, person.accountId, query),
    }),
  ];
}
