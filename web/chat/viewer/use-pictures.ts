import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import { readNewer, readOlder, threadQuery } from '../history/queries.ts';

/** More of the conversation is loaded when this close to the first or last picture. */
const AHEAD = 2;
/** At most this many pages are loaded for one picture: a long conversation may have no other. */
const MOST_PAGES = 6;

/** The pictures of a conversation around a message, oldest first; more are loaded as the person goes on. */
export function usePictures(client: QueryClient, conversationId: string, msgId: string): ChatMessage[] {
  const thread = useQuery(threadQuery(conversationId)).data;
  const pictures = useMemo(() => thread?.messages.filter(isPicture) ?? [], [thread]);
  const index = pictures.findIndex((one) => one.msgId === msgId);
  const wantsOlder = thread?.hasOlder && index < AHEAD;
  const wantsNewer = thread?.hasNewer && index >= pictures.length - AHEAD;
  const [oldest, newest] = [thread?.messages[0]?.msgId, thread?.messages.at(-1)?.msgId];
  const read = useRef({ msgId, pages: 0 });
  if (read.current.msgId !== msgId) read.current = { msgId, pages: 0 };
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page without pictures requires the next one.
  useEffect(() => {
    if (!(wantsOlder || wantsNewer) || read.current.pages++ >= MOST_PAGES) return;
    const readOn = wantsOlder ? readOlder : readNewer;
    // A failed request is repeated with the next picture.
    readOn(client, conversationId).catch(() => undefined);
  }, [client, conversationId, wantsOlder, wantsNewer, oldest, newest, msgId]);
  return pictures;
}

function isPicture({ type, fileUrl, isUnreadable }: ChatMessage): boolean {
  return (type === 'image' || type === 'gif') && fileUrl !== undefined && !isUnreadable;
}
