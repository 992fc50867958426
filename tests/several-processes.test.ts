import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Secret, TOTP } from 'otpauth';
import { ASK_WAIT } from '#contract/mcp.ts';
import { openDatabase } from '#platform/database.ts';
import { createTestDatabase } from '#testing/database.ts';
import { type EventSource, listen } from '#testing/event-source.ts';
import { COMPANY } from '#testing/openid-provider.ts';
import { startRedis } from '#testing/redis.ts';
import { approve } from '#testing/stock-client-scene.ts';
import { eventually, LONGEST_WAIT_MS, PATIENT } from '#testing/waits.ts';
import { Browser } from './browser.ts';
import { killOneOfThree } from './chaos/kill-one-of-three.ts';
import { createPair, PASSWORD, type Pair } from './chaos/population.ts';
import { startClientApplication } from './client-application.ts';
import { OneConnection } from './one-connection.ts';
import { type ServerProcess, settingsOn, startParley } from './processes.ts';

/** Two machines of two processes each, in front of one database and one Redis. */
const started = new AsyncDisposableStack();
after(() => started.disposeAsync());
const redis = started.use(await startRedis());
const settings = {
  ...settingsOn(started.use(await createTestDatabase())),
  DATABASE_POOL_SIZE: '5',
  LOG_LEVEL: 'fatal',
  METRICS_TOKEN: 'metrics-of-all-processes',
};
const shared = { ...settings, REDIS_URL: redis.url, PROCESSES: '2' };
const machines = await Promise.all([startParley(shared), startParley(shared)]);
for (const machine of machines) started.use(machine);

const origins = () => machines.map(({ url }) => url);
const originAt = (i: number) => origins()[i % machines.length] as string;
const message = { type: 'text', content: 'x' };

/** The metrics of all processes of a machine. */
async function metricsOf({ url }: ServerProcess, signal?: AbortSignal): Promise<string> {
  const answer = await fetch(`${url}/metrics`, {
    headers: { authorization: 'Bearer metrics-of-all-processes' },
    ...(signal && { signal }),
  });
  return answer.text();
}

async function isRedisBack(): Promise<boolean> {
  const texts = await Promise.all(machines.map((machine) => metricsOf(machine)));
  return texts.every((text) => text.match(/^parley_redis_answers\{process="\d+"\} 1$/gm)?.length === 2);
}

let pairs = 0;
const newPair = () => createPair(originAt(0), ++pairs, 'https://hooks.example.com/x');

async function sendOnce(origin: string, { apiKey, userId }: Pair): Promise<number> {
  using client = new OneConnection(origin);
  const answer = await client.post(
    '/v1/messages',
    { authorization: `Bearer ${apiKey}` },
    { to: userId, ...message },
  );
  return answer.status;
}

async function signIn(origin: string, { email }: Pair): Promise<{ browser: Browser; cookie: string }> {
  using client = new OneConnection(origin);
  const { headers } = await client.post('/api/auth/sign-in', { origin }, { email, password: PASSWORD });
  const browser = new Browser(origin);
  await browser.post('/api/auth/sign-in', { email, password: PASSWORD });
  return { browser, cookie: headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '' };
}

/** A new person made operator by the command line, with two-factor sign-in enabled. */
async function enterOperator(origin: string, databaseUrl: string): Promise<Browser> {
  const operator = await createPair(origin, ++pairs, 'https://hooks.example.com/x');
  const { browser } = await signIn(origin, operator);
  const db = openDatabase({ url: databaseUrl, poolSize: 1, ...PATIENT });
  await db`insert into operators (account_id, named_at) values (${operator.userId}, 0)`;
  await db.end({ timeout: 5 });
  const { secret } = await browser.post<{ secret: string }>('/api/auth/two-factor/enrol', {});
  await browser.post('/api/auth/two-factor/confirm', {
    code: TOTP.generate({ secret: Secret.fromBase32(secret) }),
  });
  return browser;
}

