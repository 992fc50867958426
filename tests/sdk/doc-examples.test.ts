import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fastify from 'fastify';
import pg from 'pg';
import * as sdk from '../../sdk/index.ts';
import * as sdkForNode from '../../sdk/node/index.ts';
import * as sdkForPostgres from '../../sdk/postgres/index.ts';
import { createSdkScene, type SdkScene } from './sdk-scene.ts';

const FILES = [
  'actor',
  'bot',
  'bot-calls',
  'composer',
  'conversation-calls',
  'error',
  'event-store',
  'incoming',
  'node/index',
  'oauth-client',
  'person',
  'postgres/index',
  'session',
  'signature',
  'tokens',
].map((name) => `sdk/${name}.ts`);

/** Methods of stores are documented in their interfaces; nobody else calls them. */
const OF_INTERFACES = ['claim', 'done', 'release', 'read', 'update', 'write', 'constructor'];

interface Example {
  name: string;
  code: string;
}

/** Every documented public function and class, with the example in its comment. */
function readDocumented(file: string): { name: string; code: string | undefined }[] {
  const text = readFileSync(file, 'utf8');
  const documented = text.matchAll(
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?:export (?:abstract )?(?:class|async function|function) (\w+)| {2}(?:async )?\*?(\w+)(?:<.*?>)?\()/g,
  );
  return [...documented].map(([, comment = '', exported, method]) => ({
    name: `${file} ${exported ?? method}`,
    code: comment.split('@example\n')[1]?.replace(/^ *\* ?/gm, ''),
  }));
}

/** Public functions and classes found in the code, so that none is missed for lack of a comment. */
function readPublicNames(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(
    /^(?:export (?:async )?function (\w+)|export class (\w+)| {2}(?:async )?\*?([a-z]\w*)(?:<.*?>)?\(.*\{$| {2}(?:async )?([a-z]\w*)\($)/gm,
  );
  return [...found].map((names) => `${file} ${names.slice(1).find(Boolean)}`);
}

const INTERNAL = [
  'sdk/composer.ts handle',
  'sdk/incoming.ts conversationOf',
  'sdk/incoming.ts withCalls',
  'sdk/person.ts Person',
  'sdk/session.ts inTurns',
];

test('every public function has an example', () => {
  for (const file of FILES) {
    const withExample = new Set(
      readDocumented(file)
        .filter(({ code }) => code)
        .map(({ name }) => name),
    );
    const without = readPublicNames(file).filter(
      (name) =>
        !withExample.has(name) &&
        !INTERNAL.includes(name) &&
        !OF_INTERFACES.includes(name.split(' ')[1] as string),
    );
    assert.deepEqual(without, []);
  }
});

let scene: SdkScene;
let directory: string;
const servers: Server[] = [];
before(async () => {
  scene = await createSdkScene();
  directory = mkdtempSync(join(tmpdir(), 'parley-sdk-doc-'));
});
after(async () => {
  for (const server of servers) server.close();
  rmSync(directory, { recursive: true });
  await scene[Symbol.asyncDispose]();
});

/** Declarations that the examples assume. */
async function givens(): Promise<Record<string, unknown>> {
  const { world, baseUrl, bot: account, ada, clientId, clientSecret, redirectUri, consentAt } = scene;
  const service = { baseUrl, now: () => world.clock.now() };
  const { key: apiKey, webhookSecret } = account;
  const bot = new sdk.Bot({ ...service, apiKey, webhookSecret });
  const tokens = new sdk.MemoryTokenStore();
  const oauth = new sdk.OAuthClient({ ...service, clientId, clientSecret, redirectUri, tokens });
  const scopes = ['profile', 'stories:read', 'stories:write'] as const;
  const { url, ...pending } = await oauth.authorize({ scopes });
  const person = await oauth.exchange(await consentAt(url), pending, 'ada');
  const { groupId } = await bot.createGroup({ name: 'Hikers', members: [ada.accountId] });
  const rawBody = '{"type":"ping","data":{}}';
  const seconds = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', webhookSecret).update(`${seconds}.${rawBody}`).digest('hex');
  return {
    ...sdk,
    ...sdkForNode,
    ...sdkForPostgres,
    ...{ pg, connectionString: 'postgres://localhost/bots' },
    ...{ baseUrl, apiKey, webhookSecret, clientId, clientSecret, redirectUri, consentAt, directory },
    ...{ bot, oauth, person, ada: ada.accountId, group: groupId, fastify, rawBody },
    headers: { 'x-service-signature': `t=${seconds},v1=${v1}` },
    createServer(listener: RequestListener) {
      const server = createServer(listener);
      servers.push(server);
      return server;
    },
    console: { log: () => undefined, error: () => undefined },
  };
}

const examples = FILES.flatMap(readDocumented).filter((one): one is Example => one.code !== undefined);
for (const { name, code } of examples) {
  test(`the example of ${name} runs against the real server`, async () => {
    const given = await givens();
    const body = stripTypeScriptTypes(`async () => {\n${code}\n}`);
    await new Function(...Object.keys(given), `return (${body})()`)(...Object.values(given));
  });
}
