import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { say } from '#contract/reasons.ts';
import { renameApplication } from '#features/applications/settings.ts';
import { raiseAlerts } from '#features/webhooks/alerts/raise-alerts.ts';
import { sendNotices } from '#features/webhooks/alerts/send-notices.ts';
import { createApp } from '#platform/http/app.ts';
import { columnOf } from '#testing/columns.ts';
import { createDeliveryWorld } from '#testing/delivery-world.ts';
import { postForm } from '#testing/html-page.ts';
import { startMailServer, tokenIn } from '#testing/mail-server.ts';
import { openConsole } from '#testing/webhook-console.ts';
import { composeFeatures } from '../app.ts';
import { mailLinks } from './mail-links.ts';

const EMAIL = { kind: 'email', target: 'ops@example.com' };

async function sceneFor(t: TestContext) {
  const world = await createDeliveryWorld();
  t.after(() => world[Symbol.asyncDispose]());
  const mail = await startMailServer();
  t.after(() => mail[Symbol.asyncDispose]());
  const { platform } = world;
  platform.config = { ...platform.config, smtpUrl: mail.url };
  const application = await world.application();
  const owner = await openConsole(world, application);
  t.after(() => owner[Symbol.asyncDispose]());
  const app = createApp(platform);
  t.after(() => app.close());
  await app.register((scope) => mailLinks(scope, { ...platform, ...composeFeatures(platform) }));
  return {
    world,
    mail,
    application,
    owner,
    look: async (token: string, headers = {}) => {
      const { statusCode, body } = await app.inject({ url: `/alerts/confirm?token=${token}`, headers });
      return { status: statusCode, body };
    },
    confirms: async (token: string, headers: Record<string, string> = {}) =>
      (await postForm({ app }, '/alerts/confirm', { token }, headers)).statusCode,
    /** The state of the alert for the only contact. */
    alerted: async () => {
      await world.event(application);
      await platform.db`
        update event_queue set state = 'abandoned', attempts = 8, next_attempt_at = null where state = 'pending'`;
      platform.clock.advance({ minutes: 5 });
      await raiseAlerts(platform);
      await sendNotices(platform);
      const [{ notices }] = (await owner.call('GET', '/alerts')).body.data;
      return notices.map(({ state, fault }: { state: string; fault?: string }) => fault ?? state);
    },
  };
}

test('an address gets only a link until the link is opened and the button pressed', async (t) => {
  const { world, mail, application, owner, look, confirms, alerted } = await sceneFor(t);
  await renameApplication(world.platform, application, 'Win: http://evil.example <b>', []);
  const added = await owner.call('POST', '/alert-contacts', EMAIL);
  assert.equal(added.body.data.isConfirmed, false);
  assert.deepEqual(added.body.data.confirmation, {
    isSent: true,
    ...say('alert.confirmation-sent'),
  });
  assert.deepEqual(columnOf(mail.mails, 'to'), [['ops@example.com']]);
  const [{ text } = assert.fail()] = mail.mails;
  assert.doesNotMatch(text, /evil\.example/, 'nothing that its sender chose is a link');
  const unconfirmed = say('alert.unconfirmed');
  assert.deepEqual(await alerted(), [unconfirmed]);
  const path = `/alert-contacts/${added.body.data.contactId}`;
  const tested = await owner.call('POST', `${path}/test`);
  assert.deepEqual(tested.body.data, { isSent: false, ...unconfirmed });
  assert.equal(mail.mails.length, 1);

  const token = tokenIn(mail.mails[0]);
  const page = await look(token);
  assert.equal(page.status, 200);
  assert.match(page.body, /“Win: http:\/\/evil\.example &lt;b&gt;”/);
  assert.equal((await look(token)).status, 200);
  assert.deepEqual(await alerted(), [unconfirmed], 'to look is not to confirm');
  assert.equal(await confirms(token, { 'sec-fetch-site': 'cross-site' }), 403);
  assert.equal(await confirms(token), 200);
  assert.equal(await confirms(token), 200, 'twice');
  assert.deepEqual(await alerted(), ['sent']);
  const [contact] = (await owner.call('GET', '/alert-contacts')).body.data;
  assert.equal(contact.isConfirmed, true);
  const again = await owner.call('POST', `${path}/confirmation`);
  assert.deepEqual(again.body.data, { isSent: false, ...say('alert.confirmed') });
});

test('a link is invalid once a newer one was sent, after 7 days, and when its contact is removed', async (t) => {
  const { world, mail, owner, look, confirms } = await sceneFor(t);
  const { contactId } = (await owner.call('POST', '/alert-contacts', EMAIL)).body.data;
  const first = tokenIn(mail.mails[0]);
  const { status, body } = await owner.call('POST', `/alert-contacts/${contactId}/confirmation`);
  assert.deepEqual([status, body.message, body.data.isSent], [200, 'mail sent', true]);
  const second = tokenIn(mail.mails[1]);
  assert.deepEqual([(await look(first)).status, await confirms(first)], [404, 404]);
  for (const other of ['', 'x', `${second}x`, `${second}.x`, second.replace('alc_', 'app_')]) {
    assert.equal((await look(other)).status, 404, other);
  }
  world.platform.clock.advance({ days: 7, milliseconds: -1 });
  const german = await look(second, { 'accept-language': 'de' });
  assert.match(german.body, /Warnungen hierher senden\?/);
  world.platform.clock.advance({ milliseconds: 1 });
  assert.equal(await confirms(second), 404);
  await owner.call('POST', `/alert-contacts/${contactId}/confirmation`);
  const third = tokenIn(mail.mails[2]);
  await owner.call('DELETE', `/alert-contacts/${contactId}`);
  assert.equal(await confirms(third), 404);
});

test('a mail that could not be sent is reported, and an address gets at most 5 links a day in total', async (t) => {
  const { mail, owner } = await sceneFor(t);
  mail.answer = '550 no such mailbox';
  const added = await owner.call('POST', '/alert-contacts', EMAIL);
  const { contactId, confirmation } = added.body.data;
  assert.deepEqual(
    [added.status, confirmation],
    [201, { isSent: false, ...say('alert.mail-refused-with', { code: 550 }) }],
  );
  mail.answer = '250 ok';
  for (let i = 0; i < 4; i++) {
    const { status } = await owner.call('POST', `/alert-contacts/${contactId}/confirmation`);
    assert.equal(status, 200);
  }
  const refused = await owner.call('POST', `/alert-contacts/${contactId}/confirmation`);
  assert.deepEqual(
    [refused.status, refused.body.message],
    [429, 'at most 5 confirmation mails a day can be sent to one address'],
  );
  const other = await owner.call('POST', '/alert-contacts', { ...EMAIL, target: 'OPS@example.com' });
  assert.equal(other.status, 429);
  assert.equal((await owner.call('GET', '/alert-contacts')).body.data.length, 1, 'refused, nothing is added');
});
