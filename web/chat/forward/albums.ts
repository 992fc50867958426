import type { ChatMessage } from '#contract/chat.ts';
import { uniqueId } from '../../ui/secure-context.ts';

/** Forwarded album parts form a new album: with the same id, two albums would be shown as one. */
export function newAlbums(messages: readonly ChatMessage[]): (message: ChatMessage) => string | undefined {
  const idOf = ({ from, fileDetails }: ChatMessage) =>
    fileDetails?.albumId && `${from} ${fileDetails.albumId}`;
  const albums = Map.groupBy(messages, idOf);
  const ids = new Map(
    [...albums].filter(([id, { length }]) => id !== undefined && length > 1).map(([id]) => [id, uniqueId()]),
  );
  return (message) => ids.get(idOf(message));
}
