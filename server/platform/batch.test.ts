import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Batcher } from './batch.ts';
import { inTurn, Turn } from './concurrency/turn.ts';
import { ApiError } from './errors.ts';

/** A run whose end the test controls. */
function controlledRun() {
  const runs: { items: number[]; key: string; finish: () => void; fail: (error: Error) => void }[] = [];
  const run = (items: number[], key: string) =>
    new Promise<(string | Error)[]>((resolve, reject) => {
      runs.push({
        items,
        key,
        finish: () => resolve(items.map((item) => `answer ${item}`)),
        fail: reject,
      });
    });
  /**
   * The run with this number, once it is in progress; it does not matter for how many turns of the event loop a
   * batch is collected.
   */
  const nth = async (number: number) => {
    for (let turns = 0; !runs[number] && turns < 10; turns++) await turn();
    const found = runs[number];
    assert.ok(found, `run ${number} did not start`);
    return found;
  };
  return { run, runs, nth, batches: () => runs.map(({ items }) => items) };
}

const turn = () => new Promise(setImmediate);

test('calls of one turn are one batch, and each gets its own answer', async () => {
  const { run, runs, batches } = controlledRun();
  const batcher = new Batcher(run);
  const answers = [3, 1, 2].map((item) => batcher.submit(item));
  await turn();
  assert.deepEqual(batches(), [[3, 1, 2]]);
  runs[0]?.finish();
  assert.deepEqual(await Promise.all(answers), ['answer 3', 'answer 1', 'answer 2']);
});

test('if two runs are allowed, the second begins as soon as more wait than a run gets', async () => {
  const { run, runs, nth, batches } = controlledRun();
  const batcher = new Batcher(run, { runsAtOnce: 2, maxItems: 2 });
  const answers: Promise<string | Error>[] = [];
  for (let item = 0; item < 3; item++) {
    answers.push(batcher.submit(item));
    await turn();
  }
  assert.deepEqual(batches(), [[0]], 'two that wait are the next run');
  answers.push(batcher.submit(3));
  await turn();
  assert.deepEqual(batches(), [[0], [1, 2]]);
  (await nth(1)).finish();
  await turn();
  assert.equal(runs.length, 2, 'the one that is left waits for the first run');
  runs[0]?.finish();
  (await nth(2)).finish();
  assert.deepEqual(await Promise.all(answers), ['answer 0', 'answer 1', 'answer 2', 'answer 3']);
});

test('a run that is late does not hold up the items behind it, nor do those that come later', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { run, runs, nth } = controlledRun();
  const batcher = new Batcher(run);
  const late = batcher.submit(0);
  await nth(0);
  const behind = batcher.submit(1);
  await turn();
  assert.equal(runs.length, 1);
  t.mock.timers.tick(250);
  (await nth(1)).finish();
  assert.equal(await behind, 'answer 1');
  const later = batcher.submit(2);
  (await nth(2)).finish();
  assert.equal(await later, 'answer 2');

  // Once nothing is late any more, one run is in progress again.
  runs[0]?.finish();
  assert.equal(await late, 'answer 0');
  await turn();
  const answers = [batcher.submit(3)];
  await nth(3);
  answers.push(batcher.submit(4));
  await turn();
  assert.equal(runs.length, 4);
  (await nth(3)).finish();
  (await nth(4)).finish();
  assert.deepEqual(await Promise.all(answers), ['answer 3', 'answer 4']);
});

test('if every run is late, few more are in progress', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { run, runs, nth } = controlledRun();
  const batcher = new Batcher(run, { maxItems: 1 });
  const answers = Array.from({ length: 5 }, (_, item) => batcher.submit(item));
  for (let i = 0; i < 5; i++) {
    await turn();
    await turn();
    t.mock.timers.tick(250);
  }
  assert.equal(runs.length, 3);
  for (const number of [0, 1, 2, 3, 4]) (await nth(number)).finish();
  assert.equal((await Promise.all(answers)).length, 5);
});

test('one batch is in progress per key; items that arrive meanwhile are the next one, in order and up to the limit', async () => {
  const { run, runs, nth, batches } = controlledRun();
  const batcher = new Batcher(run, { maxItems: 32, maxWaiting: 100 });
  const answers = [batcher.submit(0)];
  await turn();
  for (let item = 1; item <= 70; item++) answers.push(batcher.submit(item));
  await turn();
  assert.equal(runs.length, 1);
  for (let i = 0; i < 4; i++) {
    (await nth(i)).finish();
    assert.equal(runs.length, i + 1);
  }
  assert.deepEqual(
    batches().map((items) => items.length),
    [1, 32, 32, 6],
  );
  const items = Array.from({ length: 71 }, (_, i) => i);
  assert.deepEqual(batches().flat(), items);
  assert.deepEqual(
    await Promise.all(answers),
    items.map((item) => `answer ${item}`),
  );
});

