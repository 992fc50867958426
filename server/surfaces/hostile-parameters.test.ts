import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { EXTENSIONS } from '#contract/applications.ts';
import { KEY_SCOPES, OAUTH_SCOPES } from '#contract/scopes.ts';
import { privateConversationId } from '#platform/ids.ts';
import { COMPANY } from '#testing/openid-provider.ts';
import { createTestPlatform } from '#testing/platform.ts';
import { findRoutes, pathParametersOf, type Route, type Schema } from '#testing/routes.ts';
import { createWorld, type World } from '#testing/world.ts';
import { wrongBodiesOf } from '#testing/wrong-bodies.ts';

let world: World;
let address: string;
let credentials: { cookie: string; key: string; accessToken: string; scimToken: string };
/** Valid path parameters; the test changes one at a time. */
let known: Record<string, string>;

before(async () => {
  world = await createWorld({ requestsPerMinute: 1_000_000, metricsToken: 'a token for the metrics' });
  address = await world.app.listen({ host: '127.0.0.1', port: 0 });
  const owner = await world.person();
  const bot = await world.bot({ owner });
  await bot.mayOnly(KEY_SCOPES);
  // Their addresses exist only while an application has the extension switched on.
  await world.switches(bot, EXTENSIONS);
  await owner.writes(bot, 'hello');
  const group = await owner.calls('POST', '/api/chat/groups', { name: 'Team' });
  await world.db`insert into operators (account_id, named_at) values (${owner.accountId}, 0)`;
  await world.db`
    insert into two_factor_secrets (account_id, secret, secret_key_id, last_time_step, enabled_at)
    values (${owner.accountId}, '', 1, 0, 0)`;
  const { providerId } = await world.signInProviders.addProvider(COMPANY, async () => {});
  credentials = {
    scimToken: await world.signInProviders.makeScimToken(providerId, async () => {}),
    cookie: owner.cookie,
    key: bot.key,
    accessToken: await world.token({ scopes: OAUTH_SCOPES }),
  };
  known = {
    accountId: owner.accountId,
    appId: bot.appId,
    userId: bot.accountId,
    fingerprint: '0'.repeat(64),
    groupId: group.body.data.groupId,
    conversationId: privateConversationId(owner.accountId, bot.accountId),
  };
});
after(() => world[Symbol.asyncDispose]());

function isBounded({ pattern, maxLength, anyOf, ...schema }: Schema): boolean {
  if (anyOf) return anyOf.every(isBounded);
  return schema.enum !== undefined || schema.const !== undefined || (pattern ?? maxLength) !== undefined;
}

test('every path and query parameter of every route has a pattern or a closed list of values', async () => {
  await using platform = await createTestPlatform();
  const loose = (await findRoutes(platform)).flatMap((route) => [
    ...pathParametersOf(route)
      .filter((name) => name !== '*' && !route.pathSchemas[name]?.pattern)
      .map((name) => `${route.name}: ${name} in the path`),
    ...Object.entries(route.querySchemas)
      .filter(([, schema]) => !isBounded(schema))
      .map(([name]) => `${route.name}: ${name} in the query`),
  ]);
  assert.deepEqual(loose, []);
});

function headersFor({ url, config }: Route): Record<string, string> {
  if (url.startsWith('/metrics')) return { authorization: 'Bearer a token for the metrics' };
  if (url.startsWith('/scim/')) return { authorization: `Bearer ${credentials.scimToken}` };
  const actors = config?.access?.actors;
  if (!actors) return { cookie: credentials.cookie, 'sec-fetch-site': 'same-origin' };
  return { authorization: `Bearer ${actors.includes('bot') ? credentials.key : credentials.accessToken}` };
}

/** The status and the body; a live stream is closed as soon as it has begun. */
async function call(route: Route, path: string, body?: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(new URL(path, address), {
    method: route.method,
    headers: { ...headersFor(route), ...(body !== undefined && { 'content-type': 'application/json' }) },
    redirect: 'manual',
    ...(body !== undefined && { body }),
  });
  const { status, headers } = answer;
  if (headers.get('content-type') !== 'text/event-stream') return { status, text: await answer.text() };
  await answer.body?.cancel();
  return { status, text: '' };
}

/** The route's path with one parameter replaced by a percent-encoded value. */
function pathWith({ url }: Route, changed: string, value: string): string {
  return url.replaceAll(/:(\w+)|\*/g, (whole, name = whole) =>
    name === changed ? value : (known[name] ?? 'x'),
  );
}

const NOT_TEXT = { NUL: 'a%00b', 'a lone surrogate': '%ED%A0%80', 'invalid UTF-8': 'a%FFb' };
const WRONG = {
  'too long for the router': 'x'.repeat(5000),
  long: 'x'.repeat(190),
  empty: '',
  'a number': '-1',
  'a number that overflows': '1e400',
  'a long number': '9'.repeat(30),
  'a boolean': 'true',
  JSON: encodeURIComponent('{"a":[1]}'),
  'an array': '1,2',
  quotes: encodeURIComponent(`'";--\\`),
  'a character of four bytes': '%F0%9F%98%80',
  dots: '%2E%2E%2F',
};

