import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { removeExpiredSecrets } from '#features/applications/credentials/renew-secrets.ts';
import { success } from '#testing/answers.ts';
import type { ReceivedRequest } from '#testing/receiver.ts';
import { ownConsole } from '#testing/webhook-console.ts';
import { signatureOf } from './attempt.ts';

/** Which of the secrets signed, in the contract's header and in that of Standard Webhooks. */
function signers({ headers, rawBody }: ReceivedRequest, secrets: Record<string, string>): [string, string] {
  const [t = '', ...signatures] = String(headers['x-service-signature'])
    .split(',')
    .map((part) => part.split('=')[1] ?? '');
  const standard = String(headers['webhook-signature']).split(' ');
  const nameOf = (isBy: (secret: string) => boolean) =>
    Object.entries(secrets).find(([, secret]) => isBy(secret))?.[0];
  const sign = (secret: string) =>
    new Webhook(secret).sign(String(headers['webhook-id']), new Date(Number(t) * 1000), rawBody.toString());
  return [
    signatures.map((v1) => nameOf((secret) => signatureOf(secret, t, rawBody) === v1)).join(),
    standard.map((v1) => nameOf((secret) => sign(secret) === v1)).join(),
  ];
}

async function createScene(t: TestContext) {
  const { world, own, owner } = await ownConsole(t);
  return {
    world,
    own,
    owner,
    /** Posts one event and returns the received request. */
    async post(): Promise<ReceivedRequest> {
      await world.event(own);
      await world.deliver(world.sender());
      return world.receiver.requests.at(-1) ?? assert.fail();
    },
    async renew(asked?: object): Promise<string> {
      const { status, body } = await owner.call('POST', '/webhook-secret', asked);
      assert.equal(status, 200);
      return body.data.webhookSecret;
    },
  };
}

test('with an overlap the old secret signs for Standard Webhooks, second, until the hours are over', async (t) => {
  const { world, own, post, renew } = await createScene(t);
  const secrets = { old: own.webhookSecret, new: '' };
  secrets.new = await renew({ overlapHours: 24 });
  world.platform.clock.advance({ hours: 24, milliseconds: -1 });
  assert.deepEqual(signers(await post(), secrets), ['new', 'new,old']);
  world.platform.clock.advance({ milliseconds: 1 });
  assert.deepEqual(signers(await post(), secrets), ['new', 'new']);
});

test('at most two secrets sign, the newest first, and only the newest without an overlap', async (t) => {
  const { own, post, renew } = await createScene(t);
  const first = own.webhookSecret;
  const second = await renew({ overlapHours: 1 });
  const third = await renew({ overlapHours: 1 });
  assert.deepEqual(signers(await post(), { first, second, third }), ['third', 'third,second']);
  const fourth = await renew();
  assert.deepEqual(signers(await post(), { first, second, third, fourth }), ['fourth', 'fourth']);
});

test('an overlap is ended early, twice if need be', async (t) => {
  const { world, own, owner, post, renew } = await createScene(t);
  const secrets = { old: own.webhookSecret, new: await renew({ overlapHours: 5 }) };
  for (let i = 0; i < 2; i++) {
    const { status, body } = await owner.call('DELETE', '/webhook-secret/previous');
    const message = 'only the newest webhook secret signs from now on';
    const ended = success(message, { ended: true }, world.platform.clock.now());
    assert.deepEqual([status, body], [200, ended]);
    assert.deepEqual(signers(await post(), secrets), ['new', 'new']);
  }
});

test('an overlap lasts 1 to 24 whole hours', async (t) => {
  const { owner, renew } = await createScene(t);
  for (const overlapHours of [1, 24]) await renew({ overlapHours });
  for (const overlapHours of [0, 25, 1.5, '2']) {
    const { status, body } = await owner.call('POST', '/webhook-secret', { overlapHours });
    assert.deepEqual([status, body.code], [400, 'invalid-argument'], String(overlapHours));
    assert.match(body.message, /^overlapHours must be/);
  }
});

test('the old secret is stored encrypted, and deleted once its overlap is over', async (t) => {
  const { world, own, renew } = await createScene(t);
  const { db, clock } = world.platform;
  await renew({ overlapHours: 2 });
  const read = async () => {
    const [row] = await db<{ previousWebhookSecret: Buffer | null; row: string }[]>`
      select previous_webhook_secret, applications::text as row from applications where app_id = ${own.appId}`;
    return row ?? assert.fail();
  };
  clock.advance({ hours: 2, milliseconds: -1 });
  await removeExpiredSecrets(world.platform);
  const { previousWebhookSecret, row } = await read();
  assert.notEqual(previousWebhookSecret, null);
  assert.equal(row.includes(Buffer.from(own.webhookSecret).toString('hex')), false);
  clock.advance({ milliseconds: 1 });
  await removeExpiredSecrets(world.platform);
  assert.equal((await read()).previousWebhookSecret, null);
});
