import { ASK_WAIT, AskPerson } from '#contract/mcp.ts';
import type { StoredMessage } from '#contract/webhooks/events.ts';
import { WakeUp } from '#platform/concurrency/wake-up.ts';
import { invalidArgument } from '#platform/errors.ts';
import { OpenStreams } from '#platform/http/connections/open-streams.ts';
import { privateConversationId } from '#platform/ids.ts';
import { isGap, type Live, type LiveEvent } from '#platform/live.ts';
import { OperationRefused, type ToolCall } from './tool-call.ts';
import { type Tool, toInputSchema } from './tools.ts';

/** Per application, in one process. */
const MOST_WAITING = 20;
const PROGRESS_EVERY_MS = 5_000;

const GO_ON =
  'Nobody has answered yet. To go on waiting, call ask_person with `to` and this `msgId`; to look later, call listMessages.';

interface Question {
  to: string;
  msgId: string;
}

/** Asks somebody and waits for the answer, which the webhook and the event feed get like any other message. */
export function createAskPerson(live: Live): Tool {
  const open = new OpenStreams('mcp.too-many-questions', MOST_WAITING);
  return {
    name: 'ask_person',
    title: 'Ask a person and wait for the answer',
    description:
      'Sends a question to a person who has written to the bot, and waits for the answer: the first message of the person after ' +
      'it, unless that quotes another message. If a button was pressed, `quickReplyValue` is its value. If nobody answers in time, ' +
      '`isAnswered` is false: call it again with the `msgId` of the question, instead of `content`, to go on waiting.',
    inputSchema: toInputSchema(AskPerson),
    annotations: { readOnlyHint: false, destructiveHint: false },
    access: { actors: ['bot'], scope: 'messages:send' },
    async run(call, given) {
      const { waitSeconds, ...asked } = call.check(AskPerson, given);
      for (const field of ['content', 'quickReplies'] as const)
        if (asked.msgId != null && asked[field] != null) throw invalidArgument(field, 'not-with-message');
      using held = new DisposableStack();
      held.defer(open.take(call.credential.appId));
      const wait = held.use(new Wait(live, call, asked.to));
      // Before the question is sent, so that no answer is missed.
      await live.settled();
      call.signal.throwIfAborted();
      const question = await ask(call, asked);
      if (asked.msgId != null) wait.look();
      wait.begin(question, waitSeconds ?? ASK_WAIT.usual);
      for (;;) {
        await wait.next();
        const { isOver } = wait;
        // At the end, too: live events may have been lost.
        const answer = await findAnswer(call, question);
        if (answer) return { isAnswered: true, msgId: question.msgId, answer };
        if (isOver) return { isAnswered: false, msgId: question.msgId, next: GO_ON };
      }
    },
  };
}

/** Waits for what may be an answer, for as long as the caller does. */
class Wait implements Disposable {
  readonly #held = new DisposableStack();
  readonly #wakeUp = new WakeUp();
  readonly #call: ToolCall;
  isOver = false;

  constructor(live: Live, call: ToolCall, to: string) {
    this.#call = call;
    const { accountId = '', appId } = call.credential;
    const conversationId = privateConversationId(to, accountId);
    this.#held.defer(
      live.subscribe(to, (event) => {
        const isAnswerPossible =
          event.type === 'message'
            ? event.data.conversationId === conversationId && event.data.from === to
            : isGap(event);
        if (isAnswerPossible) this.look();
      }),
    );
    this.#held.defer(live.subscribe(appId, (event) => this.#endBy(event)));
    const end = () => this.end();
    for (const signal of [call.signal, call.stopping]) {
      signal.addEventListener('abort', end);
      this.#held.defer(() => signal.removeEventListener('abort', end));
    }
  }

  begin({ msgId }: Question, seconds: number): void {
    const startedAt = performance.now();
    const tell = () => {
      const waited = Math.round((performance.now() - startedAt) / 1_000);
      this.#call.progress(waited, seconds, `waiting for an answer to ${msgId}`);
    };
    tell();
    const telling = setInterval(tell, PROGRESS_EVERY_MS);
    this.#held.defer(() => clearInterval(telling));
    const ending = setTimeout(() => this.end(), seconds * 1_000);
    this.#held.defer(() => clearTimeout(ending));
  }

  /** Until an answer is possible, or the wait is over. */
  next(): Promise<void> {
    return this.#wakeUp.wait();
  }

  look(): void {
    this.#wakeUp.request();
  }

  end(): void {
    this.isOver = true;
    this.look();
  }

  #endBy(event: LiveEvent): void {
    // Clients of 2025 cancel by a request of its own, which any process may get.
    const isCancelled = event.type === 'call.cancelled' && event.data.id === this.#call.id;
    if (isCancelled || event.type === 'credential.revoked') this.end();
  }

  [Symbol.dispose](): void {
    this.#held.dispose();
  }
}

/** Sends the question, or looks for the one that was sent before. */
async function ask({ operate }: ToolCall, asked: Omit<AskPerson, 'waitSeconds'>): Promise<Question> {
  const { to, content, quickReplies, msgId } = asked;
  if (msgId == null) {
    const message = { to, type: 'text', content, quickReplies };
    return { to, ...(await operate('POST /v1/messages', message)) };
  }
  await operate('GET /v1/messages/:msgId', { msgId, conversationId: to });
  return { to, msgId };
}

/** Once the question is asked, a full quota or an unavailable database only delays the answer. */
const DELAYS: ReadonlySet<number> = new Set([429, 503]);

/** @throws OperationRefused if the credential has ended */
async function findAnswer(call: ToolCall, question: Question): Promise<StoredMessage | undefined> {
  if (call.signal.aborted) return undefined;
  try {
    return await readAnswer(call, question);
  } catch (error) {
    if (error instanceof OperationRefused && DELAYS.has(error.status)) return undefined;
    throw error;
  }
}

async function readAnswer({ operate }: ToolCall, { to, msgId }: Question) {
  let answer: StoredMessage | undefined;
  let before: string | undefined;
  do {
    const page = await operate('GET /v1/conversations/:conversationId/messages', {
      conversationId: to,
      ...(before !== undefined && { before }),
    });
    answer = page.messages.findLast((message) => isAnswer(message, { to, msgId })) ?? answer;
    before = page.nextBefore;
  } while (before !== undefined && before > msgId);
  return answer;
}

function isAnswer({ from, msgId, replyToMsgId }: StoredMessage, question: Question): boolean {
  if (from !== question.to) return false;
  return replyToMsgId === undefined ? msgId > question.msgId : replyToMsgId === question.msgId;
}
