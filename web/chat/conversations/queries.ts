import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Finding } from '#contract/chat/drafts.ts';
import type { Conversation, ConversationPage, Profile } from '#contract/chat.ts';
import { mayWriteTo } from '#contract/rights.ts';
import { profileQuery as accountProfileQuery } from '../../ui/account/queries.ts';
import { ApiError, callChat } from '../../ui/api.ts';
import { chatQuery } from '../../ui/parts/query.ts';
import { sessionQuery } from '../../ui/session/session.ts';
import { chatKey, feed, live } from '../live/feed.ts';
import { inOrder } from './filter.ts';
import { lacks, mayKnow, reduceConversation, reduceList } from './reduce.ts';

/** The list as far as it is loaded. */
export interface ConversationList {
  conversations: Conversation[];
  nextCursor?: string | undefined;
}

export const conversationsQuery = queryOptions({
  queryKey: [...chatKey, 'conversations'],
  queryFn: ({ client, signal }): Promise<ConversationList> => {
    const shown = client.getQueryData<ConversationList>([...chatKey, 'conversations']);
    return feed.read(
      async () => {
        let list: ConversationList = await callChat('GET /conversations', { signal });
        while (list.nextCursor && list.conversations.length < (shown?.conversations.length ?? 0)) {
          const page = await readPage(list.nextCursor, signal);
          list = { ...page, conversations: inOrder([...list.conversations, ...page.conversations]) };
        }
        return list;
      },
      (list, event) => {
        const accountId = ownId(client);
        const { conversations } = list;
        const isUnclear =
          lacks(conversations, event) || conversations.some((one) => mayKnow(one, event, accountId));
        return isUnclear ? undefined : reduceList(list, event, accountId);
      },
    );
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** Appends the next page to the list. */
export async function readMoreConversations(client: QueryClient): Promise<void> {
  const list = client.getQueryData(conversationsQuery.queryKey);
  if (!list?.nextCursor) return;
  const { nextCursor } = list;
  const page = await feed.read(
    () => readPage(nextCursor),
    (page, event) => reduceList(page, event, ownId(client)),
  );
  client.setQueryData(
    conversationsQuery.queryKey,
    (now) => now && { ...page, conversations: inOrder([...page.conversations, ...now.conversations]) },
  );
}

/** A conversation, or one that has not begun. */
export interface OpenConversation extends Conversation {
  /** It has not begun: only this page knows it. */
  isNew?: boolean;
  finding?: Finding;
}

/** One conversation; if there is none yet, the one that would begin with the given person. */
export function conversationQuery(conversationId: string, finding: Finding = {}) {
  return queryOptions({
    queryKey: [...chatKey, 'conversation', conversationId],
    queryFn: ({ client, signal }): Promise<OpenConversation> =>
      feed.read(
        async () => {
          try {
            return await callChat('GET /conversations/:conversationId', {
              params: { conversationId },
              signal,
            });
          } catch (error) {
            const profile = isMissing(error) && (await findSomebody(finding, signal));
            if (!profile || profile.conversationId !== conversationId) throw error;
            return notYetBegun(profile, finding);
          }
        },
        (conversation, event) =>
          mayKnow(conversation, event, ownId(client))
            ? undefined
            : reduceConversation(conversation, event, ownId(client)),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const botQuery = (username: string) =>
  chatQuery([...chatKey, 'profile', `@${username}`], 'GET /profiles', { query: { username } });

export const managementBotQuery = {
  ...chatQuery(['management-bot'], 'GET /management-bot'),
  staleTime: Number.POSITIVE_INFINITY,
};

export const ownProfileQuery = live(accountProfileQuery);

export const profileQuery = (userId: string) =>
  chatQuery([...chatKey, 'profile', userId], 'GET /profiles/:userId', { params: { userId } });

/** When the other side of a private conversation was last seen, which no event says. */
export const lastSeenQuery = (conversationId: string) => ({
  ...chatQuery([...chatKey, 'last-seen', conversationId], 'GET /conversations/:conversationId/last-seen', {
    params: { conversationId },
  }),
  refetchInterval: 60_000,
});

export const commandsQuery = (conversationId: string) => ({
  ...chatQuery([...chatKey, 'commands', conversationId], 'GET /conversations/:conversationId/commands', {
    params: { conversationId },
  }),
  staleTime: 60_000,
});

export const markRead = (conversationId: string, msgId: string) =>
  callChat('POST /conversations/:conversationId/read', { params: { conversationId }, body: { msgId } });

export const setBlocked = (userId: string, isBlocked: boolean) =>
  callChat(`${isBlocked ? 'POST' : 'DELETE'} /blocks`, { body: { userId } });

/** The signed-in account, for code outside components. */
export function ownId(client: QueryClient): string {
  return client.getQueryData(sessionQuery.queryKey)?.accountId ?? '';
}

function readPage(cursor: string, signal?: AbortSignal): Promise<ConversationPage> {
  return callChat('GET /conversations', { query: { cursor }, ...(signal && { signal }) });
}

async function findSomebody(
  { username, inviteToken }: Finding,
  signal: AbortSignal,
): Promise<Profile | undefined> {
  if (username !== undefined) return callChat('GET /profiles', { query: { username }, signal });
  return inviteToken === undefined
    ? undefined
    : callChat('GET /invites/:token', { params: { token: inviteToken }, signal });
}

function notYetBegun({ conversationId, isBlocked, ...peer }: Profile, finding: Finding): OpenConversation {
  return {
    conversationId,
    kind: 'private',
    peer,
    isBlocked,
    isMuted: false,
    notifyOf: 'all',
    hasSound: true,
    settingsVersion: 0,
    isHidden: false,
    isAdmin: false,
    mayWrite: mayWriteTo(peer, isBlocked),
    unreadCount: 0,
    isNew: true,
    finding,
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
