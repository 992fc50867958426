import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { say } from '#contract/reasons.ts';
import { renameApplication } from '#features/applications/settings.ts';
import { countMails } from '#platform/mail.ts';
import { success } from '#testing/answers.ts';
import { columnOf } from '#testing/columns.ts';
import { createDeliveryWorld, type DeliveryWorld } from '#testing/delivery-world.ts';
import { expectErrors } from '#testing/logged-errors.ts';
import { withLostShard } from '#testing/lost-shard.ts';
import { startMailServer, tokenIn } from '#testing/mail-server.ts';
import { openConsole } from '#testing/webhook-console.ts';
import { composeFeatures } from '../../../app.ts';
import { confirmContact } from './confirmation.ts';
import { raiseAlerts } from './raise-alerts.ts';
import { sendNotices } from './send-notices.ts';

async function sceneFor(t: TestContext) {
  const world = await createDeliveryWorld();
  t.after(() => world[Symbol.asyncDispose]());
  const mail = await startMailServer();
  t.after(() => mail[Symbol.asyncDispose]());
  world.platform.config = {
    ...world.platform.config,
    smtpUrl: mail.url,
    publicUrl: 'https://chat.example.com',
  };
  const application = await world.application();
  const owner = await openConsole(world, application);
  t.after(() => owner[Symbol.asyncDispose]());
  return { world, application, owner, mail };
}

type Scene = Awaited<ReturnType<typeof sceneFor>>;

/** Abandons events without the hour of failed attempts. */
async function abandons({ world, application }: Pick<Scene, 'world' | 'application'>, count: number) {
  for (let i = 0; i < count; i++) await world.event(application, 'a very private word');
  await world.platform.db`
    update event_queue set state = 'abandoned', attempts = 8, next_attempt_at = null where state = 'pending'`;
}

async function step({ platform }: DeliveryWorld) {
  return [await raiseAlerts(platform), await sendNotices(platform)];
}

const EMAIL = { kind: 'email', target: 'ops@example.com' };

/** An address whose owner followed the mailed link. */
async function addEmail({ world, owner, mail }: Scene) {
  const { body } = await owner.call('POST', '/alert-contacts', EMAIL);
  assert.ok(await confirmContact(world.platform, tokenIn(mail.mails.pop())));
  return body.data;
}

async function addChat({ world, owner }: Pick<Scene, 'world' | 'owner'>) {
  const { body } = await owner.call('POST', '/alert-contacts', { kind: 'chat', target: world.receiver.url });
  return body.data;
}

test('abandoned events are reported once, in one alert, by e-mail and in a chat', async (t) => {
  const scene = await sceneFor(t);
  const { world, application, owner, mail } = scene;
  const email = await addEmail(scene);
  const chat = await addChat(scene);
  const happenedAt = world.platform.clock.now();
  await abandons({ world, application }, 3);
  assert.deepEqual(await step(world), [1, 2]);
  assert.deepEqual(await step(world), [0, 0]);
  const text = [
    '3 events of Weather (3 message.received) could not be delivered: every attempt failed.',
    'They happened between 2026-11-21 12:00 UTC and 2026-11-21 12:00 UTC.',
    `See why, and send them again, in the event log: https://chat.example.com/console/applications/${application.appId}/events`,
  ].join('\n');
  assert.deepEqual(
    world.receiver.requests.map(({ rawBody }) => JSON.parse(rawBody.toString())),
    [{ text }],
  );
  assert.deepEqual(
    mail.mails.map(({ from, to }) => ({ from, to })),
    [{ from: 'alerts@localhost', to: ['ops@example.com'] }],
  );
  assert.match(mail.mails[0]?.text ?? '', /^Subject: 3 events of Weather could not be delivered$/m);
  const { status, body } = await owner.call('GET', '/alerts');
  const { alertId } = body.data[0];
  assert.match(alertId, /^alr_/);
  const times = { createdAt: happenedAt, firstEventAt: happenedAt, lastEventAt: happenedAt };
  const notices = [email, chat].map(({ contactId }) => ({ contactId, state: 'sent' }));
  const alert = { alertId, ...times, events: 3, eventCounts: { 'message.received': 3 }, notices };
  assert.deepEqual([status, body], [200, success('alerts, newest first', [alert], happenedAt)]);
});

