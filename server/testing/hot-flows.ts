import { openSessionOf } from '#features/accounts/index.ts';
import {
  createPersonFinder,
  createSessionCheck,
  createSessionCookie,
} from '#features/accounts/sessions/session.ts';
import { lookForNotices } from '#features/operators/index.ts';
import { deliverDue } from '#features/webhooks/delivery/deliver-due.ts';
import { createSender } from '#features/webhooks/delivery/sender.ts';
import { readFeed } from '#features/webhooks/feed/event-feed.ts';
import { FeedPoller } from '#features/webhooks/feed/stream.ts';
import { lookForNotedTopics } from '#platform/live/noted-topics.ts';
import { createGuard } from '#platform/safe-fetch/guard.ts';
import { announceProcess, findProcesses } from '../health/processes.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { eventually } from './waits.ts';
import type { Bot, Person, World } from './world.ts';

/** Frequent flows. Each runs over HTTP or as in the workers, so that its statements are the real ones. */
export const HOT_FLOWS = [
  'POST /v1/messages',
  'POST /v1/messages/group',
  'a person writes to a bot',
  'POST /v1/polls/vote',
  'POST /oauth/token: refresh',
  'a request with an access token',
  'a page of a conversation',
  'the list of conversations',
  'a webhook is delivered',
  'POST /hooks/:secret',
  'a sign-in by OpenID Connect',
  'what a process does every few seconds',
  'maintenance begins and ends',
  'messages expire',
] as const;

export type HotFlow = (typeof HOT_FLOWS)[number];

/**
 * Reads of several keys at once: one task for each shard, without locks or writes. The names are those of
 * docs/operate/scaling.md.
 */
export const BOUNDED_READS: Readonly<Record<string, RegExp>> = {
  'the applications of a list':
    /^select [^()]* from applications where app_id = any\(\$\) and state <> 'deleted' order by app_id$/,
  'the accounts of a list': /^select [^()]* from accounts where account_id = any\(\$\)$/,
  'the receivers of the events that were claimed':
    /^select [^()]* webhook_secret[^()]* from applications where app_id = any\(\$\) and state <> 'deleted'$/,
};

/** The name of a read that may span several shards. */
export function boundedRead(text: string): string | undefined {
  return Object.keys(BOUNDED_READS).find((name) => BOUNDED_READS[name]?.test(text));
}

/**
 * Runs every hot flow in a world; reports the name of each as it begins, and undefined when none is in progress.
 *
 * @param senders how many send at the same time
 * @param onFailure called for each failed flow, after which the next one runs; without it the first failure ends the run
 */
