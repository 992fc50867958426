import type { ChatMessage } from '#contract/chat.ts';
import type { Unsent } from '../outbox/store.ts';

/** The rows of a thread. */
export type Row =
  | { kind: 'day'; key: string; at: number }
  | { kind: 'unread'; key: string }
  | { kind: 'notice'; key: string; message: ChatMessage }
  | ({ kind: 'message'; key: string; message: ChatMessage } & Grouped)
  | ({ kind: 'unsent'; key: string; unsent: Unsent } & Grouped);

/** Where in a run of messages of the same sender. */
interface Grouped {
  isFirst: boolean;
  isLast: boolean;
}

/** A pause after which the same sender begins anew. */
const PAUSE_MS = 5 * 60_000;

interface Written {
  from: string;
  at: number;
}

/** The rows of a thread, with a line between days and one above what is unread. */
export function toRows(
  messages: readonly ChatMessage[],
  unsent: readonly Unsent[],
  {
    accountId,
    unreadAfter,
    keyOf = (msgId) => msgId,
  }: {
    accountId: string;
    /** Messages of others after this one were unread when the thread was opened. */
    unreadAfter?: string | undefined;
    /** The key under which a message was shown before it had its id. */
    keyOf?: (msgId: string) => string;
  },
): Row[] {
  const rows: Row[] = [];
  let before: Written | undefined;
  let hasDivider = unreadAfter === undefined;

  const add = (row: Row & Partial<Grouped>, written: Written) => {
    const isNewDay = before === undefined || dayOf(before.at) !== dayOf(written.at);
    if (isNewDay) rows.push({ kind: 'day', key: `day ${dayOf(written.at)}`, at: written.at });
    const isDivided =
      !hasDivider &&
      row.kind === 'message' &&
      row.message.msgId > (unreadAfter ?? '') &&
      row.message.from !== accountId;
    if (isDivided) {
      rows.push({ kind: 'unread', key: 'unread' });
      hasDivider = true;
    }
    const last = rows.at(-1);
    if (before && last && 'isLast' in last && isRun(before, written)) {
      last.isLast = false;
      row.isFirst = false;
    }
    rows.push(row);
    before = written;
  };

  for (const message of messages) {
    const key = keyOf(message.msgId);
    if (message.type === 'notice') {
      add({ kind: 'notice', key, message }, { from: '', at: message.sentAt });
      continue;
    }
    add(
      { kind: 'message', key, message, isFirst: true, isLast: true },
      { from: message.from, at: message.sentAt },
    );
  }
  for (const one of unsent) {
    // It stands below what is there, whatever the two clocks say.
    const at = Math.max(one.createdAt, before?.at ?? 0);
    add({ kind: 'unsent', key: one.key, unsent: one, isFirst: true, isLast: true }, { from: accountId, at });
  }
  return rows;
}

function isRun(one: Written, next: Written): boolean {
  return one.from === next.from && next.at - one.at < PAUSE_MS;
}

function dayOf(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}