test('one alert covers all abandoned events, however many', async (t) => {
  const scene = await sceneFor(t);
  const { world, application, owner, mail } = scene;
  await addEmail(scene);
  await abandons({ world, application }, 1);
  await world.platform.db`
    insert into event_queue (bucket, delivery_id, app_id, app_bucket, type, state, attempts, logged, created_at)
    select n % 1024, 'dlv_' || n, app_id, app_bucket, type, state, attempts, logged, created_at + n
    from event_queue cross join generate_series(1, 12345) as n`;
  assert.deepEqual(await step(world), [1, 1]);
  assert.match(mail.mails[0]?.text ?? '', /^Subject: 12,346 events of Weather could not be delivered$/m);
  const [alert] = (await owner.call('GET', '/alerts')).body.data;
  assert.deepEqual([alert.events, alert.lastEventAt - alert.firstEventAt], [12_346, 12_345]);
  assert.deepEqual(await step(world), [0, 0]);
});

test('an application has one alert per 5 minutes; events in between share the next', async (t) => {
  const { world, application, owner } = await sceneFor(t);
  const counts = async () =>
    (await owner.call('GET', '/alerts')).body.data.map(({ events }: { events: number }) => events);
  await abandons({ world, application }, 1);
  await step(world);
  await abandons({ world, application }, 2);
  world.platform.clock.advance({ minutes: 4, seconds: 59 });
  await abandons({ world, application }, 4);
  await step(world);
  assert.deepEqual(await counts(), [1]);
  world.platform.clock.advance({ seconds: 1 });
  await step(world);
  assert.deepEqual(await counts(), [6, 1]);
});

test('an event that is abandoned again after its replay raises another alert', async (t) => {
  const { world, application, owner } = await sceneFor(t);
  await abandons({ world, application }, 1);
  await step(world);
  world.platform.clock.advance({ minutes: 6 });
  const [{ eventId }] = (await owner.call('GET', '/events')).body.data;
  assert.equal((await owner.call('POST', `/events/${eventId}/replay`)).status, 200);
  assert.deepEqual(await step(world), [0, 0]);
  await world.platform.db`update event_queue set state = 'abandoned', next_attempt_at = null`;
  assert.equal((await step(world))[0], 1);
});

test('several concurrent workers send each alert once', async (t) => {
  const scene = await sceneFor(t);
  const { world, application, mail } = scene;
  await addEmail(scene);
  await abandons({ world, application }, 500);
  const raised = await Promise.all(Array.from({ length: 4 }, () => raiseAlerts(world.platform)));
  assert.deepEqual(raised.sort(), [0, 0, 0, 1]);
  const tried = await Promise.all(Array.from({ length: 4 }, () => sendNotices(world.platform)));
  assert.deepEqual(tried.sort(), [0, 0, 0, 1]);
  assert.equal(mail.mails.length, 1);
});

test('many alerts at once go out at once, but few at a time to the mail server, which may refuse more', async (t) => {
  const scene = await sceneFor(t);
  const { world, application, owner, mail } = scene;
  for (let i = 0; i < 5; i++)
    await owner.call('POST', '/alert-contacts', { ...EMAIL, target: `ops${i}@example.com` });
  await world.platform.db`update alert_contacts set confirmed_at = 1`;
  for (let i = 0; i < 4; i++) {
    await abandons({ world, application }, 1);
    await raiseAlerts(world.platform);
    world.platform.clock.advance({ minutes: 5 });
  }
  mail.mails.length = 0;
  mail.mostAtOnce = 0;
  const { alerts } = composeFeatures(world.platform).webhooks;
  while ((await alerts.sendDue()) === 0);
  assert.deepEqual([mail.mails.length, mail.mostAtOnce], [20, 2]);
});

test('a contact that cannot be reached is tried 5 times over 81 minutes, and the fault is shown', async (t) => {
  const scene = await sceneFor(t);
  const { world, application, owner, mail } = scene;
  await addEmail(scene);
  mail.answer = '550 no such mailbox: a secret';
  await abandons({ world, application }, 1);
  await raiseAlerts(world.platform);
  const notice = async () => {
    const [{ state, fault }] = (await owner.call('GET', '/alerts')).body.data[0].notices;
    return [state, fault];
  };
  const fault = say('alert.mail-refused-with', { code: 550 });
  for (const minutes of [1, 5, 15, 60]) {
    assert.equal(await sendNotices(world.platform), 1);
    assert.deepEqual(await notice(), ['pending', fault]);
    world.platform.clock.advance({ minutes, seconds: -1 });
    assert.equal(await sendNotices(world.platform), 0);
    world.platform.clock.advance({ seconds: 1 });
  }
  assert.equal(await sendNotices(world.platform), 1);
  assert.deepEqual(await notice(), ['failed', fault]);
  world.platform.clock.advance({ days: 1 });
  assert.equal(await sendNotices(world.platform), 0);
});

