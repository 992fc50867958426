import { CHAT } from '#contract/api/chat.ts';
import { V1 } from '#contract/api/v1.ts';
import type { Poll } from '#contract/polls.ts';
import type { AccountHook } from '#features/accounts/index.ts';
import { type MessageHook, openBodyIfReadable } from '#features/messages/index.ts';
import { failedPrecondition } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { closeOwnPoll } from './close.ts';
import { askAgain, createPoll, storePoll } from './create.ts';
import { findOwnPoll } from './find-polls.ts';
import { deleteAllVotes, deletePollName, selectPollIds, selectPolls, updateClosed } from './queries.ts';
import { pollNotFound } from './rules.ts';
import type { PollActor, PollDeps } from './service.ts';
import { openPollIfReadable, viewPolls, withPollResults } from './view.ts';
import { createVoteCaster } from './vote.ts';

export { exportPolls, importPolls } from './exported.ts';

/** Polls in private conversations and groups. Votes that arrive at the same time are counted as one batch. */
export type Polls = ReturnType<typeof createPolls>['api'];

export function createPolls(given: Omit<PollDeps, 'vote'>) {
  const deps: PollDeps = { ...given, vote: createVoteCaster(given) };
  return {
    api: { ...withDeps(deps, { create: createPoll }), vote: deps.vote },
    routes: pollRoutes(deps),
    hooks: { account: createPollAccountHook(deps), message: createPollMessageHook(deps) },
  };
}

/** Polls for bots, for applications that act for a person (contract §4), and as a person's client shows them. */
function pollRoutes(deps: PollDeps) {
  return [
    serve(V1, {
      'POST /v1/polls': ({ actor, body, reserved }) => createPoll(deps, actor, body, reserved),
      'GET /v1/polls/:msgId': async ({ actor, params }) => ({
        poll: await showPoll(deps, actor.accountId, params.msgId),
      }),
      'POST /v1/polls/vote': async ({ actor, body }) => ({ poll: await deps.vote(actor, body) }),
      'POST /v1/polls/close': async ({ actor, body }) => ({ poll: await closeOwnPoll(deps, actor, body) }),
    }),
    serve(CHAT, {
      'POST /polls': ({ person, body, reserved }) => createPoll(deps, actorOf(person), body, reserved),
      'POST /polls/vote': async ({ person, body }) => ({ poll: await deps.vote(actorOf(person), body) }),
      'POST /polls/close': async ({ person, body }) => ({
        poll: await closeOwnPoll(deps, actorOf(person), body),
      }),
    }),
  ];
}

/**
 * A poll with its votes, as the account sees it.
 *
 * @throws ApiError 404, 403, 400 if it cannot be read
 */
async function showPoll(deps: PollDeps, accountId: string, msgId: string): Promise<Poll> {
  const { db, keyring } = deps;
  const key = await findOwnPoll(deps, accountId, { messageId: msgId, field: 'msgId' });
  const [row] = await selectPolls(db, [key]);
  if (!row) throw pollNotFound('msgId');
  const poll = openPollIfReadable(keyring, row);
  // The message of a deleted poll is readable, but no poll.
  if (!poll)
    throw openBodyIfReadable(keyring, row) ? pollNotFound('msgId') : failedPrecondition('poll.unreadable');
  return (await viewPolls(db, [poll], accountId)).get(msgId) as Poll;
}

function actorOf({ accountId }: { accountId: string }): PollActor {
  return { kind: 'user', accountId };
}

function createPollMessageHook(deps: Platform): MessageHook {
  return {
    complete: (accountId, messages) => withPollResults(deps, accountId, messages),
    /** The poll of a deleted message is closed, and its votes are deleted. */
    async deleted(tx, { bucket, msgId, type, at }) {
      if (type !== 'poll') return;
      await updateClosed(tx, { bucket, msgId }, at);
      await deleteAllVotes(tx, { bucket, msgId });
    },
    /** The poll is deleted with its message. */
    async expired(tx, messages) {
      // A deleted one may have been a poll.
      const polls = messages.filter(({ type }) => type === 'poll' || type === 'deleted');
      for (const { msgId } of polls) await deletePollName(tx, msgId);
    },
    /** A forwarded poll is a new poll without votes. */
    forwarded(content, receiverId) {
      const { poll } = content.body;
      if (!poll) return undefined;
      const asked = askAgain(deps, poll);
      return {
        content: { ...content, body: { ...content.body, poll: asked } },
        extraWrites: (tx, message) => storePoll(tx, deps, { ...message, asked, receiverId }),
      };
    },
  };
}

/** The polls that a person created or voted in, with the person's own choice, but not the votes of others. */
function createPollAccountHook({ db, keyring, messages, groups }: PollDeps): AccountHook {
  return {
    sections: {
      async *polls(accountId) {
        const former = await groups.findFormer(accountId);
        const conversations = [
          ...(await messages.listConversations(accountId)).map((one) => ({ ...one, isFormer: false })),
          ...former.map(({ bucket, groupId }) => ({ bucket, conversationId: groupId, isFormer: true })),
        ];
        for (const { bucket, conversationId, isFormer } of conversations) {
          for (const msgId of await selectPollIds(db, { bucket, conversationId })) {
            const [row] = await selectPolls(db, [{ bucket, msgId }]);
            const opened = row && openPollIfReadable(keyring, row);
            if (row?.senderId === accountId && !opened)
              yield {
                msgId,
                conversationId,
                creatorId: accountId,
                createdAt: row.sentAt,
                isUnreadable: true,
              };
            const poll = opened && (await viewPolls(db, [opened], accountId)).get(msgId);
            if (!poll || (poll.creatorId !== accountId && poll.myOptionIds.length === 0)) continue;
            if (isFormer) {
              yield { conversationId, ...ownPartOf(poll, accountId) };
              continue;
            }
            const options = poll.options.map(({ id, text, votes }) => ({ id, text, votes }));
            yield { ...poll, conversationId, options };
          }
        }
      },
    },
  };
}

/** Of a poll in a group that the person has left: what they asked and chose, but neither the results nor what others asked. */
function ownPartOf({ msgId, creatorId, question, options, createdAt, myOptionIds }: Poll, accountId: string) {
  if (creatorId !== accountId) return { msgId, myOptionIds };
  return {
    ...{ msgId, creatorId, question, createdAt, myOptionIds },
    options: options.map(({ id, text }) => ({ id, text })),
  };
}