async function nextOf(source: EventSource, type: string): Promise<unknown> {
  for (;;) {
    const event = await source.next();
    if (!event) return undefined;
    if (event.type === type) return JSON.parse(event.data);
  }
}

test('each machine has two processes and exports metrics of both', async () => {
  for (const machine of machines) {
    const pids = await machine.childPids();
    assert.equal(pids.length, 2);
    const text = await metricsOf(machine);
    for (const pid of pids)
      assert.match(text, new RegExp(`^process_uptime_seconds\\{process="${pid}"\\} `, 'm'));
    assert.match(text, /^parley_redis_answers\{process="\d+"\} 1$/m);
    assert.equal(text.match(/^# TYPE process_uptime_seconds /gm)?.length, 1);
  }
});

test('the metrics report a hanging process while it hangs', async () => {
  const [machine] = machines;
  const [hanging] = await machine.childPids();
  process.kill(hanging as number, 'SIGSTOP');
  try {
    const isReported = new RegExp(`^parley_process_answers\\{process="${hanging}"\\} 0$`, 'm');
    await eventually(async () => {
      // A connection assigned to the hanging process is not answered.
      const asked = [1, 2].map(() => metricsOf(machine, AbortSignal.timeout(10_000)));
      const text = await Promise.any(asked).catch(() => '');
      return isReported.test(text) && text.match(/^process_uptime_seconds/gm)?.length === 1;
    });
  } finally {
    process.kill(hanging as number, 'SIGCONT');
  }
});

test('of 1,000 concurrent requests over 4 processes with a limit of 60, 60 pass', async () => {
  const pair = await newPair();
  const statuses = await Promise.all(Array.from({ length: 1000 }, (_, i) => sendOnce(originAt(i), pair)));
  const countOf = (asked: number) => statuses.filter((status) => status === asked).length;
  // A busy server refuses with 503, usually before it counts a request.
  const [passed, busy, limited] = [201, 503, 429].map(countOf) as [number, number, number];
  assert.ok(passed <= 60 && passed + busy >= 60, `${passed} passed, ${busy} were refused by a busy server`);
  assert.equal(passed + busy + limited, 1000);
});

test('wrong passwords are counted across all processes', async () => {
  const pair = await newPair();
  const guess = async (i: number) => {
    using client = new OneConnection(originAt(i));
    const given = { email: pair.email, password: 'not this one' };
    return (await client.post('/api/auth/sign-in', { origin: originAt(i) }, given)).status;
  };
  const statuses = await Promise.all(Array.from({ length: 30 }, (_, i) => guess(i)));
  assert.equal(statuses.filter((status) => status === 401).length, 10);
  assert.equal(statuses.filter((status) => status === 429).length, 20);
});

test('a live event reaches open pages on every process', async (t) => {
  const pair = await newPair();
  const { cookie } = await signIn(originAt(0), pair);
  const pages = await Promise.all(
    Array.from({ length: 12 }, (_, i) => listen(`${originAt(i)}/api/chat/live`, { cookie })),
  );
  t.after(() => Promise.all(pages.map((page) => page[Symbol.asyncDispose]())));
  for (const page of pages) assert.equal(page.status, 200);
  for (const origin of origins()) {
    assert.equal(await sendOnce(origin, pair), 201);
    for (const page of pages) {
      const { from } = (await nextOf(page, 'message')) as { from: string };
      assert.equal(from, pair.botId);
    }
  }
});

test('an answer that is written at one machine reaches the tool that waits for it at another', async (t) => {
  const pair = await newPair();
  const { browser } = await signIn(originAt(1), pair);
  const headers = { authorization: `Bearer ${pair.apiKey}` };
  const { data: me } = (await (await fetch(`${originAt(0)}/v1/me`, { headers })).json()) as {
    data: { appId: string };
  };
  await browser.post(`/api/console/applications/${me.appId}/extensions`, { extension: 'mcp' });
  for (let i = 0; i < 4; i++) {
    const client = new Client({ name: 'test', version: '1' });
    t.after(() => client.close());
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${originAt(0)}/mcp`), { requestInit: { headers } }),
    );
    let waited = 0;
    const options = {
      timeout: LONGEST_WAIT_MS,
      onprogress: ({ progress }: { progress: number }) => {
        waited = progress;
      },
    };
    const ask = async (given: object) => {
      const asked = { name: 'ask_person', arguments: { to: pair.userId, ...given } };
      return (await client.callTool(asked, options)).structuredContent as {
        isAnswered: boolean;
        msgId: string;
        answer: { textMsg: string };
      };
    };
    const answered = async () => {
      let result = await ask({ content: `question ${i}` });
      while (!result.isAnswered) result = await ask({ msgId: result.msgId });
      return result.answer.textMsg;
    };
    const asking = answered();
    await eventually(async () => {
      const path = `/api/chat/conversations/${pair.conversationId}/messages`;
      const { messages } = await browser.get<{ messages: { content: string }[] }>(path);
      return messages.some(({ content }) => content === `question ${i}`);
    });
    await browser.post('/api/chat/messages', { to: pair.botId, type: 'text', content: `answer ${i}` });
    assert.equal(await asking, `answer ${i}`);
    assert.ok(waited < ASK_WAIT.usual, 'it was not found by the last look');
  }
});

test('ending a session ends its streams on every process', async (t) => {
  const pair = await newPair();
  const { browser, cookie } = await signIn(originAt(1), pair);
  const pages = await Promise.all(
    Array.from({ length: 4 }, (_, i) => listen(`${originAt(i)}/api/chat/live`, { cookie })),
  );
  t.after(() => Promise.all(pages.map((page) => page[Symbol.asyncDispose]())));
  await browser.post('/api/auth/password', { currentPassword: PASSWORD, newPassword: 'another horse' });
  for (const page of pages) assert.equal(await nextOf(page, 'nothing'), undefined, 'the stream ended');
});

test('a suspension applies on every process with the response: of 1,000 attempts after it none is accepted', async (t) => {
  const pair = await newPair();
  const { cookie } = await signIn(originAt(1), pair);
  const operator = await enterOperator(originAt(0), settings.DATABASE_URL);
  const pages = await Promise.all(
    Array.from({ length: 4 }, (_, i) => listen(`${originAt(i)}/api/chat/live`, { cookie })),
  );
  t.after(() => Promise.all(pages.map((page) => page[Symbol.asyncDispose]())));
  const stop = { at: Number.POSITIVE_INFINITY };
  let [before, after, acceptedAfter] = [0, 0, 0];
  const use = async (i: number) => {
    using client = new OneConnection(originAt(i));
    const headers = { cookie, origin: originAt(i) };
    while (after < 1_000) {
      const startedAt = performance.now();
      const { status } = await client.post('/api/chat/messages', headers, { to: pair.botId, ...message });
      if (startedAt <= stop.at) before++;
      else {
        after++;
        if (status !== 401) acceptedAfter++;
      }
    }
  };
  const users = Array.from({ length: 8 }, (_, i) => use(i));
  await eventually(() => before > 0);
  await operator.post(`/api/operate/people/${pair.userId}/suspension`, { reason: 'spam' });
  stop.at = performance.now();
  for (const page of pages) assert.equal(await nextOf(page, 'nothing'), undefined, 'the stream ended');
  await Promise.all(users);
  assert.equal(acceptedAfter, 0);
});

test('whom a provider deactivates is refused on every process: streams, session, token and grant', async (t) => {
  const pair = await newPair();
  const { cookie } = await signIn(originAt(1), pair);
  const operator = await enterOperator(originAt(0), settings.DATABASE_URL);
  const { providerId, issuer } = await operator.post('/api/operate/providers', COMPANY);
  const { token: scimToken } = await operator.post(`/api/operate/providers/${providerId}/scim-token`, {});
  const db = openDatabase({ url: settings.DATABASE_URL, poolSize: 1, ...PATIENT });
  await db`
    insert into identities (account_id, issuer, subject, is_managed, connected_at)
    values (${pair.userId}, ${String(issuer)}, 'ada', false, 0)`;
  await db.end({ timeout: 5 });
  await using application = await startClientApplication(originAt(0), 'Diary');
  const back = await approve(new URL(application.authorizeUrl('profile', 's')), { cookie });
  const { body: tokens } = await application.posts('/oauth/token', {
    grant_type: 'authorization_code',
    code: back.searchParams.get('code') ?? '',
    redirect_uri: application.redirectUri,
  });
  const pages = await Promise.all(
    Array.from({ length: 4 }, (_, i) => listen(`${originAt(i)}/api/chat/live`, { cookie })),
  );
  t.after(() => Promise.all(pages.map((page) => page[Symbol.asyncDispose]())));
  const token = String(tokens['access_token']);
  const statuses = (i: number) =>
    Promise.all([
      fetch(`${originAt(i)}/api/auth/session`, { headers: { cookie } }),
      fetch(`${originAt(i)}/oauth/userinfo`, { headers: { authorization: `Bearer ${token}` } }),
    ]).then((answers) => answers.map(({ status }) => status));
  for (const i of [0, 1, 2, 3]) assert.deepEqual(await statuses(i), [200, 200]);

  const deactivated = await fetch(`${originAt(1)}/scim/v2/Users/${pair.userId}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${scimToken}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({ Operations: [{ op: 'replace', value: { active: false } }] }),
  });
  assert.equal(deactivated.status, 200);
  const began = performance.now();
  for (const i of [0, 1, 2, 3]) {
    const [session, access = 0] = await statuses(i);
    assert.ok(session === 401 && access >= 400, `${session} ${access}`);
  }
  for (const page of pages) assert.equal(await nextOf(page, 'nothing'), undefined, 'the stream ended');
  assert.ok(performance.now() - began < 2_000, 'all of it within 2 s');
  const { status } = await application.posts('/oauth/token', {
    grant_type: 'refresh_token',
    refresh_token: String(tokens['refresh_token']),
  });
  assert.ok(status >= 400, 'the grant waits');
});

test('maintenance applies on every process: nothing is written until it ends, and reads continue', async () => {
  const pair = await newPair();
  const operator = await enterOperator(originAt(0), settings.DATABASE_URL);
  const { cookie } = await signIn(originAt(0), pair);
  const everywhere = async (state: 0 | 1) => {
    const series = new RegExp(`^parley_maintenance\\{process="\\d+"\\} ${state}$`, 'gm');
    const isThere = async (machine: ServerProcess) => (await metricsOf(machine)).match(series)?.length === 2;
    await eventually(async () => (await Promise.all(machines.map(isThere))).every(Boolean));
  };
  const write = async (i: number) => {
    using client = new OneConnection(originAt(i));
    const headers = { cookie, origin: originAt(i) };
    const answer = await client.post('/api/chat/messages', headers, { to: pair.botId, ...message });
    return `${answer.status} ${answer.headers['retry-after'] === undefined ? '' : 'later'}`;
  };
  const read = async (i: number) => {
    const answer = await fetch(`${originAt(i)}/api/chat/conversations`, { headers: { cookie } });
    await answer.text();
    return answer.status;
  };
  const often = async <T>(of: (i: number) => Promise<T>) => {
    const answers = new Set<T>();
    for (let i = 0; i < 40; i++) answers.add(await of(i));
    return answers;
  };
  await operator.put('/api/operate/maintenance', { until: Date.now() + 600_000 });
  await everywhere(1);
  assert.deepEqual([await often(write), await often(read)], [new Set(['503 later']), new Set([200])]);
  await operator.delete('/api/operate/maintenance');
  await everywhere(0);
  assert.deepEqual(await often(write), new Set(['201 ']));
});

test('kill -9 during an announcement: the next process continues, and each person gets the message once', async () => {
  await using database = await createTestDatabase();
  const alone = { ...settings, DATABASE_URL: database.url };
  const killed = await startParley(alone);
  const operator = await enterOperator(killed.url, database.url);
  await using closing = new AsyncDisposableStack();
  const db = openDatabase({ url: database.url, poolSize: 2, ...PATIENT });
  closing.defer(() => db.end({ timeout: 5 }));
  const people = Array.from({ length: 250 }, (_, i) => ({
    accountId: `usr_0${String(i + 1).padStart(23, '0')}`,
    isBot: false,
    name: 'Extra',
    email: `${i}@example.com`,
    createdAt: 0,
  }));
  await db.write((tx) => tx`insert into accounts ${tx(people)}`);
  await operator.post('/api/operate/announcements', {
    text: { en: 'We move.' },
    isLine: false,
    isMessage: true,
  });
  const told = async () => (await db`select told, told_at from announcements`)[0];
  await eventually(async () => (await told())?.['told'] >= 100);
  // The second batch writes its messages and waits here, before recording its progress.
  await db.begin(async (tx) => {
    await tx`lock table announcements in share mode`;
    const isWaiting = async () =>
      (
        await db`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ilike '%update announcements%'`
      ).length > 0;
    await eventually(isWaiting);
    await killed.kill();
  });
  await using next = await startParley(alone);
  await eventually(async () => (await told())?.['toldAt'] !== null);
  const [counted] = await db`
    select count(*)::integer as messages, count(distinct conversation_id)::integer as people
    from messages join accounts on account_id = sender_id where app_id is null and is_bot`;
  assert.deepEqual({ ...counted }, { messages: 251, people: 251 });
  assert.match(next.printed(), /is ready/);
});

test('a revoked key is invalid on every process with the response: of 2,000 uses after it none is accepted', async () => {
  const pair = await newPair();
  const { browser } = await signIn(originAt(0), pair);
  const { applications } = await browser.get<{ applications: { appId: string }[] }>('/api/console/home');
  const stop = { at: Number.POSITIVE_INFINITY };
  let [before, after, acceptedAfter] = [0, 0, 0];
  const use = async (i: number) => {
    using client = new OneConnection(originAt(i));
    while (after < 2_000) {
      const startedAt = performance.now();
      // Without a body it is 400 while the key is valid, whatever the quota: nothing is written.
      const { status } = await client.post('/v1/messages', { authorization: `Bearer ${pair.apiKey}` }, {});
      if (startedAt <= stop.at) before++;
      else {
        after++;
        if (status !== 401) acceptedAfter++;
      }
    }
  };
  const users = Array.from({ length: 32 }, (_, i) => use(i));
  await eventually(() => before > 0);
  await browser.post(`/api/console/applications/${applications[0]?.appId}/api-key`, {});
  stop.at = performance.now();
  await Promise.all(users);
  assert.equal(acceptedAfter, 0);
});

test('a server without Redis refuses to start beside them, and says why', async () => {
  await assert.rejects(startParley(settings), /another Parley server uses this database.* set REDIS_URL/);
});

test('everything works while Redis is down, and quotas are exact again when it returns', async () => {
  const pair = await newPair();
  await redis.kill();
  const statuses = await Promise.all(Array.from({ length: 8 }, (_, i) => sendOnce(originAt(i), pair)));
  assert.deepEqual(new Set(statuses), new Set([201]));
  await redis.startAgain();
  await eventually(isRedisBack);
  const again = await Promise.all(Array.from({ length: 300 }, (_, i) => sendOnce(originAt(i), pair)));
  assert.equal(again.filter((status) => status === 201).length, 60);
});

test('kill -9 of one of 3 processes under load loses nothing, and breaks only its connections', async () => {
  const { acknowledged, events, lost, unheard, broken } = await killOneOfThree([
    { victim: 0, afterEvents: 100 },
  ]);
  assert.ok(acknowledged > 100 && events > 50, `${acknowledged} messages, ${events} events`);
  assert.deepEqual({ lost, unheard }, { lost: 0, unheard: 0 });
  assert.ok((broken[0] ?? 0) > 0, 'the killed process had connections');
});
