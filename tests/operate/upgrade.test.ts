import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { formatKey, KEY_BYTES } from '#platform/crypto/keyring.ts';
import { openDatabase } from '#platform/database.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { systemRandom } from '#platform/random.ts';
import { eventually, PATIENT } from '#testing/waits.ts';
import { type ServerProcess, startParley, toServerProcess, UNLIMITED } from '../processes.ts';

const HERE = new URL('./', import.meta.url).pathname;

/** A page that the previous version requests and this one does not. */
const GONE = { '@fastify/swagger-ui': 'export default async () => {};\n' };

/** The source of the previous version, with the packages of this one. */
async function unpackPrevious(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-previous-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  await promisify(execFile)('tar', ['-xzf', join(HERE, 'previous.tar.gz'), '-C', directory]);
  await symlink(resolve('node_modules'), join(directory, 'node_modules'));
  for (const [name, text] of Object.entries(GONE)) {
    const instead = join(directory, 'server/node_modules', name);
    await mkdir(instead, { recursive: true });
    await writeFile(
      join(instead, 'package.json'),
      JSON.stringify({ name, type: 'module', main: 'index.js' }),
    );
    await writeFile(join(instead, 'index.js'), text);
  }
  return directory;
}

async function startPrevious(cwd: string, environment: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const { promise, resolve: found, reject } = Promise.withResolvers<string>();
  for (const output of [child.stdout, child.stderr])
    createInterface(output).on('line', (line) => {
      lines.push(line);
      const url = /ready at (\S+)/.exec(line)?.[1];
      if (url) found(url.replace('localhost', '127.0.0.1'));
    });
  child.once('exit', () => reject(new Error(lines.join('\n'))));
  return toServerProcess(child, await promise, () => lines.join('\n'));
}

/** A person who writes to a bot, and the bot that answers, each at any of the servers. */
class Correspondents {
  readonly acknowledged: string[] = [];
  readonly failures: string[] = [];
  #cookie = '';
  #key = '';
  #application = '';
  #botId = '';
  #userId = '';
  readonly #previous: string;

  constructor(previous: string) {
    this.#previous = previous;
  }

  async arrive(url: string): Promise<void> {
    const person = { email: 'ada@example.com', password: 'correct horse', name: 'Ada' };
    const signUp = await this.#call(url, 'POST', '/api/auth/sign-up', person);
    this.#userId = signUp.account.accountId;
    const application = await this.#call(url, 'POST', '/api/console/applications', { name: 'Echo' });
    this.#key = application.apiKey;
    const path = `/api/console/applications/${application.appId}`;
    this.#application = path;
    await this.#call(url, 'PUT', `${path}/webhook-url`, { webhookUrl: 'https://hooks.example.com/x' });
    this.#botId = (await this.#call(url, 'POST', `${path}/bot`, { username: 'echo_bot' })).userId;
    await this.#call(url, 'POST', '/api/chat/messages', { to: this.#botId, type: 'text', content: 'First' });
  }

