import { say } from '#contract/reasons.ts';
import type { SendResult } from '#platform/mail.ts';
import type { Platform } from '#platform/platform.ts';
import { createWebhookAgent } from '#platform/safe-fetch/agent.ts';
import { safePost } from '#platform/safe-fetch/safe-post.ts';
import type { AlertMessage } from './message.ts';

/**
 * Posts to the incoming webhook of a chat. Slack, Mattermost, Rocket.Chat and Google Chat accept `text`;
 * Discord accepts `content`, and the others would refuse an unknown field.
 */
export async function postToChat(
  { guard }: Pick<Platform, 'guard'>,
  url: string,
  { text }: AlertMessage,
): Promise<SendResult> {
  using agent = createWebhookAgent(guard, { maxIdleSockets: 0 });
  const body = isDiscord(url) ? { content: text, allowed_mentions: { parse: [] } } : { text };
  const result = await safePost(agent, {
    url,
    headers: { 'Content-Type': 'application/json', 'User-Agent': 'Parley-Alerts/1' },
    body: Buffer.from(JSON.stringify(body)),
  });
  if (result.kind === 'failure') return { state: 'failed', fault: result.said };
  if (result.status >= 200 && result.status < 300) return { state: 'sent' };
  return { state: 'failed', fault: say('alert.chat-answered', { status: result.status }) };
}

function isDiscord(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  // Discord's path for Slack's format has this suffix.
  return /(^|\.)discord(app)?\.com$/.test(hostname) && !pathname.endsWith('/slack');
}
