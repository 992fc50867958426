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

function probe() {
  const opened: FakeConnection[] = [];
  const answeredElsewhere: number[] = [];
  const said: string[] = [];
  const probe = new HealthProbe(
    () => {
      opened.push(new FakeConnection());
      return opened.at(-1) as FakeConnection;
    },
    {
      slowTicks: 4,
      lostTicks: 12,
      onAnsweredElsewhere: (ticks) => answeredElsewhere.push(ticks),
      onSlow: () => said.push('slow'),
      onLost: () => said.push('lost'),
    },
  );
  const tick = async (times: number) => {
    for (let i = 0; i < times; i++) probe.tick(true);
    await new Promise(setImmediate);
  };
  return { probe, opened, answeredElsewhere, said, tick, current: () => opened.at(-1) as FakeConnection };
}

test('no probe while no statement waits', () => {
  const { probe: idle, current } = probe();
  for (let i = 0; i < 10; i++) idle.tick(false);
  assert.equal(current().questions, 0);
  assert.equal(idle.isAnswering, true);
});

test('one probe at a time; answers keep it healthy', async () => {
  const { probe: beating, current, tick } = probe();
  for (let i = 1; i <= 5; i++) {
    await tick(4);
    assert.equal(current().questions, i);
    current().answer();
    await tick(0);
    assert.equal(beating.isAnswering, true);
  }
});

test('it counts as hanging after the fourth tick without an answer, and as healthy with the answer', async () => {
  const { probe: hanging, current, tick, answeredElsewhere } = probe();
  await tick(4);
  assert.equal(hanging.isAnswering, true);
  await tick(1);
  assert.equal(hanging.isAnswering, false);
  current().answer();
  await tick(0);
  assert.equal(hanging.isAnswering, true);
  assert.deepEqual(answeredElsewhere, []);
});

test('while it hangs it is probed, even if no statement waits any more', async () => {
  const { probe: hanging, current, tick } = probe();
  await tick(5);
  current().refuse(new Error('timeout'));
  await tick(0);
  assert.equal(hanging.isAnswering, false);
  hanging.tick(false);
  assert.equal(current().questions, 2);
});

test('a refused connection counts as an answer: callers get the error at once', async () => {
  const { probe: refused, current, tick } = probe();
  await tick(1);
  current().refuse(new Error('ECONNREFUSED'));
  await tick(0);
  assert.equal(refused.isAnswering, true);
});

test('after twelve ticks it probes on a new connection, and reports when that one is answered', async () => {
  const { probe: hanging, opened, current, tick, answeredElsewhere } = probe();
  await tick(13);
  assert.equal(opened[0]?.isLost, true);
  assert.equal(hanging.isAnswering, false);
  await tick(1);
  assert.equal(opened.length, 2);
  current().answer();
  await tick(0);
  assert.equal(hanging.isAnswering, true);
  assert.deepEqual(answeredElsewhere, [9]);
});

test('an explicit probe fails on a refusal, and two at once are one query', async () => {
  const { probe: probed, current, tick } = probe();
  const [one, other] = [probed.probe(), probed.probe()];
  assert.equal(current().questions, 1);
  current().answer();
  assert.deepEqual([await one, await other], [true, true]);
  const refused = probed.probe();
  current().refuse(new Error('ECONNREFUSED'));
  assert.equal(await refused, false);
  assert.equal(probed.isAnswering, true);
  const hanging = probed.probe();
  await tick(12);
  assert.equal(await hanging, false);
  assert.equal(probed.isAnswering, false);
});

test('it reports once that it hangs, and once that it is lost, even if each probe fails before that', async () => {
  const { current, tick, said } = probe();
  await tick(5);
  assert.deepEqual(said, ['slow']);
  current().refuse(new Error('CONNECT_TIMEOUT'));
  await tick(7);
  for (let i = 0; i < 3; i++) {
    current().refuse(new Error('CONNECT_TIMEOUT'));
    await tick(6);
  }
  assert.deepEqual(said, ['slow', 'lost']);
});
