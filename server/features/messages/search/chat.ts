import { CHAT } from '#contract/api/chat.ts';
import { serve } from '#platform/http/serve.ts';
import type { Messages } from '../index.ts';

/** People search what was written in their conversations. */
export function searchChatRoutes(messages: Messages) {
  return [
    serve(CHAT, {
      'GET /search': ({ person, query }) => messages.searchMessages(person.accountId, query),
    }),
  ];
}
