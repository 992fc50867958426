import { createHmac, createSecretKey } from 'node:crypto';
import type { CreatePoll } from '#contract/polls.ts';
import type { SealingContext } from '#platform/crypto/keyring.ts';
import {
  type ApiError,
  failedPrecondition,
  invalidArgument,
  notFound,
  permissionDenied,
} from '#platform/errors.ts';

/** The conversation of a poll. */
export type PollConversation = { groupId: string } | { receiverId: string };

/**
 * The one conversation that a request names, if any.
 *
 * @throws ApiError 400 when it names two
 */
export function readConversation({
  groupId,
  receiverId,
}: Pick<CreatePoll, 'groupId' | 'receiverId'>): PollConversation | undefined {
  if (groupId != null && receiverId != null) {
    throw invalidArgument('receiverId', 'not-with-group');
  }
  if (groupId != null) return { groupId };
  return receiverId == null ? undefined : { receiverId };
}

/** Options that read the same could not be distinguished (decisions: Polls). */
export function refuseEqualOptions(options: readonly string[]): ApiError | undefined {
  const repeated = options.findIndex((option, i) => options.indexOf(option) < i);
  return repeated < 0 ? undefined : invalidArgument(`options.${repeated}`, 'equal-option');
}

/**
 * The options that a voter has chosen after one more vote (contract §3): the same option again withdraws the
 * vote, another one replaces it or, if several answers are allowed, is added.
 */
export function chooseAfterVote(
  chosen: readonly string[],
  optionId: string,
  { allowMultipleAnswers }: { allowMultipleAnswers: boolean },
): string[] {
  if (chosen.includes(optionId)) return chosen.filter((other) => other !== optionId);
  return allowMultipleAnswers ? [...chosen, optionId] : [optionId];
}

/** The stored identity of a voter: the account id, or in an anonymous poll a pseudonym for this poll only. */
export function voterInStore(accountId: string, voterSecret: Buffer | undefined): string {
  if (!voterSecret) return accountId;
  // With a Buffer `createHmac` takes four times as long.
  return createHmac('sha256', createSecretKey(voterSecret)).update(accountId).digest('base64url');
}

/** To which the sealed secret of an anonymous poll is bound. */
export function voterSecretContext(msgId: string): SealingContext {
  return { table: 'polls', rowId: msgId };
}

/** Closing, in the order of the decisions page: 403 before 400. */
export function refuseToClose(
  poll: { creatorId: string; closedAt: number | null },
  accountId: string,
): ApiError | undefined {
  if (poll.creatorId !== accountId) return permissionDenied('poll.not-the-creator');
  return poll.closedAt === null ? undefined : pollClosed();
}

export function pollClosed(): ApiError {
  return failedPrecondition('poll.closed');
}

/** @param field the one that names the message of the poll */
export function pollNotFound(field = 'messageId'): ApiError {
  return notFound('poll.unknown', { field });
}
