import { Type } from 'typebox';
import { KeepDraft, KeptDraft } from '#contract/chat/drafts.ts';
import { id } from '#contract/ids.ts';
import type { ChatRoutes } from '#features/accounts/index.ts';
import type { Messages } from '../index.ts';

/** A person's drafts are on all of their devices; nobody else sees them. */
export function draftChatRoutes(chat: ChatRoutes, messages: Messages): void {
  chat.get('/drafts', { reply: Type.Array(KeptDraft), message: 'drafts' }, ({ person }) =>
    messages.listDrafts(person.accountId),
  );

  chat.put(
    '/conversations/:conversationId/draft',
    {
      params: Type.Object({ conversationId: id() }),
      body: KeepDraft,
      reply: KeptDraft,
      message: 'draft kept',
    },
    ({ person: { accountId }, params, body }) => messages.keepDraft({ accountId, ...params }, body),
  );
}
