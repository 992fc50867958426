import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { failure, plain, precondition, success } from '#testing/answers.ts';
import { createDeliveryWorld } from '#testing/delivery-world.ts';
import { openConsole, ownConsole } from '#testing/webhook-console.ts';

test('a ping contains exactly appId, sentAt and message, signed like every event; its result is returned and logged', async (t) => {
  const { world, own, owner } = await ownConsole(t);
  const { clock } = world.platform;
  const { status, body } = await owner.call('POST', '/webhook/ping');
  const at = clock.now();
  assert.equal(status, 200);
  const { eventId, latencyMs, attemptLog } = body.data;
  const { host } = new URL(world.receiver.url);
  const event = { eventId, createdAt: at, type: 'ping', state: 'delivered', attempts: 1 };
  const logged = { ...event, host, status: 200, latencyMs };
  const made = { attempt: 1, number: 1, at, host, status: 200, timings: attemptLog[0].timings };
  assert.deepEqual(body, success('ping delivered', { ...logged, attemptLog: [made] }, at));
  assert.deepEqual(Object.keys(attemptLog[0].timings).sort(), ['connect', 'firstByte', 'tls', 'total']);
  assert.deepEqual((await owner.call('GET', '/events?type=ping')).body.data, [logged]);
  const [entry] = (await owner.call('GET', '/audit')).body.data.entries;
  assert.deepEqual([entry.action, entry.details], ['webhook.pinged', { eventId }]);

  const [{ headers, rawBody } = assert.fail()] = world.receiver.requests;
  const message = 'Your webhook works: answer 2xx once you have verified the signature.';
  assert.deepEqual(JSON.parse(rawBody.toString()), {
    type: 'ping',
    data: { appId: own.appId, sentAt: at, message },
  });
  assert.equal(headers['x-service-event'], 'ping');
  const checker = new Webhook(own.webhookSecret);
  const signature = checker.sign(String(headers['webhook-id']), new Date(at), rawBody.toString());
  assert.equal(headers['webhook-signature'], signature);
});

test('a ping that fails is not tried again, nor sent again', async (t) => {
  const { world, owner } = await ownConsole(t);
  world.respond = () => ({ status: 403 });
  const { status, body } = await owner.call('POST', '/webhook/ping');
  const { eventId, state, attempts, attemptLog } = body.data;
  assert.deepEqual([status, body.message, state, attempts], [200, 'ping failed', 'abandoned', 1]);
  assert.equal(
    attemptLog[0].message,
    'The receiver answered 403: it probably has another webhook secret, or parsed the body before it verified the signature. Otherwise a login or firewall rule stands in front of the webhook path.',
  );
  world.platform.clock.advance({ hours: 2 });
  assert.deepEqual(await world.deliver(world.sender()), {});
  const message = 'a ping cannot be sent again: send a new one';
  assert.deepEqual(plain(await owner.call('POST', `/events/${eventId}/replay`)), precondition(message));
  assert.equal((await owner.call('POST', '/events/recover', { since: 0 })).body.data.recovered, 0);
  assert.equal(world.receiver.requests.length, 1);
});

test('the response to a ping names an unreachable receiver, but no more of its address', async () => {
  await using world = await createDeliveryWorld();
  const gone = await world.startReceiver();
  const own = await world.application(gone.url);
  await gone[Symbol.asyncDispose]();
  await using owner = await openConsole(world, own);
  const { body } = await owner.call('POST', '/webhook/ping');
  const [attempt] = body.data.attemptLog;
  assert.deepEqual(
    [body.data.errorClass, attempt.phase, attempt.message],
    [
      'connect',
      'connect',
      'No connection could be made; check that the receiver is running and that its firewall allows our requests. (ECONNREFUSED)',
    ],
  );
  // Only the host name that its owner set, not the address that it resolved to.
  assert.equal(attempt.host, new URL(gone.url).host);
  assert.equal(JSON.stringify(body).replaceAll(attempt.host, '').includes('127.0.0.1'), false);
});

test('30 pings per minute and person, then 429 until the minute is over', async (t) => {
  const { world, owner } = await ownConsole(t);
  for (let i = 0; i < 30; i++) assert.equal((await owner.call('POST', '/webhook/ping')).status, 200);
  const { status, headers, body } = await owner.call('POST', '/webhook/ping');
  const message = 'at most 30 pings, simulations and audits per minute are allowed';
  assert.deepEqual([status, body], [429, failure('RATE_LIMIT_EXCEEDED', message)]);
  assert.equal(headers['retry-after'], '60');
  world.platform.clock.advance({ minutes: 1 });
  assert.equal((await owner.call('POST', '/webhook/ping')).status, 200);
});
