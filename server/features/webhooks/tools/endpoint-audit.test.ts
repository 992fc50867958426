import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { say } from '#contract/reasons.ts';
import type { EndpointAudit } from '#contract/webhooks.ts';
import { success } from '#testing/answers.ts';
import type { ReceivedRequest } from '#testing/receiver.ts';
import { ownConsole } from '#testing/webhook-console.ts';

/** A receiver that follows the contract. */
function verify(secret: string, now: number, { headers, rawBody }: ReceivedRequest): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature'])) ?? [];
  const expected = createHmac('sha256', secret).update(`${t}.${rawBody}`).digest('hex');
  return expected === v1 && Math.abs(now / 1000 - Number(t)) <= 300;
}

function summarize({ checks }: EndpointAudit): string[] {
  return checks.map(
    ({ check, isAccepted, isFault }) =>
      `${check} ${isAccepted ? 'accepted' : 'refused'}${isFault ? ', a fault' : ''}`,
  );
}

test('a receiver that verifies passes: genuine and duplicate accepted, forged and stale refused', async (t) => {
  const { world, own, owner } = await ownConsole(t);
  const { clock } = world.platform;
  world.respond = (request) => ({ status: verify(own.webhookSecret, clock.now(), request) ? 204 : 401 });
  const { status, body } = await owner.call('POST', '/webhook/audit');
  assert.equal(status, 200);
  const at = clock.now();
  const { host } = new URL(world.receiver.url);
  const accepted = { attempt: 1, at, host, status: 204 };
  const advice = say('attempt.unauthorised', { status: 401 });
  const refused = { attempt: 1, at, host, status: 401, errorClass: 'status', ...advice };
  const expected = [
    { check: 'genuine', isAccepted: true, ...say('audit.genuine-accepted'), attempt: accepted },
    { check: 'duplicate', isAccepted: true, ...say('audit.duplicate-accepted'), attempt: accepted },
    { check: 'forged', isAccepted: false, ...say('audit.forged-refused'), attempt: refused },
    { check: 'stale', isAccepted: false, ...say('audit.stale-refused'), attempt: refused },
  ];
  const checks = expected.map(({ attempt, ...check }, i) => {
    const { timings } = body.data.checks[i].attempt;
    return { ...check, isFault: false, attempt: { ...attempt, timings } };
  });
  assert.deepEqual(body, success('the receiver passed', { isPassed: true, checks }, at));
});

test('it sends one event twice, one signed with another key and one signed 10 minutes ago, all sandbox events', async (t) => {
  const { world, own, owner } = await ownConsole(t);
  await owner.call('POST', '/webhook/audit');
  const { requests } = world.receiver;
  const bodies = requests.map(({ rawBody }) => rawBody.toString());
  assert.equal(requests.length, 4);
  assert.equal(bodies[0], bodies[1]);
  assert.equal(new Set(bodies).size, 3);
  for (const body of bodies) assert.equal(JSON.parse(body).data.sandbox, true);
  const now = world.platform.clock.now();
  // The forged and the stale one are sent concurrently.
  const valid = (at: number) => requests.filter((request) => verify(own.webhookSecret, at, request)).length;
  assert.deepEqual([valid(now), valid(now - 600_000)], [2, 1]);
  assert.deepEqual((await owner.call('GET', '/events')).body.data, [], 'nothing of it is an event');
});

test('each event that a receiver wrongly accepts or refuses is a fault', async (t) => {
  const { world, own, owner } = await ownConsole(t);
  const { clock } = world.platform;
  const audit = async () => (await owner.call('POST', '/webhook/audit')).body;
  const gullible = await audit();
  assert.equal(gullible.message, 'the receiver has faults');
  assert.deepEqual(summarize(gullible.data), [
    'genuine accepted',
    'duplicate accepted',
    'forged accepted, a fault',
    'stale accepted, a fault',
  ]);
  world.respond = (request) => {
    // Verifies the signature but not the time.
    const [, t] = /t=(\d+)/.exec(String(request.headers['x-service-signature'])) ?? [];
    return { status: verify(own.webhookSecret, Number(t) * 1000, request) ? 200 : 400 };
  };
  assert.deepEqual(summarize((await audit()).data), [
    'genuine accepted',
    'duplicate accepted',
    'forged refused',
    'stale accepted, a fault',
  ]);
  const seen = new Set<string>();
  world.respond = (request) => {
    const isNew = !seen.has(request.rawBody.toString());
    seen.add(request.rawBody.toString());
    return { status: isNew && verify(own.webhookSecret, clock.now(), request) ? 200 : 409 };
  };
  assert.deepEqual(summarize((await audit()).data), [
    'genuine accepted',
    'duplicate refused, a fault',
    'forged refused',
    'stale refused',
  ]);
});

test('a receiver that does not accept the genuine event gets no other: its refusals would prove nothing', async (t) => {
  const { world, owner } = await ownConsole(t);
  world.respond = () => ({ status: 500 });
  const { data } = (await owner.call('POST', '/webhook/audit')).body;
  assert.equal(data.isPassed, false);
  assert.deepEqual(summarize(data), ['genuine refused, a fault']);
  assert.equal(world.receiver.requests.length, 1);
});
