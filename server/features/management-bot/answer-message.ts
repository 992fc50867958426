import { isRecent } from '#features/accounts/index.ts';
import { contactKey } from '#features/contacts/index.ts';
import type { ShowWritten, WaitingMessage } from '#features/messages/index.ts';
import { joined } from '#platform/database/joined.ts';
import type { Tx } from '#platform/database.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import type { UrlCheck } from '#platform/safe-fetch/url.ts';
import { textsIn } from '#platform/texts.ts';
import { type Dialogue, readDialogue, saveDialogue } from './dialogue.ts';
import { MANAGEMENT_BOT_ID } from './identity.ts';
import { removeSecrets, SHOWN_MS } from './shown-secrets.ts';
import type { Deps, Reply, Turn } from './turn.ts';

const MINUTE_MS = 60_000;
const ANSWERED_PER_MINUTE = 30;

/** Determines the answer. Its changes to `turn.dialogue` are stored with the answer. */
export type Talk = (turn: Turn, written: string | undefined) => Promise<Reply> | Reply;

/**
 * Answers one message in one transaction: the requested action, the answer and the removal from the inbox
 * commit together. A message that another worker is answering or has answered is skipped.
 */
export async function answerMessage(
  deps: Deps,
  waiting: WaitingMessage,
  { talk, checkedUrls }: { talk: Talk; checkedUrls: ReadonlyMap<string, UrlCheck> },
): Promise<void> {
  const answered = await deps.db.begin(async (tx) => {
    const message = await deps.messages.botInbox.take(tx, waiting);
    if (!message || !(await isPersonListening(tx, deps, waiting))) return undefined;
    const turn = await beginTurn(tx, deps, { waiting, at: message.sentAt, checkedUrls });
    const reply = await replyTo(turn, () => talk(turn, message.text));
    if (reply) turn.dialogue.step = reply.next;
    await saveDialogue(tx, deps, waiting, { dialogue: turn.dialogue, at: message.sentAt });
    return reply && { reply, show: await storeReply(tx, deps, waiting, reply) };
  });
  if (!answered) return;
  const { reply, show } = answered;
  await reply.afterCommit?.(deps);
  for (const showReplaced of reply.replaced ?? []) showReplaced();
  show();
}

/** False if nobody would read the answer: the account is deleted, or the person has blocked the bot. */
async function isPersonListening(
  tx: Tx,
  { accounts, contacts }: Deps,
  { personId }: WaitingMessage,
): Promise<boolean> {
  const [contact] = await contacts.find([contactKey(personId, MANAGEMENT_BOT_ID)], tx);
  if (contact?.blockedAt != null) return false;
  const person = await accounts.find(personId, tx);
  return person?.deletedAt === null;
}

async function beginTurn(
  tx: Tx,
  deps: Deps,
  { waiting, at, checkedUrls }: { waiting: WaitingMessage; at: number; checkedUrls: Turn['checkedUrls'] },
): Promise<Turn> {
  const { personId, authenticatedAt } = waiting;
  const db = joined(tx);
  const language = await deps.accounts.findLanguage(personId, tx);
  return {
    deps: { ...deps, db, applications: deps.applications.within(db), bots: deps.bots.within(db) },
    personId,
    language,
    t: textsIn(language),
    dialogue: await readDialogue(tx, deps, waiting, at),
    at,
    isSignInRecent: authenticatedAt !== null && isRecent(authenticatedAt, at),
    checkedUrls,
    serverUrl: publicUrlOf(deps.config),
    removeSecrets: () => removeSecrets(tx, deps, waiting, at),
  };
}

/**
 * Beyond the limit, the first message is answered with an explanation, and the others of that minute are not
 * answered.
 */
async function replyTo(
  { dialogue, at, t }: Turn,
  talk: () => Promise<Reply> | Reply,
): Promise<Reply | undefined> {
  const count = countMessage(dialogue, at);
  if (count > ANSWERED_PER_MINUTE + 1) return undefined;
  if (count > ANSWERED_PER_MINUTE) return { text: t('bot.say.tooFast'), next: dialogue.step };
  return talk();
}

function countMessage({ minute }: Dialogue, at: number): number {
  if (at - minute.from >= MINUTE_MS) {
    minute.from = at;
    minute.count = 0;
  }
  return ++minute.count;
}

async function storeReply(
  tx: Tx,
  { newId, clock, messages }: Deps,
  waiting: WaitingMessage,
  { text, isSecret }: Reply,
): Promise<ShowWritten> {
  const msgId = newId('msg');
  const show = await messages.botInbox.answer(tx, waiting, { botId: MANAGEMENT_BOT_ID, msgId, text });
  if (isSecret) {
    const { bucket, conversationId, personId } = waiting;
    const row = { bucket, conversationId, msgId, personId, removeAt: clock.now() + SHOWN_MS };
    await tx`insert into shown_secrets ${tx(row)}`;
  }
  return show;
}
