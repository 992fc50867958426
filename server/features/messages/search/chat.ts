import { FoundMessages, SearchMessages } from '#contract/chat/search.ts';
import type { ChatRoutes } from '#features/accounts/index.ts';
import type { Messages } from '../index.ts';

/** People search what was written in their conversations. */
export function searchChatRoutes(chat: ChatRoutes, messages: Messages): void {
  chat.get(
    '/search',
    { query: SearchMessages, reply: FoundMessages, message: 'messages found' },
    ({ person, query }) => messages.searchMessages(person.accountId, query),
  );
}
