import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type { LiveEvent } from '#platform/live.ts';
import { eventually } from '#testing/waits.ts';
import { type Bot, createWorldFor } from '#testing/world.ts';

/** A request of a bot whose lines can be sent one by one. */
class Writing {
  readonly #request: ClientRequest;
  readonly #response: Promise<[IncomingMessage]>;

  constructor(
    origin: string,
    { key }: Bot,
    { path = '/v1/messages/draft', method = 'PUT', type = 'application/x-ndjson' } = {},
  ) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type };
    this.#request = request(origin + path, { method, headers, agent: false });
    this.#response = once(this.#request, 'response') as Promise<[IncomingMessage]>;
    // A refused one may still be sending.
    this.#request.on('error', () => undefined);
    this.#request.flushHeaders();
  }

  line(...lines: object[]): void {
    this.#request.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }

  end(): void {
    this.#request.end();
  }

  async answer() {
    const [response] = await this.#response;
    const body = (await json(response)) as { message: string; data?: object };
    this.#request.destroy();
    return { status: response.statusCode, headers: response.headers, body };
  }
}

async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  const [ada, bot] = [await world.person('Ada'), await world.bot()];
  await ada.writes(bot, 'hi');
  const origin = await world.app.listen({ port: 0, host: '127.0.0.1' });
  const shown: string[] = [];
  const unfollow = world.live.subscribe(ada.accountId, (event: LiveEvent) => {
    if (event.type === 'message.draft') shown.push(event.data.content);
  });
  t.after(unfollow);
  const saying = (content: string) => ({ conversationId: ada.accountId, content });
  const until = (content: string) => eventually(() => shown.at(-1) === content);
  /** A request whose first line is shown. */
  const begin = async () => {
    const writing = new Writing(origin, bot);
    writing.line(saying('Tomorrow'));
    await until('Tomorrow');
    return writing;
  };
  return { world, ada, bot, origin, shown, saying, until, begin };
}

test('the lines of one request are shown while they arrive, as one call of the quota', async (t) => {
  const { bot, shown, saying, until, begin } = await scene(t);
  const writing = await begin();
  const words = Array.from({ length: 50 }, (_, i) => saying('x'.repeat(i + 1)));
  writing.line(...words);
  await until('x'.repeat(50));
  assert.ok(shown.length < 10, 'of lines that arrive together, the newest');
  writing.line(saying('sunny'));
  writing.end();
  const { status, body, headers } = await writing.answer();
  assert.deepEqual([status, body.data], [200, { shown: true }]);
  await until('sunny');
  const next = await bot.calls('PUT', '/v1/messages/draft', saying('x'));
  const left = ({ 'ratelimit-remaining': remaining }: Record<string, unknown>) => Number(remaining);
  assert.equal(left(next.headers), left(headers) - 1);
});

test('the first line that is refused is the answer, with its field', async (t) => {
  const { bot, origin, saying, begin } = await scene(t);
  const answerTo = async (...lines: object[]) => {
    const writing = new Writing(origin, bot);
    writing.line(...lines);
    if (lines.length === 0) writing.end();
    return (await writing.answer()).status;
  };
  assert.equal(await answerTo(), 400, 'no line at all');
  assert.equal(await answerTo({ content: 'x' }), 400);
  const writing = await begin();
  writing.line({ ...saying('x'), content: 1 });
  const { status, body } = await writing.answer();
  assert.deepEqual([status, body.message], [400, 'content must be of type string']);
  const typeOf = async (options: object) => {
    const other = new Writing(origin, bot, options);
    other.end();
    return (await other.answer()).body.message;
  };
  assert.equal(
    await typeOf({ type: 'application/jsonl' }),
    'Content-Type must be application/json or application/x-ndjson in UTF-8',
  );
  assert.equal(
    await typeOf({ method: 'POST', path: '/v1/messages' }),
    'Content-Type must be application/json in UTF-8',
    'other endpoints take no lines',
  );
});

test('each line is judged: a block, another key and the end of the server end the request', async (t) => {
  const { world, ada, bot, saying, begin } = await scene(t);
  const refusedAfter = async (act: () => Promise<unknown>) => {
    const writing = await begin();
    await act();
    writing.line(saying('sunny'));
    return (await writing.answer()).status;
  };
  assert.equal(await refusedAfter(() => ada.blocks(bot)), 403);
  await ada.unblocks(bot);
  assert.equal(await refusedAfter(() => bot.regeneratesKey()), 401);
  const writing = await begin();
  const closing = world.app.close();
  const { status, headers } = await writing.answer();
  assert.deepEqual([status, headers['retry-after']], [503, '1']);
  await closing;
});

test('an application has at most 200 of them open', async (t) => {
  const { bot, origin, saying } = await scene(t);
  const all = Array.from({ length: 200 }, () => new Writing(origin, bot));
  const oneMore = async () => {
    const writing = new Writing(origin, bot);
    writing.line(saying('x'));
    writing.end();
    return (await writing.answer()).status;
  };
  await eventually(async () => (await oneMore()) === 429);
  for (const writing of all) writing.end();
  for (const writing of all) assert.equal((await writing.answer()).status, 400);
  assert.equal(await oneMore(), 200);
});
