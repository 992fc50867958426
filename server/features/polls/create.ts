import type { CreatedPoll, CreatePoll } from '#contract/polls.ts';
import type { EventPoll } from '#contract/webhooks/events.ts';
import type { Tx } from '#platform/database.ts';
import { invalidArgument } from '#platform/errors.ts';
import type { Reserved } from '#platform/http/serve.ts';
import { bucketOf, privateConversationId } from '#platform/ids.ts';
import { insertPoll, insertPollName, type NewPoll } from './queries.ts';
import { type PollConversation, readConversation, refuseEqualOptions, voterSecretContext } from './rules.ts';
import type { PollActor, PollDeps } from './service.ts';
import { findPollViews } from './view.ts';

/** Nobody has voted yet. */
type Deps = Omit<PollDeps, 'vote'>;

const VOTER_SECRET_BYTES = 32;

/**
 * Creates a poll (contract §4). A private one obeys the rules of private messages, one in a group those for writing
 * there (decisions: Polls).
 */
export async function createPoll(
  deps: Deps,
  actor: PollActor,
  body: CreatePoll,
  reserved: Reserved,
): Promise<CreatedPoll> {
  const { id: msgId, isResumed } = reserved;
  const conversation = readConversation(body);
  if (!conversation) throw invalidArgument('groupId', 'group-or-receiver');
  const refusal = refuseEqualOptions(body.options);
  if (refusal) throw refusal;
  const stored = isResumed ? await findStored(deps, actor, { conversation, msgId }) : undefined;
  if (stored) return stored;
  const asked = toAsked(deps, body);
  const receiverId = 'receiverId' in conversation ? conversation.receiverId : null;
  const sent = await deps.messages.sendPoll(
    actor,
    { to: conversation, poll: asked },
    reserved,
    (tx, message) => storePoll(tx, deps, { ...message, asked, receiverId }),
  );
  const created = sent?.poll
    ? { msgId, poll: sent.poll }
    : await findStored(deps, actor, { conversation, msgId });
  return created as CreatedPoll;
}

function toAsked(
  { newId }: Pick<PollDeps, 'newId'>,
  { question, options, allowMultipleAnswers, isAnonymous }: CreatePoll,
): EventPoll {
  return {
    id: newId('pol'),
    question,
    options: options.map((text) => ({ id: newId('opt'), text })),
    allowMultipleAnswers: allowMultipleAnswers ?? false,
    isAnonymous: isAnonymous ?? false,
  };
}

/** The same question as a new poll. */
export function askAgain({ newId }: Pick<PollDeps, 'newId'>, poll: EventPoll): EventPoll {
  const options = poll.options.map(({ text }) => ({ id: newId('opt'), text }));
  return { ...poll, id: newId('pol'), options };
}

/** The poll of an earlier attempt with the same id. */
async function findStored(
  deps: Deps,
  { accountId }: PollActor,
  { conversation, msgId }: { conversation: PollConversation; msgId: string },
): Promise<CreatedPoll | undefined> {
  const conversationId =
    'groupId' in conversation
      ? conversation.groupId
      : privateConversationId(accountId, conversation.receiverId);
  const poll = (await findPollViews(deps, [{ bucket: bucketOf(conversationId), msgId }], accountId)).get(
    msgId,
  );
  return poll && { msgId, poll };
}

export async function storePoll(
  tx: Tx,
  { keyring, random }: Pick<PollDeps, 'keyring' | 'random'>,
  poll: Pick<NewPoll, 'bucket' | 'msgId' | 'conversationId' | 'receiverId'> & { asked: EventPoll },
): Promise<void> {
  const { msgId, asked } = poll;
  const sealed = asked.isAnonymous
    ? keyring.seal(voterSecretContext(msgId), random.bytes(VOTER_SECRET_BYTES))
    : undefined;
  await insertPollName(tx, poll);
  await insertPoll(tx, {
    ...poll,
    voterSecret: sealed?.ciphertext ?? null,
    voterSecretKeyId: sealed?.keyId ?? null,
    optionVotes: asked.options.map(() => 0),
  });
}
