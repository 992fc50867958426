import assert from 'node:assert/strict';
import { test } from 'node:test';
import { say } from '#contract/reasons.ts';
import { precondition } from '#testing/answers.ts';
import { damage } from '#testing/damage.ts';
import { createDeliveryWorld } from '#testing/delivery-world.ts';
import { openConsole, type WebhookConsole } from '#testing/webhook-console.ts';
import { raiseAlerts } from './alerts/raise-alerts.ts';
import { sendNotices } from './alerts/send-notices.ts';

test('an unreadable event fails without affecting others, and its log has the reason', async () => {
  await using world = await createDeliveryWorld();
  const application = await world.application();
  const [lost, sent] = [await world.event(application), await world.event(application)];
  await damage(world.platform.db, { table: 'events', column: 'body' }, { column: 'msg_id', value: lost });
  assert.deepEqual(await world.deliver(world.sender()), { delivered: 1, retrying: 1 });
  assert.deepEqual(
    world.receiver.requests.map(({ headers }) => headers['webhook-id']),
    [sent],
  );
  await using owner = await openConsole(world, application);
  const { data } = (await owner.call('GET', '/events')).body;
  const failed = data.find(({ msgId }: { msgId: string }) => msgId === lost);
  assert.equal(failed.errorClass, 'unreadable_event');
  const { attemptLog } = (await owner.call('GET', `/events/${failed.eventId}`)).body.data;
  assert.match(attemptLog[0].message, /^The stored event cannot be read/);
});

for (const { what, column, errorClass, message, mend } of [
  {
    what: 'secret',
    column: 'webhook_secret',
    errorClass: 'unreadable_secret',
    message: 'the webhook secret cannot be read: make a new one',
    mend: (owner: WebhookConsole) => owner.call('POST', '/webhook-secret', { overlapHours: 1 }),
  },
  {
    what: 'URL',
    column: 'sealed_webhook_url',
    errorClass: 'unreadable_url',
    message: 'the webhook URL cannot be read: set it again',
    async mend(owner: WebhookConsole, webhookUrl: string) {
      const shown = (await owner.call('GET', '')).body.data;
      assert.deepEqual([shown.isWebhookUrlUnreadable, 'webhookUrl' in shown], [true, false]);
      return owner.call('PUT', '/webhook-url', { webhookUrl });
    },
  },
]) {
  test(`an unreadable webhook ${what} stops only the webhooks of its application, and can be set again`, async () => {
    await using world = await createDeliveryWorld();
    const [broken, sound] = [await world.application(), await world.application()];
    for (const application of [broken, sound]) await world.event(application);
    await damage(
      world.platform.db,
      { table: 'applications', column },
      { column: 'app_id', value: broken.appId },
    );
    const sender = world.sender();
    assert.deepEqual(await world.deliver(sender), { delivered: 1, retrying: 1 });
    await using owner = await openConsole(world, broken);
    const [event] = (await owner.call('GET', '/events')).body.data;
    assert.equal(event.errorClass, errorClass);
    const { status, body } = await owner.call('POST', '/webhook/ping');
    assert.deepEqual({ status, body }, precondition(message));

    assert.equal((await mend(owner, world.receiver.url)).status, 200);
    world.platform.clock.advance({ seconds: 30 });
    assert.deepEqual(await world.deliver(sender), { delivered: 1 });
    assert.equal((await owner.call('GET', '')).body.data.webhookUrl, world.receiver.url);
  });
}

test('an alert contact whose address cannot be read is shown as such, and the others are notified', async () => {
  await using world = await createDeliveryWorld();
  const application = await world.application();
  await using owner = await openConsole(world, application);
  const adds = async () =>
    (await owner.call('POST', '/alert-contacts', { kind: 'chat', target: world.receiver.url })).body.data;
  const [lost, sound] = [await adds(), await adds()];
  await damage(
    world.platform.db,
    { table: 'alert_contacts', column: 'target' },
    { column: 'contact_id', value: lost.contactId },
  );
  assert.deepEqual((await owner.call('GET', '/alert-contacts')).body.data, [
    { ...lost, target: '', isUnreadable: true },
    sound,
  ]);
  const fault = say('alert.unreadable');
  const tried = await owner.call('POST', `/alert-contacts/${lost.contactId}/test`);
  assert.deepEqual(tried.body.data, { isSent: false, ...fault });

  await world.event(application);
  await world.platform.db`update event_queue set state = 'abandoned', attempts = 8, next_attempt_at = null`;
  await raiseAlerts(world.platform);
  await sendNotices(world.platform);
  const [alert] = (await owner.call('GET', '/alerts')).body.data;
  assert.deepEqual(
    new Map(alert.notices.map((notice: Record<string, unknown>) => [notice['contactId'], notice])),
    new Map<string, unknown>([
      [lost.contactId, { contactId: lost.contactId, state: 'pending', fault }],
      [sound.contactId, { contactId: sound.contactId, state: 'sent' }],
    ]),
  );
  assert.equal((await owner.call('DELETE', `/alert-contacts/${lost.contactId}`)).status, 200);
});