  /** One exchange; failures are collected. */
  async exchange(url: string, key: string): Promise<void> {
    try {
      const question = { to: this.#botId, type: 'text', content: `Question ${key}` };
      const keyed = { 'idempotency-key': crypto.randomUUID() };
      this.acknowledged.push((await this.#call(url, 'POST', '/api/chat/messages', question, keyed)).msgId);
      const answer = { to: this.#userId, type: 'text', content: `Answer ${key}` };
      const authorization = { authorization: `Bearer ${this.#key}`, 'idempotency-key': key };
      this.acknowledged.push((await this.#call(url, 'POST', '/v1/messages', answer, authorization)).msgId);
    } catch (error) {
      this.failures.push(`${url}: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** The same message with the same key at each of the servers; returns the ids in the responses. */
  async repeat(urls: string[], key: string): Promise<string[]> {
    const message = { to: this.#userId, type: 'text', content: `Once ${key}` };
    const headers = { authorization: `Bearer ${this.#key}`, 'idempotency-key': key };
    const ids: string[] = [];
    for (const url of urls) ids.push((await this.#call(url, 'POST', '/v1/messages', message, headers)).msgId);
    return ids;
  }

  /** Sets the bot's webhook URL at one server; returns the URL shown by each of the servers. */
  async setWebhookUrl(url: string, webhookUrl: string, readers: string[]): Promise<string[]> {
    await this.#call(url, 'PUT', `${this.#application}/webhook-url`, { webhookUrl });
    return Promise.all(
      readers.map(async (reader) => (await this.#call(reader, 'GET', this.#application)).webhookUrl),
    );
  }

  /** Everything that the person sees at this server. */
  async read(url: string): Promise<string[]> {
    const { conversations } = await this.#call(url, 'GET', '/api/chat/conversations');
    const [{ conversationId }] = conversations.filter(
      ({ peer }: { peer?: { userId: string } }) => peer?.userId === this.#botId,
    );
    const seen: string[] = [];
    for (let before = '', isMore = true; isMore; ) {
      const path = `/api/chat/conversations/${conversationId}/messages${before && `?before=${before}`}`;
      const { messages, nextBefore } = await this.#call(url, 'GET', path);
      seen.push(...messages.map(({ msgId }: { msgId: string }) => msgId));
      isMore = Boolean(nextBefore);
      before = nextBefore;
    }
    return seen;
  }

  // biome-ignore lint/suspicious/noExplicitAny: two versions respond, and every field read must be present
  async #call(url: string, method: string, path: string, body?: object, headers: object = {}): Promise<any> {
    const isKeyed = 'authorization' in headers;
    const ask = () =>
      fetch(`${url}${path}`, {
        method,
        headers: {
          ...(body && { 'content-type': 'application/json' }),
          ...(!isKeyed && this.#cookie && { cookie: this.#cookie }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      });
    // The previous version takes a busy machine for a database that is away. What has a key may be repeated.
    const mayRepeat = url === this.#previous && (method === 'GET' || 'idempotency-key' in headers);
    const answer = await eventually(async () => {
      const given = await ask();
      return mayRepeat && given.status === 503 ? undefined : given;
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    if (!isKeyed) this.#cookie ||= answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
    return text === '' ? undefined : JSON.parse(text).data;
  }
}

test('the previous version and this one serve side by side, and the upgrade loses no request and no message', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'parley-upgrade-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  await using postgres = await startEmbeddedPostgres({ dataDir: directory, log: pino({ level: 'warn' }) });
  const environment = {
    DATABASE_URL: postgres.url,
    DATA_DIR: directory,
    MASTER_KEYS: formatKey(1, systemRandom.bytes(KEY_BYTES)).trim(),
    ...UNLIMITED,
  };
  const previous = await startPrevious(await unpackPrevious(t), environment);
  t.after(() => previous[Symbol.asyncDispose]());
  const people = new Correspondents(previous.url);
  await people.arrive(previous.url);
  await ageSchema(postgres.url);

  // Where new requests go, as decided by a proxy.
  let open = [previous.url];
  let isOver = false;
  t.after(() => {
    isOver = true;
  });
  let count = 0;
  const traffic = [1, 2, 3].map(async () => {
    for (; !isOver; count++) await people.exchange(open[count % open.length] as string, `exchange-${count}`);
  });
  const afterAnother = async (wanted: number) => {
    const until = count + wanted;
    await eventually(() => count >= until || people.failures.length > 0);
  };
  await afterAnother(20);
  // It migrates the schema while the old one serves.
  await using present = await startParley(environment);
  open = [previous.url, present.url];
  await afterAnother(40);
  const both = [previous.url, present.url];
  for (const order of [both, both.toReversed()]) {
    const ids = await people.repeat(order, `repeated-${both.indexOf(order[0] as string)}`);
    assert.equal(new Set(ids).size, 1, 'a repetition at the other version creates nothing');
    people.acknowledged.push(ids[0] as string);
    const webhookUrl = `https://hooks.example.com/${both.indexOf(order[0] as string)}`;
    assert.deepEqual(await people.setWebhookUrl(order[0] as string, webhookUrl, both), [
      webhookUrl,
      webhookUrl,
    ]);
  }
  open = [present.url];
  await afterAnother(8);
  const draining = previous[Symbol.asyncDispose]();
  await afterAnother(20);
  await draining;
  isOver = true;
  await Promise.all(traffic);

  assert.deepEqual(people.failures, []);
  assert.ok(people.acknowledged.length >= 160);
  const seen = new Set(await people.read(present.url));
  assert.deepEqual(
    people.acknowledged.filter((msgId) => !seen.has(msgId)),
    [],
  );
  const db = openDatabase({ url: postgres.url, poolSize: 1, ...PATIENT });
  const [events] = await db<{ count: number }[]>`
    select (select count(*) from deliveries where type = 'message.received')
      + (select count(*) from events where type = 'message.received') as count`;
  await db.end({ timeout: 1 });
  assert.equal(
    events?.count,
    (people.acknowledged.length - 2) / 2 + 1,
    'each message of the person raised one event',
  );
});

/** Simulates that the previous version was installed a month ago. */
async function ageSchema(url: string): Promise<void> {
  const db = openDatabase({ url, poolSize: 1, ...PATIENT });
  await db`update schema_migrations set applied_at = applied_at - ${30 * 86_400_000}`;
  await db.end({ timeout: 1 });
}

/** Schema changes that would break the previous version. */
const NARROWING: readonly [RegExp, string][] = [
  [/\bdrop\s+(table|column|view|type|schema)\b/i, 'drops what the version before uses'],
  [/\brename (column|constraint)\b/i, 'renames what the version before uses'],
  [/\balter\s+column\s+\w+\s+(set\s+not\s+null|(set\s+data\s+)?type)\b/i, 'narrows a column'],
  [
    /\badd\s+column\s+(?:if not exists\s+)?(?:[^,;()]|\([^)]*\))*not\s+null(?![^,;]*\bdefault\b)/i,
    'adds a column that old inserts leave out',
  ],
];

/** Defaults may be before or after `not null`. A table may be replaced by another of the same name. */
function faultsOf(sql: string): string[] {
  const statements = sql.replaceAll(/--.*$/gm, '').split(';');
  for (const [, table] of sql.matchAll(/\balter table (\w+) rename to\b/gi))
    if (!new RegExp(`create table ${table} \\(`, 'i').test(sql)) return [`takes the name ${table} away`];
  return statements.flatMap((statement) =>
    NARROWING.filter(([pattern]) =>
      pattern.test(statement.replaceAll(/\bdefault\s+\S+\s+not null/gi, '')),
    ).map(([, fault]) => fault),
  );
}

test('no migration since the previous version drops, renames or narrows', async () => {
  const before = (await readFile(join(HERE, 'previous-migrations.txt'), 'utf8')).trim().split('\n');
  const files = (await readdir('server/migrations')).filter((name) => name.endsWith('.sql'));
  assert.deepEqual(
    before.filter((name) => !files.includes(name)),
    [],
    'released migrations stay',
  );
  for (const name of files.filter((file) => !before.includes(file)))
    assert.deepEqual(faultsOf(await readFile(`server/migrations/${name}`, 'utf8')), [], name);
});

test('the rule detects narrowing changes', () => {
  assert.equal(faultsOf('alter table a drop column b;').length, 1);
  assert.equal(faultsOf('alter table a rename column b to c;').length, 1);
  assert.equal(faultsOf('alter table a rename to b;').length, 1);
  assert.deepEqual(faultsOf('alter table a rename to b; create table a (c text);'), []);
  assert.equal(faultsOf('alter table a alter column b set not null;').length, 1);
  assert.equal(faultsOf('alter table a add column b text not null;').length, 1);
  assert.deepEqual(
    faultsOf("alter table a add column b jsonb not null default '[]', add column c bigint;"),
    [],
  );
  assert.deepEqual(faultsOf('alter table a drop constraint b; create table c (d text not null);'), []);
});
