import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createWorldFor } from '#testing/world.ts';

async function sceneFor(t: TestContext) {
  const world = await createWorldFor(t);
  const [bot, ada] = [await world.bot(), await world.person()];
  const log = `/api/console/applications/${bot.appId}/events`;
  return {
    world,
    bot,
    writes: async (text: string) => (await ada.writes(bot, text)).msgId,
    /** The cursors and texts that the bot fetches. */
    async fetches(after?: string): Promise<[cursor: string, text: string][]> {
      const { body } = await bot.calls('GET', `/v1/events${after === undefined ? '' : `?after=${after}`}`);
      return body.data.events.map(
        ({ cursor, event }: { cursor: string; event: { data: { textMsg: string } } }) => [
          cursor,
          event.data.textMsg,
        ],
      );
    },
    async states(): Promise<string[]> {
      const { body } = await bot.owner.calls('GET', log);
      return body.data.map(({ state }: { state: string }) => state).reverse();
    },
    async says(path: string, body: object) {
      const answer = await bot.calls('POST', `/v1/events/${path}`, body);
      return [answer.status, answer.body.data ?? answer.body.message];
    },
  };
}

test('an event without a webhook counts as received once the bot has fetched it', async (t) => {
  const { bot, writes, fetches, states } = await sceneFor(t);
  await writes('one');
  assert.deepEqual(await states(), ['unsent']);
  await fetches();
  await writes('two');
  assert.deepEqual(await states(), ['fetched', 'unsent']);
  const filtered = await bot.owner.calls(
    'GET',
    `/api/console/applications/${bot.appId}/events?state=fetched`,
  );
  assert.equal(filtered.body.data.length, 1);
});

test('a bot continues after the last event it acknowledged, and never goes back', async (t) => {
  const { writes, fetches, says } = await sceneFor(t);
  for (const text of ['one', 'two', 'three']) await writes(text);
  assert.equal((await fetches('acknowledged')).length, 3, 'nothing was acknowledged');
  for (const upTo of ['2', '1'])
    assert.deepEqual(await says('acknowledge', { upTo }), [200, { acknowledged: true }]);
  assert.deepEqual(await fetches('acknowledged'), [['3', 'three']]);
});

test('an event that the bot gives up is a dead letter, is in the log with its reason, and can be replayed', async (t) => {
  const { world, bot, writes, fetches, states, says } = await sceneFor(t);
  const msgId = await writes('one');
  await writes('two');
  await fetches();
  const failed = [{ cursor: '1', attempts: 8, error: 'TypeError' }];
  assert.deepEqual(await says('acknowledge', { upTo: '2', failed }), [200, { acknowledged: true }]);
  assert.deepEqual(await states(), ['abandoned', 'fetched']);
  const { body } = await bot.calls('GET', '/v1/events/dead-letters');
  const [{ eventId, ...letter }] = body.data.deadLetters;
  const message = 'The bot fetched the event and abandoned it after 8 attempts: TypeError.';
  assert.equal(letter.event.data.msgId, msgId);
  assert.deepEqual(
    { ...letter, event: letter.event.data.textMsg },
    { createdAt: letter.event.data.sentAt, failedAt: world.clock.now(), attempts: 8, message, event: 'one' },
  );
  const path = `/api/console/applications/${bot.appId}/events/${eventId}`;
  const { attemptLog, errorClass } = (await bot.owner.calls('GET', path)).body.data;
  assert.equal(errorClass, 'bot_failed');
  assert.deepEqual(attemptLog, [
    {
      attempt: 8,
      number: 1,
      at: world.clock.now(),
      errorClass: 'bot_failed',
      reason: 'attempt.bot-failed',
      values: { attempts: 8, error: 'TypeError' },
      message,
    },
  ]);

  assert.deepEqual(await says('replay', { eventIds: [eventId, 'dlv_unknown'] }), [200, { replayed: 1 }]);
  assert.deepEqual(await says('replay', { eventIds: [eventId] }), [200, { replayed: 0 }], 'a moment ago');
  assert.deepEqual(await states(), ['unsent', 'fetched']);
  assert.deepEqual(await fetches('acknowledged'), [['3', 'one']]);
  assert.deepEqual(await states(), ['fetched', 'fetched']);
  assert.deepEqual((await bot.calls('GET', '/v1/events/dead-letters')).body.data, { deadLetters: [] });

  world.clock.advance({ minutes: 1 });
  const replayed = await bot.owner.calls('POST', `${path}/replay`);
  assert.deepEqual([replayed.status, replayed.body.data.state], [200, 'unsent']);
  assert.deepEqual(await fetches('3'), [['4', 'one']], 'the console does the same');
});

test('dead letters are listed page by page, and only for their own application', async (t) => {
  const { world, bot, writes, fetches, says } = await sceneFor(t);
  for (const text of ['one', 'two', 'three']) await writes(text);
  await fetches();
  const failed = ['1', '2', '3'].map((cursor) => ({ cursor, attempts: 1 }));
  await says('acknowledge', { failed });
  const texts: string[] = [];
  let after = '';
  do {
    const { body } = await bot.calls('GET', `/v1/events/dead-letters?limit=2${after && `&after=${after}`}`);
    texts.push(
      ...body.data.deadLetters.map(
        (letter: { event: { data: { textMsg: string } } }) => letter.event.data.textMsg,
      ),
    );
    after = body.data.nextAfter ?? '';
  } while (after);
  assert.deepEqual(texts, ['one', 'two', 'three']);
  const other = await world.bot();
  assert.deepEqual((await other.calls('GET', '/v1/events/dead-letters')).body.data, { deadLetters: [] });
});

test('a cursor that was never issued changes nothing; events for a webhook are not affected', async (t) => {
  const { world, writes, fetches, says } = await sceneFor(t);
  await writes('one');
  await fetches();
  assert.deepEqual(await says('acknowledge', { upTo: '2' }), [
    400,
    'upTo is not a cursor of this application',
  ]);
  assert.deepEqual(await says('acknowledge', { upTo: '1', failed: [{ cursor: '2', attempts: 1 }] }), [
    400,
    'failed is not a cursor of this application',
  ]);
  assert.deepEqual(await fetches('acknowledged'), [['1', 'one']]);
  const [status] = await says('acknowledge', {
    failed: [{ cursor: '1', attempts: 1, error: 'Ada wrote: x' }],
  });
  assert.equal(status, 400, 'a message is no name');
  const hooked = await world.bot({ webhookUrl: 'https://hooks.example.com/x' });
  await (await world.person()).writes(hooked, 'two');
  await hooked.calls('GET', '/v1/events');
  await hooked.calls('POST', '/v1/events/acknowledge', { failed: [{ cursor: '1', attempts: 1 }] });
  const log = await hooked.owner.calls('GET', `/api/console/applications/${hooked.appId}/events`);
  assert.equal(log.body.data[0].state, 'pending');
  const silent = await world.bot();
  const refused = await silent.calls('POST', '/v1/events/replay', { eventIds: ['dlv_1'] });
  assert.deepEqual(
    [refused.status, refused.body.message],
    [400, 'the application has no webhook URL: set one first'],
  );
});
