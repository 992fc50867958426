import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { V1 } from '#contract/api/v1.ts';
import type { Chapter } from '#contract/endpoints.ts';
import { ADA, BEN, BOT, GROUP, MESSAGE, QUOTED } from '#contract/examples.ts';
import { type BodySchema, wrongBodiesOf } from '#testing/wrong-bodies.ts';
import type * as Testing from '../../sdk/testing/index.ts';
import { Parley } from '../../sdk/testing/parley.ts';
import { startParley } from '../processes.ts';
import { installTesting } from './built-testing.ts';

const ROUTES = Object.entries<Chapter<'actor'>[keyof Chapter<'actor'>]>(V1.endpoints);
/** Which it would send events to. */
const OTHER_SERVERS = 'PUT /v1/webhook';

/** Everything that a server says to requests derived from the tables, and the events then. */
async function interview(parley: Testing.Parley): Promise<string[]> {
  const said: string[] = [];
  const names = new Map<string, string>();
  const bot = await parley.createBot({ name: 'Weather', scopes: ['polls:write', 'bot:manage'] });
  const { apiKey: plainKey } = await parley.createBot({ name: 'Other' });
  const people = [await parley.createPerson('Ada'), await parley.createPerson('Ben')] as const;
  const known = new Map([
    [BOT, bot.userId],
    [ADA, people[0].userId],
    [BEN, people[1].userId],
  ]);
  for (const id of known.values()) nameOf(id);
  for (const person of people) known.set(MESSAGE, (await person.send(bot, 'Hello')).msgId);
  const call = async (label: string, route: string, key: string, body?: unknown) => {
    const [method = '', pattern = ''] = route.split(' ');
    const path = pattern.replace(':userId', ADA).replace(':conversationId', GROUP).replace(':msgId', MESSAGE);
    const query = /^(GET|HEAD)$/.test(method) ? `?conversationId=${BEN}&groupId=${GROUP}` : '';
    const answer = await fetch(parley.url + toKnown(path + query), {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: toKnown(JSON.stringify(body)) }),
    });
    const text = await answer.text();
    const headers = ['content-type', 'www-authenticate', 'ratelimit-limit'].map((one) =>
      answer.headers.get(one),
    );
    said.push(toNames(`${label} ${route}: ${answer.status} ${headers} ${text}`));
    return text;
  };

  const created = await call('a group', 'POST /v1/groups', bot.apiKey, { name: 'Team', members: [ADA, BEN] });
  known.set(GROUP, JSON.parse(created).data.groupId);
  const sent = { groupId: GROUP, type: 'text', content: 'Well?' };
  known.set(
    QUOTED,
    JSON.parse(await call('a message', 'POST /v1/messages/group', bot.apiKey, sent)).data.msgId,
  );
  for (const [route, { body, example }] of ROUTES) {
    const given = example?.request;
    await call('no key', route, 'xk_live_0', given);
    await call('few scopes', route, plainKey, given);
    for (const wrong of body ? wrongBodiesOf(body as BodySchema) : [])
      await call(`wrong ${wrong.field}`, route, bot.apiKey, wrong.body);
    if (route !== OTHER_SERVERS && !route.startsWith('DELETE /v1/groups'))
      await call('example', route, bot.apiKey, given);
  }
  await call('events', 'GET /v1/events', bot.apiKey);
  return said;

  function toKnown(text: string): string {
    return text.replace(/\b[a-z]{3}_[0-9a-z]{24}\b/g, (id) => known.get(id) ?? id);
  }

  function toNames(text: string): string {
    return text
      .replace(/\b[a-z]{3}_[0-9a-z]{24}\b/g, nameOf)
      .replace(/\b1\d{12}\b/g, 'a time')
      .replace(/"durationMs":[\d.]+/g, '"durationMs":0');
  }

  function nameOf(id: string): string {
    names.set(id, names.get(id) ?? `${id.slice(0, 3)} ${names.size}`);
    return names.get(id) as string;
  }
}

test('the server for tests says the same as a server, to every request that the tables of endpoints describe', async () => {
  await using running = new AsyncDisposableStack();
  const installed = running.use(await installTesting());
  const main = join(installed.directory, 'node_modules/parley-testing/dist/index.js');
  const { startParley: startForTests }: typeof Testing = await import(pathToFileURL(main).href);
  const directory = await mkdtemp(join(tmpdir(), 'parley-parity-'));
  running.defer(() => rm(directory, { recursive: true, force: true }));
  const server = running.use(await startParley({ DATA_DIR: directory, REQUESTS_PER_MINUTE: '1000000' }));
  const emulator = running.use(await startForTests());
  const real = new Parley({ url: server.url, advance: async () => Date.now(), stop: async () => {} });
  const [expected, said] = await Promise.all([interview(real), interview(emulator)]);
  assert.ok(said.length > 200, `${said.length} answers`);
  assert.deepEqual(said, expected);
});
