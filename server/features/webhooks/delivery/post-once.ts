import { LIMITS } from '#contract/limits.ts';
import { createWebhookAgent } from '#platform/safe-fetch/agent.ts';
import { type PostResult, safePost } from '#platform/safe-fetch/safe-post.ts';
import type { WebhookDeps } from '../deps.ts';
import { type SignedRequest, signedHeaders } from './signing.ts';

/**
 * One signed request outside of the deliveries, while its owner waits for the result: over a new connection,
 * so that every phase is measured.
 */
export async function postOnce(
  { guard, config }: WebhookDeps,
  url: string,
  request: Omit<SignedRequest, 'serviceName'>,
): Promise<PostResult> {
  using agent = createWebhookAgent(guard, { maxIdleSockets: 0 });
  const headers = signedHeaders({ ...request, serviceName: config.serviceName });
  return await safePost(agent, { url, headers, body: request.body, deadlineMs: LIMITS.webhookTimeoutMs });
}
