import type { ChatMessage } from '#contract/chat.ts';
import { type BotDraft, keyOfDraft } from '../live/drafts-of-bots.ts';
import type { Unsent } from '../outbox/store.ts';

/** The rows of a thread. An album is one row, that of its first message. */
export type Row =
  | { kind: 'day'; key: string; at: number }
  | { kind: 'unread'; key: string }
  | { kind: 'notice'; key: string; message: ChatMessage }
  | ({ kind: 'message'; key: string; message: ChatMessage } & Grouped)
  | ({ kind: 'unsent'; key: string; unsent: Unsent } & Grouped)
  | { kind: 'draft'; key: string; draft: BotDraft };

/** The sent messages of a row. */
export function messagesOf(row: Row | undefined): ChatMessage[] {
  if (row?.kind !== 'message') return [];
  return row.album ? row.album.flatMap((one) => ('msgId' in one ? one : [])) : [row.message];
}

/** The position in a series of messages from the same sender, and the messages displayed as one album, if any. */
interface Grouped {
  isFirst: boolean;
  isLast: boolean;
  album?: (ChatMessage | Unsent)[];
}

/** A pause after which the same sender starts a new series. */
const PAUSE_MS = 5 * 60_000;

interface Written {
  from: string;
  at: number;
  albumId?: string | undefined;
}

/** The rows of a thread, with a divider between days and one above the unread messages. */
export function toRows(
  messages: readonly ChatMessage[],
  unsent: readonly Unsent[],
  {
    accountId,
    unreadAfter,
    drafts = [],
    keyOf = (msgId) => msgId,
  }: {
    accountId: string;
    /** Messages of others after this one were unread when the thread was opened. */
    unreadAfter?: string | undefined;
    /** Messages that bots are writing. */
    drafts?: readonly BotDraft[];
    /** The key of a message before it had its id. */
    keyOf?: (msgId: string) => string;
  },
): Row[] {
  const rows: Row[] = [];
  const dayOf = createCalendar();
  let before: Written | undefined;
  /** The last row, or the one above the deleted messages of its album. */
  let open: { row: WrittenRow; written: Written } | undefined;
  let hasDivider = unreadAfter === undefined;

  const add = (row: Row & Partial<Grouped>, written: Written) => {
    const isDivided =
      !hasDivider &&
      row.kind === 'message' &&
      row.message.msgId > (unreadAfter ?? '') &&
      row.message.from !== accountId;
    if (open && !isDivided && isWritten(row) && isSameAlbum(open.written, written)) {
      open.row.album = [...(open.row.album ?? [writtenIn(open.row)]), writtenIn(row)];
      return;
    }
    const isNewDay = before === undefined || dayOf(before.at) !== dayOf(written.at);
    if (isNewDay) rows.push({ kind: 'day', key: `day ${dayOf(written.at)}`, at: written.at });
    if (isDivided) {
      rows.push({ kind: 'unread', key: 'unread' });
      hasDivider = true;
    }
    const last = rows.at(-1);
    if (before && last && isWritten(last) && isRun(before, written)) {
      last.isLast = false;
      row.isFirst = false;
    }
    rows.push(row);
    before = written;
    if (isWritten(row) && !(open && isDeleted(row) && open.written.from === written.from))
      open = { row, written };
    else if (!isWritten(row)) open = undefined;
  };

  for (const message of messages) {
    const key = keyOf(message.msgId);
    if (message.type === 'notice') {
      add({ kind: 'notice', key, message }, { from: '', at: message.sentAt });
      continue;
    }
    add(
      { kind: 'message', key, message, isFirst: true, isLast: true },
      { from: message.from, at: message.sentAt, albumId: message.fileDetails?.albumId },
    );
  }
  for (const one of unsent) {
    // It is below the existing messages, whatever the two clocks say.
    const at = Math.max(one.createdAt, before?.at ?? 0);
    add(
      { kind: 'unsent', key: one.key, unsent: one, isFirst: true, isLast: true },
      { from: accountId, at, albumId: one.content.fileDetails?.albumId },
    );
  }
  for (const draft of drafts) rows.push({ kind: 'draft', key: `draft ${keyOfDraft(draft)}`, draft });
  return rows;
}

type WrittenRow = Extract<Row, Grouped>;

function isWritten(row: Row): row is WrittenRow {
  return row.kind === 'message' || row.kind === 'unsent';
}

function writtenIn(row: WrittenRow): ChatMessage | Unsent {
  return row.kind === 'message' ? row.message : row.unsent;
}

/** Anybody can send any id: an album has one sender. */
function isSameAlbum(one: Written, next: Written): boolean {
  return one.albumId !== undefined && one.albumId === next.albumId && one.from === next.from;
}

function isDeleted(row: WrittenRow): boolean {
  return row.kind === 'message' && row.message.type === 'deleted';
}

function isRun(one: Written, next: Written): boolean {
  return one.from === next.from && next.at - one.at < PAUSE_MS;
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
