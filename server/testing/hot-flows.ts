import { openSessionOf } from '#features/accounts/index.ts';
import { findPerson } from '#features/accounts/sessions/session.ts';
import { createSessionCheck } from '#features/accounts/sessions/session-check.ts';
import { createSessionCookie } from '#features/accounts/sessions/session-cookie.ts';
import { FIRST_TURN } from '#features/webhooks/delivery/sender.ts';
import { settle } from '#features/webhooks/delivery/settle.ts';
import { readFeed } from '#features/webhooks/feed/event-feed.ts';
import { FeedPoller } from '#features/webhooks/feed/poller.ts';
import { findDue } from '#features/webhooks/queries.ts';
import { BUCKETS } from '#platform/ids.ts';
import type { Bot, World } from './world.ts';

/** Frequent flows by name. Each is driven over HTTP, so that its statements are the real ones. */
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
] as const;

export type HotFlow = (typeof HOT_FLOWS)[number];

/**
 * Reads that name several keys at once, such as all applications whose bots are in a group: one task for each shard,
 * and nothing is locked or written.
 */
export const READS_OF_SEVERAL_KEYS = [
  /^select [^()]* from applications where app_id = any\(\$\) and state <> 'deleted' order by app_id$/,
  /^select [^()]* from accounts where account_id = any\(\$\)$/,
];

/**
 * Drives every hot flow in a world, saying which one begins and, with undefined, that none is under way.
 *
 * @param senders so many send at the same time
 * @param onFailure goes on with the next flow; without it the first failure ends all
 */
export async function driveHotFlows(
  world: World,
  enter: (flow: HotFlow | undefined) => void,
  { senders = 1, onFailure }: { senders?: number; onFailure?: (flow: HotFlow, error: unknown) => void } = {},
): Promise<void> {
  const during = async <T>(flow: HotFlow, act: () => Promise<T>): Promise<T | undefined> => {
    enter(flow);
    try {
      return await act();
    } catch (error) {
      if (!onFailure) throw error;
      onFailure(flow, error);
      return undefined;
    } finally {
      enter(undefined);
    }
  };
  const people = await Promise.all(Array.from({ length: senders - 1 }, () => world.person()));
  enter(undefined);
  const person = await world.person();
  const bot = await world.bot({ requestsPerMinute: 1_000_000, webhookUrl: 'https://hooks.example.com/x' });
  const listener = await world.bot({ webhookUrl: 'https://hooks.example.com/y' });
  await world.db`update api_keys set scopes = '{messages:send,groups:manage,polls:write}'`;
  const { msgId } = await person.writes(bot, 'hello');
  const group = await succeed(bot, 'POST', '/v1/groups', { name: 'Group', members: [person.accountId] });
  await world.db`
    insert into members (bucket, group_id, account_id, is_admin, bot_app_id, joined_at)
    select bucket, group_id, ${listener.accountId}, false, ${listener.appId}, created_at
    from groups where group_id = ${group.groupId}`;
  const poll = await succeed(bot, 'POST', '/v1/polls', {
    groupId: group.groupId,
    question: 'Tea?',
    options: ['yes', 'no'],
  });
  const groups: { groupId: string }[] = [];
  for (const one of people) {
    await one.writes(bot, 'hello');
    groups.push(await succeed(bot, 'POST', '/v1/groups', { name: 'Group', members: [one.accountId] }));
  }
  const client = await world.client();
  const tokens = await client.tokens({ person, scopes: ['profile', 'stories:read'] });

  const text = { type: 'text', content: 'x' };
  await during('POST /v1/messages', async () => {
    await succeed(bot, 'POST', '/v1/messages', { to: person.accountId, ...text });
    await succeed(bot, 'POST', '/v1/messages', { to: person.accountId, replyToMsgId: msgId, ...text });
    const sendings = people.map(({ accountId }) => ({ to: accountId, ...text }));
    await Promise.all(sendings.map((sending) => succeed(bot, 'POST', '/v1/messages', sending)));
  });
  await during('POST /v1/messages/group', async () => {
    await succeed(bot, 'POST', '/v1/messages/group', { groupId: group.groupId, ...text });
    const sendings = groups.map(({ groupId }) => ({ groupId, ...text }));
    await Promise.all(sendings.map((sending) => succeed(bot, 'POST', '/v1/messages/group', sending)));
  });
  await during('a person writes to a bot', () =>
    Promise.all([person, ...people].map((one) => one.writes(bot, 'again'))),
  );
  await during('POST /v1/polls/vote', () =>
    succeed(bot, 'POST', '/v1/polls/vote', {
      messageId: poll.msgId,
      optionId: poll.poll.options[0].id,
      groupId: group.groupId,
    }),
  );
  const refreshed = await during('POST /oauth/token: refresh', () => client.refreshes(tokens.refresh));
  await during('a request with an access token', () =>
    client.calls(refreshed?.body.access_token, 'GET', '/v1/stories/mine'),
  );
  await during('a page of a conversation', () => person.reads(bot));
  await during('the list of conversations', async () => {
    const { status } = await person.calls('GET', '/api/chat/conversations');
    if (status !== 200) throw new Error(`answered ${status}`);
  });
  const [due] = await world.db<{ bucket: number }[]>`
    select bucket from event_queue where state = 'pending' limit 1`;
  await during('a webhook is delivered', () => deliverOne(world, due?.bucket ?? 0));
}

/** Statements of open streams: their common checks, and the read of one that was told of an event. */
export async function driveStreams(world: World): Promise<void> {
  const bot = await world.bot();
  const person = await world.person();
  await person.writes(bot, 'hello');
  const signedIn = await findPerson(world, createSessionCookie(world.config).read(person.cookie));
  if (!signedIn) throw new Error('nobody is signed in');
  await createSessionCheck(world)(openSessionOf(signedIn));
  await using poller = new FeedPoller(world);
  poller.watch({ appId: bot.appId, after: 0, isWaiting: true, request: () => {} });
  await poller.look();
  await readFeed(world, bot.appId, { after: 0, limit: 1 });
}

/** As the worker does it on a cluster, shard by shard. */
async function deliverOne({ db, clock }: World, bucket: number): Promise<void> {
  const place = { shards: { isDistributed: true }, part: [{ bucket }] };
  const claimed = await findDue(db, {
    ...place,
    after: FIRST_TURN,
    before: BUCKETS,
    now: clock.now(),
    usual: 1,
    offers: new Map(),
    limit: 1,
  });
  const settlements = claimed.map((delivery) => ({
    delivery,
    state: 'delivered' as const,
    attempts: delivery.attempts + 1,
    nextAttemptAt: null,
    entry: { attempt: delivery.attempts + 1, at: clock.now(), status: 200 },
  }));
  await db.begin((tx) => settle(tx, settlements, place.shards));
}

async function succeed(
  bot: Bot,
  method: 'GET' | 'POST',
  url: string,
  body: object,
  // biome-ignore lint/suspicious/noExplicitAny: the answers have their own tests
): Promise<any> {
  const answer = await bot.calls(method, url, body);
  if (answer.status >= 300) throw new Error(`${method} ${url}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}
