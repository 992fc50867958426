import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Composer } from './composer.ts';
import type { AnyMessage } from './incoming.ts';
import { FileSessionStore } from './node/index.ts';
import { type SessionStore, session } from './session.ts';

interface Counted {
  count: number;
}

const context = { username: async () => 'weather_bot', findAnswer: async () => undefined };

/** A bot that counts the messages of each conversation. */
function counting(store?: SessionStore<Counted>) {
  const composer = new Composer<{ session: Counted }>();
  composer.use(session({ initial: () => ({ count: 0 }), ...(store && { store }) }));
  const answers: string[] = [];
  composer.hears('forget', ({ state }) => {
    delete state.session;
  });
  composer.hears('fail', ({ state }) => {
    (state.session as Counted).count = 99;
    throw new Error('failed');
  });
  composer.use(async ({ state, textMsg }) => {
    const { count } = state.session as Counted;
    await new Promise(setImmediate);
    state.session = { count: count + 1 };
    answers.push(`${textMsg} ${count + 1}`);
  });
  const hears = (textMsg: string, place: object = { chatId: 'usr_ada' }) =>
    composer.handle({ textMsg, state: {}, ...place } as AnyMessage<{ session: Counted }>, context);
  return { answers, hears };
}

test('each conversation has a session of its own, and its messages take turns', async () => {
  const { answers, hears } = counting();
  await Promise.all([hears('a'), hears('b'), hears('c', { groupId: 'grp_hiking' })]);
  await hears('d');
  assert.deepEqual(answers.toSorted(), ['a 1', 'b 2', 'c 1', 'd 3']);
});

test('a session stays as it was when a handler throws, and is gone once it is deleted', async () => {
  const { answers, hears } = counting();
  await hears('a');
  await assert.rejects(hears('fail'), /failed/);
  await hears('b');
  await hears('forget');
  await hears('c');
  assert.deepEqual(answers, ['a 1', 'b 2', 'c 1']);
});

test('sessions in files survive a restart', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'parley-sessions-'));
  const store = () => new FileSessionStore<Counted>({ directory: join(directory.path, 'sessions') });
  await counting(store()).hears('a');
  const { answers, hears } = counting(store());
  await hears('b');
  await hears('forget');
  await hears('c');
  assert.deepEqual(answers, ['b 2', 'c 1']);
});