test('a batch leaves half of the waiting items to the next one, unless there are few', async () => {
  const { run, nth, batches } = controlledRun();
  const batcher = new Batcher(run);
  const answers = [batcher.submit(0)];
  await turn();
  for (let item = 1; item < 64; item++) answers.push(batcher.submit(item));
  for (let i = 0; i < 3; i++) (await nth(i)).finish();
  await Promise.all(answers);
  assert.deepEqual(
    batches().map((items) => items.length),
    [1, 32, 31],
  );
});

test('what has waited too long is refused, but not if its request has already written something', async () => {
  const { run, nth, batches } = controlledRun();
  const batcher = new Batcher(run);
  const requests = [false, true].map((hasWritten) => Object.assign(new Turn(-1), { hasWritten }));
  const first = batcher.submit(0);
  await turn();
  const [refused, answered] = requests.map((request, i) => inTurn(request, () => batcher.submit(i + 1)));
  (await nth(0)).finish();
  await assert.rejects(refused as Promise<string>, { status: 503 });
  (await nth(1)).finish();
  assert.deepEqual(await Promise.all([first, answered]), ['answer 0', 'answer 2']);
  assert.deepEqual(batches(), [[0], [2]]);
});

test('a key that rests answers its batch at once, and what comes meanwhile is the next batch', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const runs: number[][] = [];
  const run = async (items: number[]) => {
    runs.push(items);
    return items;
  };
  const batcher = new Batcher(run, { restMs: 10 });
  assert.equal(await batcher.submit(0), 0);
  const answers = [1, 2].map((item) => batcher.submit(item));
  await turn();
  answers.push(batcher.submit(3));
  assert.equal(await batcher.submit(9, 'another key'), 9);
  t.mock.timers.tick(9);
  await turn();
  assert.deepEqual(runs, [[0], [9]]);
  t.mock.timers.tick(1);
  assert.deepEqual(await Promise.all(answers), [1, 2, 3]);
  assert.deepEqual(runs, [[0], [9], [1, 2, 3]]);
});

test('an error in the answers affects only its item', async () => {
  const batcher = new Batcher<number, string>(async (items) =>
    items.map((item) => (item % 2 ? new Error(`${item} is odd`) : `answer ${item}`)),
  );
  const answers = await Promise.allSettled([0, 1, 2, 3].map((item) => batcher.submit(item)));
  assert.deepEqual(
    answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason.message)),
    ['answer 0', '1 is odd', 'answer 2', '3 is odd'],
  );
});

test('waiting calls begin before the others are answered, and repeated calls come after them', async () => {
  const { run, runs, nth } = controlledRun();
  const batcher = new Batcher(run);
  const underWay: number[] = [];
  const again = batcher.submit(1).then((answer) => {
    underWay.push(...(runs[1]?.items ?? []));
    return [answer, batcher.submit(3)] as const;
  });
  const first = await nth(0);
  const waiting = batcher.submit(2);
  first.finish();
  (await nth(1)).finish();
  const [, third] = await again;
  assert.deepEqual(underWay, [2]);
  (await nth(2)).finish();
  assert.deepEqual(await Promise.all([waiting, third]), ['answer 2', 'answer 3']);
});

test('a failing batch fails for all of its items, and for none after it', async () => {
  const { run, runs, nth } = controlledRun();
  const batcher = new Batcher(run);
  const failing = Promise.allSettled([batcher.submit(1), batcher.submit(2)]);
  await turn();
  const next = batcher.submit(3);
  runs[0]?.fail(new Error('database away'));
  assert.deepEqual(
    (await failing).map((answer) => answer.status === 'rejected' && answer.reason.message),
    ['database away', 'database away'],
  );
  (await nth(1)).finish();
  assert.equal(await next, 'answer 3');
  const throwing = new Batcher<number, string>(() => {
    throw new Error('at once');
  });
  for (const item of [1, 2]) await assert.rejects(throwing.submit(item), new Error('at once'));
});

test('calls beyond the limit of waiting ones are refused with 503, per key, without affecting the others', async () => {
  const { run, runs, nth } = controlledRun();
  const batcher = new Batcher(run, { maxItems: 2, maxWaiting: 3 });
  const answers = [batcher.submit(0)];
  await turn();
  for (const item of [1, 2, 3]) answers.push(batcher.submit(item));
  const refusal = (error: unknown) => error instanceof ApiError && error.status === 503;
  await assert.rejects(batcher.submit(4), refusal);
  const elsewhere = batcher.submit(5, 'other key');
  for (let i = 0; i < 4; i++) (await nth(i)).finish();
  assert.deepEqual(await Promise.all(answers), ['answer 0', 'answer 1', 'answer 2', 'answer 3']);
  assert.equal(await elsewhere, 'answer 5');
  const later = batcher.submit(6);
  (await nth(runs.length)).finish();
  assert.equal(await later, 'answer 6');
});