test('without a mail server an alert appears in the console and in the log', async (t) => {
  const { world, application, owner } = await sceneFor(t);
  world.platform.config = { ...world.platform.config, smtpUrl: undefined };
  const logged: unknown[] = [];
  const log = { ...world.platform.log, warn: (...line: unknown[]) => void logged.push(line) };
  await owner.call('POST', '/alert-contacts', EMAIL);
  const counted = countMails(world.platform.metrics).series({ outcome: 'logged' });
  const before = counted.value;
  await abandons({ world, application }, 1);
  await raiseAlerts({ ...world.platform, log });
  await sendNotices({ ...world.platform, log });
  assert.equal(counted.value, before + 1, 'the alert ParleyMailFails sees it');
  const [{ alertId, notices }] = (await owner.call('GET', '/alerts')).body.data;
  assert.deepEqual(columnOf(notices, 'state'), ['logged']);
  const { appId } = application;
  const text = [
    '1 event of Weather (1 message.received) could not be delivered: every attempt failed.',
    'It happened at 2026-11-21 12:00 UTC.',
    `See why, and send them again, in the event log: https://chat.example.com/console/applications/${appId}/events`,
  ].join('\n');
  assert.deepEqual(logged, [
    [{ appId, alertId, events: 1, contacts: 1 }, 'events were abandoned'],
    [{ appId, alertId, alert: text }, '1 event of Weather could not be delivered'],
  ]);
});

test('an alert contains nothing private, and a name cannot mention everybody in a chat or begin a header', async (t) => {
  const scene = await sceneFor(t);
  const { world, application, mail } = scene;
  await addEmail(scene);
  await addChat(scene);
  await renameApplication(world.platform, application, '<!channel> @all\r\nBcc: x@example.com', []);
  await abandons({ world, application }, 1);
  await step(world);
  const sent = [mail.mails[0]?.text ?? '', world.receiver.requests[0]?.rawBody.toString() ?? ''];
  for (const text of sent) {
    assert.match(text, /1 event of/);
    assert.doesNotMatch(text, /private|usr_|msg_|127\.0\.0\.1|<!|@all|^Bcc/m);
  }
  assert.deepEqual(mail.mails[0]?.to, ['ops@example.com']);
});

test('contacts are listed without the secret part of a chat webhook, stored sealed, and removed', async (t) => {
  const { world, application, owner } = await sceneFor(t);
  const now = world.platform.clock.now();
  const target = 'https://hooks.example.com/services/T0/canary-81';
  const added = [
    await owner.call('POST', '/alert-contacts', EMAIL),
    await owner.call('POST', '/alert-contacts', { kind: 'chat', target }),
  ].map(({ status, body }) => {
    assert.deepEqual([status, body.message], [201, 'alert contact added']);
    const { confirmation, ...contact } = body.data;
    assert.equal(confirmation?.isSent, contact.kind === 'email' ? true : undefined);
    return contact;
  });
  const [email, chat] = added;
  const fresh = { createdAt: now, isMuted: false };
  const hidden = 'https://hooks.example.com/…';
  const shown = [
    { contactId: email.contactId, kind: 'email', target: 'ops@example.com', isConfirmed: false, ...fresh },
    { contactId: chat.contactId, kind: 'chat', target: hidden, isConfirmed: true, ...fresh },
  ];
  assert.deepEqual(added, shown);
  assert.deepEqual((await owner.call('GET', '/alert-contacts')).body.data, shown);
  const dump = JSON.stringify(await world.platform.db`select contact::text from alert_contacts contact`);
  for (const word of ['ops@example', 'canary-81'])
    for (const encoding of ['utf8', 'hex'] as const)
      assert.equal(dump.includes(Buffer.from(word).toString(encoding)), false);
  const removal = await owner.call('DELETE', `/alert-contacts/${email.contactId}`);
  assert.deepEqual([removal.status, removal.body.data], [200, { removed: true }]);
  assert.equal((await owner.call('DELETE', `/alert-contacts/${email.contactId}`)).status, 404);
  assert.deepEqual((await owner.call('GET', '/alert-contacts')).body.data, [shown[1]]);
  const stranger = await openConsole(world, { ...(await world.application()), appId: application.appId });
  t.after(() => stranger[Symbol.asyncDispose]());
  for (const [method, path] of [
    ['GET', '/alert-contacts'],
    ['GET', '/alerts'],
    ['DELETE', `/alert-contacts/${chat.contactId}`],
    ['POST', `/alert-contacts/${chat.contactId}/test`],
  ] as const) {
    assert.equal((await stranger.call(method, path)).status, 404, path);
  }
  await owner.call('DELETE', '');
  assert.deepEqual([...(await world.platform.db`select contact_id from alert_contacts`)], []);
});

