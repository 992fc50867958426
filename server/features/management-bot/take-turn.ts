import { isRecent } from '#features/accounts/index.ts';
import { findAccount } from '#features/accounts/service.ts';
import { contactKey, findContacts } from '#features/contacts/service.ts';
import { deleteWaiting, lockWaiting, type WaitingMessage } from '#features/messages/bot-inbox.ts';
import { openBodyIfReadable, toMessageRow } from '#features/messages/content.ts';
import { showReplaced } from '#features/messages/replace-text.ts';
import { findMessage, insertMessages, type MessageRow } from '#features/messages/service.ts';
import { showMessage } from '#features/messages/view.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import type { Judgement } from '#platform/safe-fetch/url.ts';
import { type Dialogue, readDialogue, saveDialogue } from './dialogue.ts';
import { MANAGEMENT_BOT_ID } from './identity.ts';
import { joined } from './joined.ts';
import { insertShownSecret } from './queries.ts';
import { removeSecrets, SHOWN_MS } from './shown-secrets.ts';
import { TEXTS } from './texts.ts';
import type { Reply, Turn, TurnDeps } from './turn.ts';

const MINUTE_MS = 60_000;
const ANSWERED_PER_MINUTE = 30;

/** Finds the answer. What it changes in `turn.dialogue` is kept with it. */
export type Talk = (turn: Turn, written: string | undefined) => Promise<Reply> | Reply;

/**
 * One message and its answer, in one transaction: what the person wanted done, the answer, and the end of the waiting
 * commit together. A message that somebody else is answering, or has answered, is left alone.
 */
export async function takeTurn(
  deps: TurnDeps,
  waiting: WaitingMessage,
  { talk, judged }: { talk: Talk; judged: ReadonlyMap<string, Judgement> },
): Promise<void> {
  const answered = await deps.db.begin(async (tx) => {
    if (!(await lockWaiting(tx, waiting))) return undefined;
    await deleteWaiting(tx, waiting);
    const message = await findHeard(tx, waiting);
    if (!message) return undefined;
    const turn = await beginTurn(tx, deps, { waiting, message, judged });
    const reply = await replyTo(turn, () => talk(turn, readText(deps.keyring, message)));
    if (reply) turn.dialogue.step = reply.next;
    await saveDialogue(tx, deps, waiting, { dialogue: turn.dialogue, at: message.sentAt });
    return reply && { reply, row: await storeReply(tx, deps, waiting, reply) };
  });
  if (!answered) return;
  const { reply, row } = answered;
  await reply.afterCommit?.(deps);
  for (const replaced of reply.replaced ?? []) showReplaced(deps, waiting.personId, replaced);
  showMessage(deps, waiting.personId, row);
}

/** Nothing when nobody would read the answer: the person is gone, or has blocked the bot since. */
async function findHeard(tx: Tx, waiting: WaitingMessage): Promise<MessageRow | undefined> {
  const [contact] = await findContacts(tx, [contactKey(waiting.personId, MANAGEMENT_BOT_ID)]);
  if (contact?.blockedAt != null) return undefined;
  const person = await findAccount(tx, waiting.personId);
  return person?.deletedAt === null ? findMessage(tx, waiting) : undefined;
}

async function beginTurn(
  tx: Tx,
  deps: TurnDeps,
  { waiting, message, judged }: { waiting: WaitingMessage; message: MessageRow; judged: Turn['judged'] },
): Promise<Turn> {
  const { personId, authenticatedAt } = waiting;
  return {
    deps: { ...deps, db: joined(tx) },
    personId,
    dialogue: await readDialogue(tx, deps, waiting, message.sentAt),
    at: message.sentAt,
    isSignInRecent: authenticatedAt !== null && isRecent(authenticatedAt, message.sentAt),
    judged,
    serverUrl: publicUrlOf(deps.config),
    removeSecrets: () => removeSecrets(tx, deps, waiting),
  };
}

/** Beyond the limit the first message is answered kindly, and the others of that minute are not. */
async function replyTo(
  { dialogue, at }: Turn,
  talk: () => Promise<Reply> | Reply,
): Promise<Reply | undefined> {
  const count = countMessage(dialogue, at);
  if (count > ANSWERED_PER_MINUTE + 1) return undefined;
  if (count > ANSWERED_PER_MINUTE) return { text: TEXTS.tooFast, next: dialogue.step };
  return talk();
}

function countMessage({ minute }: Dialogue, at: number): number {
  if (at - minute.from >= MINUTE_MS) {
    minute.from = at;
    minute.count = 0;
  }
  return ++minute.count;
}

function readText(keyring: Platform['keyring'], message: MessageRow): string | undefined {
  return message.type === 'text' ? openBodyIfReadable(keyring, message)?.content : undefined;
}

async function storeReply(
  tx: Tx,
  { keyring, newId, clock }: Platform,
  { bucket, conversationId, personId }: WaitingMessage,
  { text, isSecret }: Reply,
): Promise<MessageRow> {
  const row = toMessageRow(keyring, {
    bucket,
    conversationId,
    msgId: newId('msg'),
    senderId: MANAGEMENT_BOT_ID,
    content: { type: 'text', body: { content: text }, replyToMsgId: undefined },
    sentAt: clock.now(),
  });
  await insertMessages(tx, [row]);
  if (isSecret) await insertShownSecret(tx, { ...row, personId, removeAt: row.sentAt + SHOWN_MS });
  return row;
}
