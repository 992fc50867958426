import { checkEvents } from './events.ts';
import type { History } from './operations.ts';
import { checkMarks, checkThreads } from './threads.ts';
import { checkTokens } from './tokens.ts';
import { checkVotes } from './votes.ts';

/** All that is wrong with a history, one sentence each. */
export function checkHistory(history: History): string[] {
  return [checkThreads, checkMarks, checkEvents, checkTokens, checkVotes].flatMap((check) => check(history));
}
