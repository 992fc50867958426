import { WebhookAgent } from '#platform/safe-fetch/agent.ts';
import { createGuard, type GuardOptions } from '#platform/safe-fetch/guard.ts';
import type { RawReceiver } from './raw-receiver.ts';
import type { Receiver } from './receiver.ts';

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

export function rawAgentFor({ trustedHost }: Pick<RawReceiver, 'trustedHost'>): WebhookAgent {
  return new WebhookAgent(createGuard({ trustedHosts: [trustedHost] }));
}