test('no value of a path parameter of any route causes a 5xx, and invalid text is 400', async () => {
  const faults: string[] = [];
  for (const route of await findRoutes(world)) {
    for (const name of pathParametersOf(route)) {
      for (const [kind, value] of Object.entries({ ...NOT_TEXT, ...WRONG })) {
        const { status, text } = await call(route, pathWith(route, name, value));
        const isRight = kind in NOT_TEXT ? status === 400 : status < 500;
        if (!isRight) faults.push(`${route.name} with ${kind} in ${name}: ${status} ${text.slice(0, 200)}`);
      }
    }
  }
  assert.deepEqual(faults, []);
});

test('no value of a query parameter of any route causes a 5xx, and invalid text is 400', async () => {
  const faults: string[] = [];
  for (const route of await findRoutes(world)) {
    const path = pathWith(route, '', '');
    for (const name of ['unheardOf', ...Object.keys(route.querySchemas)]) {
      const queries = Object.entries(NOT_TEXT).map(([kind, value]) => [kind, `${name}=${value}`]);
      // A route that does not read the parameter would do its work and could break the calls that follow.
      if (name in route.querySchemas) {
        queries.push(...Object.entries(WRONG).map(([kind, value]) => [kind, `${name}=${value}`]));
        queries.push(['twice', `${name}=a&${name}=b`], ['without a value', name]);
      }
      for (const [kind = '', query] of queries) {
        const { status, text } = await call(route, `${path}?${query}`);
        const isRight = kind in NOT_TEXT ? status === 400 : status < 500;
        if (!isRight) faults.push(`${route.name} with ${kind} in ${name}: ${status} ${text.slice(0, 200)}`);
      }
    }
  }
  assert.deepEqual(faults, []);
});

test('a field of another type is refused by its name, in the body of every route', async () => {
  const faults: string[] = [];
  let sent = 0;
  // Pages with forms answer by a page.
  const routes = (await findRoutes(world)).filter(({ url }) => /^\/(v1|api|oauth\/(token|revoke))/.test(url));
  for (const route of routes) {
    for (const { field, body } of route.bodySchema ? wrongBodiesOf(route.bodySchema) : []) {
      const { status, text } = await call(route, pathWith(route, '', ''), JSON.stringify(body));
      if (status !== 400 || !text.includes(`"message":"${field} `))
        faults.push(`${route.name} with another ${field}: ${status} ${text.slice(0, 200)}`);
      sent++;
    }
  }
  assert.deepEqual(faults, []);
  assert.ok(sent > 1_000, `${sent} bodies`);
});

test('errors quote at most the beginning of what a caller wrote in a body', async () => {
  const long = 'Qz'.repeat(5_000);
  const faults: string[] = [];
  for (const route of await findRoutes(world)) {
    const { bodyFields } = route;
    if (bodyFields.length === 0) continue;
    const bodyWith = (value: unknown) =>
      JSON.stringify(Object.fromEntries(bodyFields.map((name) => [name, value])));
    const bodies = {
      'a name twice': `{"${long}":1,"${long}":2}`,
      'NUL under a name': `{"${bodyFields[0]}":{"${long}":"\\u0000"}}`,
      'no JSON': `{"${bodyFields[0]}": ${long}}`,
      'long values': bodyWith(long),
      'lists of long values': bodyWith([long]),
      'objects with long names': bodyWith({ [long]: long, type: long }),
    };
    for (const [kind, body] of Object.entries(bodies)) {
      const { status, text } = await call(route, pathWith(route, '', ''), body);
      const isQuoted = /(?:Qz){100}/.test(text);
      if (status >= 500 || isQuoted)
        faults.push(`${route.name} with ${kind}: ${status} ${text.slice(0, 200)}`);
    }
  }
  assert.deepEqual(faults, []);
});

test('only routes that check the credential before the body is read take more than 16 KiB', async () => {
  await using platform = await createTestPlatform();
  const routes = (await findRoutes(platform)).filter(({ method }) => method !== 'GET');
  const payload = JSON.stringify({ a: 'x'.repeat(17_000) });
  const tooOpen: string[] = [];
  for (const { name, method, url } of routes) {
    const path = url.replaceAll(/:(\w+)/g, (_, parameter: string) => known[parameter] ?? 'x');
    const { statusCode } = await world.app.inject({
      method: method as 'POST',
      url: path,
      payload,
      headers: { 'content-type': 'application/json' },
    });
    if (![401, 403, 404, 413, 415].includes(statusCode)) tooOpen.push(`${name}: ${statusCode}`);
  }
  assert.deepEqual(tooOpen, []);
  const large = async (url: string, bytes: number, headers: Record<string, string>) =>
    (
      await world.app.inject({
        method: 'POST',
        url,
        payload: `{"a":"${'x'.repeat(bytes - 8)}"}`,
        headers: { 'content-type': 'application/json', ...headers },
      })
    ).statusCode;
  const { cookie, key } = credentials;
  for (const [url, headers] of [
    ['/v1/messages', { authorization: `Bearer ${key}` }],
    ['/api/chat/messages', { cookie }],
    ['/api/console/applications', { cookie }],
  ] as const) {
    assert.equal(await large(url, 256 * 1024, headers), 400, url);
    assert.equal(await large(url, 256 * 1024 + 1, headers), 413, url);
  }
  for (const url of ['/oauth/token', '/oauth/revoke', '/api/auth/sign-in']) {
    assert.equal(await large(url, 16 * 1024, {}), 400, url);
    assert.equal(await large(url, 16 * 1024 + 1, {}), 413, url);
  }
});
