import { CHAT } from '#contract/api/chat.ts';
import { serve } from '#platform/http/serve.ts';
import type { Messages } from '../index.ts';

/** A person's drafts are on all of their devices; nobody else sees them. */
export function draftChatRoutes(messages: Messages) {
  return [
    serve(CHAT, {
      'GET /drafts': ({ person }) => messages.listDrafts(person.accountId),
      'PUT /conversations/:conversationId/draft': ({ person: { accountId }, params, body }) =>
        messages.keepDraft({ accountId, ...params }, body),
    }),
  ];
}