test('an invalid address is refused, and so is a sixth contact', async (t) => {
  const { owner } = await sceneFor(t);
  const add = async (kind: string, target: string) => {
    const { status, body } = await owner.call('POST', '/alert-contacts', { kind, target });
    return [status, body.message];
  };
  for (const target of ['ops', 'a@b c', 'a@b\r\nBcc: x@y', 'a@b, c@d', 'Ops <a@b>']) {
    assert.deepEqual(await add('email', target), [400, 'target must be an e-mail address'], target);
  }
  for (const target of ['http://hooks.example.com', 'https://10.0.0.1/x', 'https://localhost/x', 'x']) {
    assert.equal((await add('chat', target))[0], 400, target);
  }
  assert.equal((await add('pager', 'x'))[0], 400);
  for (let i = 0; i < 5; i++) assert.equal((await add('email', `ops${i}@example.com`))[0], 201);
  assert.deepEqual(await add('email', 'one@example.com'), [
    429,
    'an application can have at most 5 alert contacts',
  ]);
});

test('a test is sent at once and its result returned; tests are limited', async (t) => {
  const scene = await sceneFor(t);
  const { world, owner, mail } = scene;
  const email = (await addEmail(scene)).contactId;
  const chat = (await addChat(scene)).contactId;
  const result = async (contactId: string) => {
    const { status, body } = await owner.call('POST', `/alert-contacts/${contactId}/test`);
    return [status, body.data ?? body.message];
  };
  const sent = { isSent: true, ...say('alert.test-sent') };
  assert.deepEqual(await result(email), [200, sent]);
  assert.match(mail.mails[0]?.text ?? '', /^Subject: Test: alerts of Weather$/m);
  assert.deepEqual(await result(chat), [200, sent]);
  world.respond = () => ({ status: 410 });
  assert.deepEqual(await result(chat), [
    200,
    { isSent: false, ...say('alert.chat-answered', { status: 410 }) },
  ]);
  world.platform.config = { ...world.platform.config, smtpUrl: 'smtp://127.0.0.1:1' };
  // The link to the e-mail address was the first of the ten mails.
  for (let i = 4; i < 10; i++) await result(chat);
  assert.deepEqual(await result(chat), [429, 'at most 10 tests of alert contacts per hour are allowed']);
});

test('a muted contact gets no alerts until the mute ends, and a muted application sends none; both are listed', async (t) => {
  const scene = await sceneFor(t);
  const { world, application, owner, mail } = scene;
  const email = await addEmail(scene);
  await addChat(scene);
  const hour = 3_600_000;
  const until = world.platform.clock.now() + hour;
  const muted = await owner.call('PUT', `/alert-contacts/${email.contactId}/mute`, { until });
  assert.deepEqual([muted.body.data.isMuted, muted.body.data.mutedUntil], [true, until]);
  await abandons({ world, application }, 1);
  assert.deepEqual(await step(world), [1, 1]);
  assert.deepEqual([mail.mails.length, world.receiver.requests.length], [0, 1]);

  world.platform.clock.advance({ hours: 1 });
  const present = world.platform.clock.now();
  assert.equal((await owner.call('PUT', '/alerts/mute', { until: present })).status, 400);
  assert.deepEqual((await owner.call('PUT', '/alerts/mute', { until: null })).body.data, { isMuted: true });
  await abandons({ world, application }, 1);
  assert.deepEqual(await step(world), [1, 0]);
  assert.deepEqual((await owner.call('DELETE', '/alerts/mute')).body.data, { isMuted: false });

  world.platform.clock.advance({ hours: 1 });
  await abandons({ world, application }, 1);
  assert.deepEqual(await step(world), [1, 2]);
  assert.deepEqual([mail.mails.length, world.receiver.requests.length], [1, 2]);
  const { data: alerts } = (await owner.call('GET', '/alerts')).body;
  assert.deepEqual(
    alerts.map(({ notices }: { notices: unknown[] }) => notices.length),
    [2, 0, 1],
  );
});

test('on Citus an unreachable shard does not delay alerts about events of the others', async (t) => {
  expectErrors(/invalid input syntax for type integer/);
  const scene = await sceneFor(t);
  const { world, application, mail } = scene;
  await addEmail(scene);
  await abandons({ world, application }, 3);
  const platform = { ...world.platform, shards: withLostShard(world.platform.shards) };
  await assert.rejects(raiseAlerts(platform), AggregateError);
  world.platform.clock.advance({ minutes: 1 });
  await sendNotices(platform);
  assert.match(mail.mails[0]?.text ?? '', /^Subject: 3 events of Weather could not be delivered$/m);
});
