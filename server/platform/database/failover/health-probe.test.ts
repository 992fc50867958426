import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HealthProbe } from './health-probe.ts';

class FakeConnection {
  isLost = false;
  questions = 0;
  answer = () => {};
  refuse = (_error: Error) => {};

  ask(): Promise<void> {
    this.questions++;
    return new Promise((answer, refuse) => {
      this.answer = answer;
      this.refuse = refuse;
    });
  }

  async close(): Promise<void> {
    this.isLost = true;
    this.refuse(new Error('closed'));
  }
}

function openProbe() {
  const opened: FakeConnection[] = [];
  const told: (string | undefined)[] = [];
  const probe = new HealthProbe(
    () => {
      opened.push(new FakeConnection());
      return opened.at(-1) as FakeConnection;
    },
    { onAnswer: (refusal) => told.push(refusal?.message ?? 'answer'), onDead: () => told.push('dead') },
  );
  const tick = async (times: number) => {
    for (let i = 0; i < times; i++) probe.tick();
    await new Promise(setImmediate);
  };
  const nth = (number: number) => opened[number] as FakeConnection;
  return { probe, opened, told, tick, nth };
}

test('a question is asked once, and counts the ticks until it is answered', async () => {
  const { probe, nth, tick, told } = openProbe();
  const asked = [probe.ask(), probe.ask()];
  await tick(3);
  assert.deepEqual([nth(0).questions, probe.silentTicks], [1, 3]);
  nth(0).answer();
  assert.deepEqual(await Promise.all(asked), [true, true]);
  assert.deepEqual([probe.silentTicks, told], [0, ['answer']]);
});

test('a refusal is an answer, after which the next question needs a new connection', async () => {
  const { probe, opened, nth, told } = openProbe();
  const asked = probe.ask();
  nth(0).isLost = true;
  nth(0).refuse(new Error('ECONNREFUSED'));
  assert.equal(await asked, false);
  assert.deepEqual([probe.silentTicks, told], [0, ['ECONNREFUSED']]);
  void probe.ask();
  assert.equal(opened.length, 2);
});

test('what is usual follows many answers, and one that was long changes it little', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const { probe, nth, tick } = openProbe();
  const answersAfter = async (ticks: number) => {
    const asked = probe.ask();
    await tick(ticks);
    now += ticks * 250;
    nth(0).answer();
    await asked;
  };
  await answersAfter(11);
  assert.deepEqual([probe.usualTicks, probe.slowTicks, probe.latencyMs], [1, 8, 2_750]);
  await answersAfter(0);
  assert.deepEqual([probe.usualTicks, probe.slowTicks], [7 / 8, 0]);
  for (let i = 0; i < 50; i++) await answersAfter(2);
  assert.ok(Math.abs(probe.usualTicks - 2) < 0.01);
});

test('a long silence is no proof that the connection is dead: the first may still be answered', async () => {
  const { probe, opened, nth, tick, told } = openProbe();
  const asked = probe.ask();
  await tick(12);
  assert.equal(opened.length, 2);
  nth(1).answer();
  await tick(0);
  await tick(7);
  assert.equal(probe.silentTicks, 0, 'it answers');
  nth(0).answer();
  assert.equal(await asked, true);
  assert.deepEqual(told, ['answer', 'answer']);
  assert.equal(nth(1).isLost, true);
});

test('if only the second connection is answered, the first is dead, and with it all of its time', async () => {
  const { probe, nth, tick, told } = openProbe();
  const asked = probe.ask();
  await tick(12);
  nth(1).answer();
  await tick(0);
  await tick(8);
  assert.equal(await asked, true);
  assert.deepEqual(told, ['answer', 'dead']);
  assert.deepEqual([nth(0).isLost, nth(1).isLost], [true, false]);
  void probe.ask();
  assert.equal(nth(1).questions, 2);
});

test('while there is silence, the question is repeated on another connection every three seconds', async () => {
  const { probe, opened, tick } = openProbe();
  void probe.ask();
  await tick(36);
  assert.deepEqual(
    opened.map(({ isLost }) => isLost),
    [false, true, true, false],
  );
  assert.equal(probe.silentTicks, 36);
});
