import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { ChatMessage, RemoteMedia } from '#contract/chat.ts';
import { api } from '../../ui/api.ts';
import { useAccount } from '../../ui/session/session.ts';
import { chatKey } from '../live/feed.ts';
import { isRemote, mayLoad } from './remote-rule.ts';

/** Asked for once something remote is to be shown; frame/follow.ts has it read again. */
export const remoteMediaQuery = queryOptions({
  queryKey: [...chatKey, 'remote-media'],
  queryFn: ({ signal }) => api.get<RemoteMedia>('/api/chat/remote-media', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** Media that the person asked for stay loaded until the page is left. */
const askedFor = new Set<string>();
const watchers = new Set<() => void>();

export function askFor(url: string): void {
  askedFor.add(url);
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/**
 * Whether media load now, or when somebody clicks; `unsure` until the rule is known.
 *
 * @param from who sent them, or set them
 */
export function useLoading(url: string | undefined, from: string | undefined): 'now' | 'on-click' | 'unsure' {
  const { accountId } = useAccount();
  const isAskedFor = useSyncExternalStore(watch, () => url !== undefined && askedFor.has(url));
  const isFree = url === undefined || isAskedFor || !isRemote(url, location.origin);
  const { data: rule, isError } = useQuery({ ...remoteMediaQuery, enabled: !isFree });
  if (isFree) return 'now';
  if (!rule) return isError ? 'on-click' : 'unsure';
  return mayLoad(rule, { from, ownId: accountId }) ? 'now' : 'on-click';
}

/** Whether an own message goes to somebody whose media did not load so far. */
export function makesContact(
  client: QueryClient,
  { conversationId }: ChatMessage,
  peerId: string | undefined,
): boolean {
  const rule = client.getQueryData(remoteMediaQuery.queryKey);
  if (rule?.load !== 'contacts' || !conversationId.startsWith('prv_')) return false;
  return peerId === undefined || !rule.contactIds.includes(peerId);
}
