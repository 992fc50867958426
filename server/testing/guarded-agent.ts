import { WebhookAgent } from '#platform/safe-fetch/agent.ts';
import { createGuard, type GuardOptions } from '#platform/safe-fetch/guard.ts';
import { type Post, type PostResult, safePost } from '#platform/safe-fetch/safe-post.ts';
import { type RawReceiver, startRawReceiver } from './raw-receiver.ts';
import { type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts';

export const POST = {
  headers: { 'content-type': 'application/json', 'x-service-event': 'ping' },
  body: Buffer.from('{"text":"caf\u00e9"}'),
};

/** An agent that resolves the receiver's name to 127.0.0.1, which is allowed because the receiver is trusted. */
export function agentFor(
  { trustedHost, ca }: Pick<Receiver, 'trustedHost' | 'ca'>,
  options: GuardOptions = {},
): WebhookAgent {
  return new WebhookAgent(
    createGuard({
      trustedHosts: [trustedHost],
      extraAuthorities: [ca],
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
      ...options,
    }),
  );
}

/** A receiver, and an agent that posts to it. */
export async function startPosting(
  options?: ReceiverOptions,
  guardOptions?: GuardOptions,
): Promise<Posting<Receiver>> {
  const receiver = await startReceiver(options);
  return withAgent(receiver, agentFor(receiver, guardOptions));
}

/** A receiver that sends whatever the test writes, and an agent that posts to it. */
export async function startRawPosting(
  onConnection: Parameters<typeof startRawReceiver>[0],
): Promise<Posting<RawReceiver>> {
  const receiver = await startRawReceiver(onConnection);
  return withAgent(receiver, new WebhookAgent(createGuard({ trustedHosts: [receiver.trustedHost] })));
}

type Posting<R> = R & { agent: WebhookAgent; post(change?: Partial<Post>): Promise<PostResult> };

function withAgent<R extends AsyncDisposable & { url: string }>(
  receiver: R,
  agent: WebhookAgent,
): Posting<R> {
  const close = receiver[Symbol.asyncDispose];
  return Object.assign(receiver, {
    agent,
    post: (change: Partial<Post> = {}) => safePost(agent, { url: receiver.url, ...POST, ...change }),
    async [Symbol.asyncDispose]() {
      agent[Symbol.dispose]();
      await close();
    },
  });
}
