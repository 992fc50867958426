import type { EventPoll } from '#contract/events.ts';
import type { CreatedPoll, CreatePoll } from '#contract/polls.ts';
import type { Accounts, PersonLimits } from '#features/accounts/index.ts';
import type { Contacts } from '#features/contacts/index.ts';
import type { Groups } from '#features/groups/index.ts';
import type { MessageContent } from '#features/messages/content.ts';
import type { MessageRow } from '#features/messages/service.ts';
import { viewMessage } from '#features/messages/view.ts';
import type { Tx } from '#platform/database.ts';
import { invalidArgument } from '#platform/errors.ts';
import type { Reserved } from '#platform/http/routes.ts';
import { bucketOf, privateConversationId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { postFromBot, postFromPerson, postToGroup } from './post.ts';
import { insertPoll, insertPollName } from './queries.ts';
import { type PollPlace, readPlace, refuseEqualOptions } from './rules.ts';
import { findPollView, type PollActor } from './service.ts';

type Deps = Pick<
  Platform,
  'db' | 'clock' | 'keyring' | 'live' | 'newId' | 'random' | 'dueDeliveries' | 'config'
> & { accounts: Accounts; contacts: Contacts; groups: Groups; limits: PersonLimits };

const VOTER_SECRET_BYTES = 32;

/**
 * Creates a poll (contract §4). A private one obeys the rules of private messages, one in a group those for writing
 * there (decisions: Polls).
 */
export async function createPoll(
  deps: Deps,
  actor: PollActor,
  body: CreatePoll,
  { id: msgId, isResumed }: Reserved,
): Promise<CreatedPoll> {
  const place = readPlace(body);
  if (!place) throw invalidArgument('groupId', 'or receiverId is required');
  const refusal = refuseEqualOptions(body.options);
  if (refusal) throw refusal;
  const stored = isResumed ? await findStored(deps, actor, { place, msgId }) : undefined;
  if (stored) return stored;
  const asked = toAsked(deps, body);
  const content: MessageContent = { type: 'poll', body: { poll: asked }, replyToMsgId: undefined };
  const { row, isNew } = await post(deps, actor, { place, content, msgId }, (tx, row) =>
    storePoll(tx, deps, { row, asked, receiverId: 'receiverId' in place ? place.receiverId : null }),
  );
  const { poll } = viewMessage(deps.keyring, row);
  const created = isNew && poll ? { msgId, poll } : await findStored(deps, actor, { place, msgId });
  return created as CreatedPoll;
}

function toAsked(
  { newId }: Pick<Deps, 'newId'>,
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

/** The poll of an earlier try with the same id. */
async function findStored(
  deps: Deps,
  { accountId }: PollActor,
  { place, msgId }: { place: PollPlace; msgId: string },
): Promise<CreatedPoll | undefined> {
  const conversationId =
    'groupId' in place ? place.groupId : privateConversationId(accountId, place.receiverId);
  const poll = await findPollView(deps, { bucket: bucketOf(conversationId), msgId }, accountId);
  return poll && { msgId, poll };
}

function post(
  deps: Deps,
  actor: PollActor,
  { place, content, msgId }: { place: PollPlace; content: MessageContent; msgId: string },
  alongside: (tx: Tx, row: MessageRow) => Promise<void>,
): Promise<{ row: MessageRow; isNew: boolean }> {
  if ('groupId' in place) return postToGroup(deps, actor, { ...place, content, msgId }, alongside);
  if (actor.kind === 'bot') return postFromBot(deps, actor, { ...place, content, msgId }, alongside);
  return postFromPerson(deps, actor, { ...place, content, msgId }, alongside);
}

async function storePoll(
  tx: Tx,
  { keyring, random }: Pick<Deps, 'keyring' | 'random'>,
  { row, asked, receiverId }: { row: MessageRow; asked: EventPoll; receiverId: string | null },
): Promise<void> {
  const { bucket, msgId, conversationId } = row;
  const sealed = asked.isAnonymous
    ? keyring.seal({ table: 'polls', rowId: msgId }, random.bytes(VOTER_SECRET_BYTES))
    : undefined;
  await insertPollName(tx, { msgId, conversationId });
  await insertPoll(tx, {
    bucket,
    msgId,
    conversationId,
    receiverId,
    voterSecret: sealed?.ciphertext ?? null,
    voterSecretKeyId: sealed?.keyId ?? null,
    optionVotes: asked.options.map(() => 0),
  });
}