export async function driveHotFlows(
  world: World,
  enter: (flow: HotFlow | undefined) => void,
  { senders = 1, onFailure }: { senders?: number; onFailure?: (flow: HotFlow, error: unknown) => void } = {},
): Promise<void> {
  const during = async (flow: HotFlow, act: () => Promise<unknown>): Promise<void> => {
    enter(flow);
    try {
      await act();
    } catch (error) {
      if (!onFailure) throw error;
      onFailure(flow, error);
    } finally {
      enter(undefined);
    }
  };
  const duringAll = <T>(flow: HotFlow, asked: readonly T[], act: (one: T) => Promise<unknown>) =>
    during(flow, () => Promise.all(asked.map(act)));
  await using receiver = await startReceiver({
    tls: 'plain',
    host: '127.0.0.1',
    // One event has to be retried.
    respond: (_request, n) => ({ status: n === 1 ? 500 : 200 }),
  });
  enter(undefined);
  const people = await Promise.all(Array.from({ length: senders }, () => world.person()));
  const [person] = people as [Person];
  const bot = await world.bot({ requestsPerMinute: 1_000_000, webhookUrl: receiver.url });
  const listener = await world.bot({ webhookUrl: receiver.url });
  await world.db`update api_keys set scopes = '{messages:send,groups:manage,polls:write}'`;
  const { msgId } = await person.writes(bot, 'hello');
  const client = await world.client();
  const groups: { groupId: string }[] = [];
  const polls: { messageId: string; optionId: string; groupId: string }[] = [];
  const tokens: { refresh: string }[] = [];
  for (const one of people) {
    await one.writes(bot, 'hello');
    const { groupId } = await bot.gets('POST', '/v1/groups', { name: 'Group', members: [one.accountId] });
    groups.push({ groupId });
    const asked = { groupId, question: 'Tea?', options: ['yes', 'no'] };
    const { msgId: messageId, poll } = await bot.gets('POST', '/v1/polls', asked);
    polls.push({ messageId, optionId: poll.options[0].id, groupId });
    tokens.push(await client.tokens({ person: one, scopes: ['profile', 'stories:read'] }));
  }
  await world.db`
    insert into members (bucket, group_id, account_id, is_admin, bot_app_id, joined_at)
    select bucket, group_id, ${listener.accountId}, false, ${listener.appId}, created_at
    from groups where group_id = ${groups[0]?.groupId ?? ''}`;

  const text = { type: 'text', content: 'x' };
  await during('POST /v1/messages', async () => {
    await bot.gets('POST', '/v1/messages', { to: person.accountId, replyToMsgId: msgId, ...text });
    const sendings = people.map(({ accountId: to }) => ({ to, ...text }));
    await Promise.all(sendings.map((sending) => bot.gets('POST', '/v1/messages', sending)));
  });
  await duringAll('POST /v1/messages/group', groups, ({ groupId }) =>
    bot.gets('POST', '/v1/messages/group', { groupId, ...text }),
  );
  await duringAll('a person writes to a bot', people, (one) => one.writes(bot, 'again'));
  await duringAll('POST /v1/polls/vote', polls, (poll) => bot.gets('POST', '/v1/polls/vote', poll));
  const access: string[] = [];
  await duringAll('POST /oauth/token: refresh', tokens, async ({ refresh }) => {
    const { body } = await client.refreshes(refresh);
    access.push(body.access_token);
  });
  await duringAll('a request with an access token', access, (token) =>
    client.calls(token, 'GET', '/v1/stories/mine'),
  );
  await duringAll('a page of a conversation', people, (one) => one.reads(bot));
  await duringAll('the list of conversations', people, async (one) => {
    await one.gets('GET', '/api/chat/conversations');
  });
  await during('a webhook is delivered', () => deliverAll(world, receiver));
  const addresses = await addressesOf(world, bot, groups);
  await duringAll('POST /hooks/:secret', addresses, async (url) => {
    const { statusCode, body } = await world.app.inject({
      method: 'POST',
      url,
      payload: { text: 'Disk full' },
    });
    if (statusCode !== 200) throw new Error(`POST /hooks: ${body}`);
  });
  await world.switches(client, 'openid');
  await duringAll('a sign-in by OpenID Connect', people, async (one) => {
    const { access } = await client.tokens({ person: one, scopes: ['openid'] });
    const { status } = await client.calls(access, 'GET', '/oauth/userinfo');
    if (status !== 200) throw new Error(`userinfo answered ${status}`);
  });
  await during('what a process does every few seconds', async () => {
    await using _announced = announceProcess(world);
    await eventually(async () => (await findProcesses(world)).length > 0);
    await lookForNotices(world);
    await lookForNotedTopics(world)();
  });
  await during('maintenance begins and ends', async () => {
    await world.operators.perform('maintenance.started', {}, { until: world.clock.now() + 60_000 });
    await world.operators.perform('maintenance.ended', {});
  });
  world.clock.advance({ days: (world.config.messageRetentionDays ?? 0) + 1 });
  await during('messages expire', () => world.messages.openExpiry().finish());
}

/** Incoming webhook addresses of the bot's groups, whose members may not create them. */
async function addressesOf(world: World, bot: Bot, groups: { groupId: string }[]): Promise<string[]> {
  await world.switches(bot, 'incoming_webhooks');
  const made = groups.map(async ({ groupId }) => {
    const chosen = { groupId, botId: bot.accountId, name: 'Alerts' };
    const { url } = await world.incomingWebhooks.create(bot.accountId, chosen);
    return new URL(url).pathname;
  });
  return Promise.all(made);
}

/** The statements of open streams: their shared checks, and the read after an event. */
export async function driveStreams(world: World): Promise<void> {
  const bot = await world.bot();
  const person = await world.person();
  await person.writes(bot, 'hello');
  const signedIn = await createPersonFinder(world)(createSessionCookie(world.config).read(person.cookie));
  if (!signedIn) throw new Error('nobody is signed in');
  await createSessionCheck(world)(openSessionOf(signedIn));
  await using poller = new FeedPoller(world);
  poller.watch({ appId: bot.appId, after: 0, isWaiting: true, request: () => {} });
  await poller.look();
  await readFeed(world, bot.appId, { after: 0, limit: 1 });
}

/** Delivers as the worker does. */
async function deliverAll(world: World, { trustedHost }: Receiver): Promise<void> {
  const guard = createGuard({ trustedHosts: [trustedHost], extraAuthorities: [] });
  using sender = createSender({ ...world, guard });
  for (let isDone = false; !isDone; ) {
    const { finished } = await deliverDue(sender, { limit: 64 });
    const counts = await finished;
    if (counts.lost) throw new Error('an attempt was not recorded');
    isDone = Object.keys(counts).length === 0;
  }
}
