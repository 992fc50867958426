import type { ChatMessage } from '#contract/chat.ts';
import { type BotDraft, keyOfDraft } from '../live/drafts-of-bots.ts';
import { type ShownMessage, toMessage } from '../message/shown-message.ts';
import type { Unsent } from '../outbox/store.ts';

/** The rows of a thread. An album is one row, that of its first message. */
export type Row =
  | { kind: 'day'; key: string; at: number }
  | { kind: 'unread'; key: string }
  | { kind: 'notice'; key: string; message: ChatMessage }
  | MessageRow
  | { kind: 'draft'; key: string; draft: BotDraft };

interface MessageRow {
  kind: 'message';
  key: string;
  message: ShownMessage;
  /** The position in a series of messages from the same sender. */
  isFirst: boolean;
  isLast: boolean;
  /** The messages displayed as one album, if any. */
  album?: ShownMessage[];
}

/** The sent messages of a row. */
export function messagesOf(row: Row | undefined): ChatMessage[] {
  if (row?.kind !== 'message') return [];
  return (row.album ?? [row.message]).filter(({ unsent }) => !unsent);
}

/** A pause after which the same sender starts a new series. */
const PAUSE_MS = 5 * 60_000;

/** The rows of a thread, with a divider between days and one above the unread messages. */
export function toRows(
  messages: readonly ChatMessage[],
  unsent: readonly Unsent[],
  {
    accountId,
    unreadAfter,
    hasOlder = false,
    drafts = [],
    keyOf = (msgId) => msgId,
  }: {
    accountId: string;
    /** Messages of others after this one were unread when the thread was opened. */
    unreadAfter?: string | undefined;
    /** Whether the day of the first message may begin with others, which are not loaded. */
    hasOlder?: boolean;
    /** Messages that bots are writing. */
    drafts?: readonly BotDraft[];
    /** The key of a message before it had its id. */
    keyOf?: (msgId: string) => string;
  },
): Row[] {
  const rows: Row[] = [];
  const dayOf = createCalendar();
  let before: { from: string; at: number } | undefined;
  /** The last row, or the one above the deleted messages of its album. */
  let open: MessageRow | undefined;
  let hasDivider = unreadAfter === undefined;

  const add = (message: ShownMessage) => {
    const { msgId, from, type } = message;
    const key = keyOf(msgId);
    const isNotice = type === 'notice';
    // An unsent one is below the existing messages, whatever the two clocks say.
    const at = message.unsent ? Math.max(message.sentAt, before?.at ?? 0) : message.sentAt;
    const isDivided = !hasDivider && !isNotice && msgId > (unreadAfter ?? '') && from !== accountId;
    if (open && !isDivided && isSameAlbum(open.message, message)) {
      open.album = [...(open.album ?? [open.message]), message];
      return;
    }
    if (before ? dayOf(before.at) !== dayOf(at) : !hasOlder)
      rows.push({ kind: 'day', key: `day ${dayOf(at)}`, at });
    if (isDivided) {
      rows.push({ kind: 'unread', key: 'unread' });
      hasDivider = true;
    }
    const last = rows.at(-1);
    const isRun = last?.kind === 'message' && before?.from === from && at - before.at < PAUSE_MS;
    before = { from, at };
    if (isNotice) {
      rows.push({ kind: 'notice', key, message });
      open = undefined;
      return;
    }
    if (isRun) last.isLast = false;
    const row: MessageRow = { kind: 'message', key, message, isFirst: !isRun, isLast: true };
    rows.push(row);
    if (!(type === 'deleted' && open?.message.from === from)) open = row;
  };

  messages.forEach(add);
  for (const one of unsent) add(toMessage(one, accountId));
  for (const draft of drafts) rows.push({ kind: 'draft', key: `draft ${keyOfDraft(draft)}`, draft });
  return rows;
}

/** Anybody can send any id: an album has one sender. */
function isSameAlbum(one: ChatMessage, next: ChatMessage): boolean {
  const albumId = one.fileDetails?.albumId;
  return albumId !== undefined && albumId === next.fileDetails?.albumId && one.from === next.from;
}

/** Maps times to the beginning of their day; fast while the day does not change. */
function createCalendar(): (at: number) => number {
  let [from, to] = [0, 0];
  return (at) => {
    if (at < from || at >= to) {
      const day = new Date(at);
      from = day.setHours(0, 0, 0, 0);
      to = day.setHours(24, 0, 0, 0);
    }
    return from;
  };
}
