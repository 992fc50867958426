import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createManagementScene, keyIn, managementScene } from '#testing/management-scene.ts';
import { MANAGEMENT_BOT_ID } from './identity.ts';

test('the bot is found by its username and shows its commands', async (t) => {
  const { scene, person } = await managementScene(t);
  const { status, body } = await person.calls('GET', '/api/chat/profiles?username=managerbot');
  assert.equal(status, 200);
  assert.equal(body.data.name, 'Bot Manager');
  assert.deepEqual(
    body.data.commands.map(({ command }: { command: string }) => command),
    ['newbot', 'mybots', 'token', 'setdescription', 'setcommands', 'setwebhook', 'cancel', 'help'],
  );
  await scene.says(person, '/start');
  const { conversationId } = body.data;
  const commands = await person.calls('GET', `/api/chat/conversations/${conversationId}/commands`);
  assert.equal(commands.body.data[0].commands.length, 8);
});

test('/newbot asks for a name and a username, and shows a key that works', async (t) => {
  const { scene, person } = await managementScene(t);
  assert.match(await scene.says(person, '/newbot'), /What should your bot be called\?/);
  const asked = await scene.says(person, 'Weather of Ada');
  assert.match(asked, /1\. @weather_of_ada_bot\n2\. @weather_of_adabot\n3\. @my_weather_of_ada_bot/);
  const made = await scene.says(person, '1');
  assert.match(made, /Weather of Ada \(@weather_of_ada_bot\) has been created/);
  assert.match(made, /curl http:\/\/localhost:3000\/v1\/me -H "Authorization: Bearer xk_live_/);
  assert.equal(await scene.statusOf(keyIn(made)), 200);
  const { body } = await person.calls('GET', '/api/console/home');
  assert.deepEqual(
    body.data.applications.map(({ name }: { name: string }) => name),
    ['Weather of Ada'],
  );
});

test('a person whose pages are German is answered in German, and may answer so', async (t) => {
  const { scene, person } = await managementScene(t);
  await person.calls('PUT', '/api/auth/language', { language: 'de' });
  assert.match(await scene.says(person, '/help'), /^Das kann ich:\n\/newbot - einen Bot erstellen\n/);
  assert.match(await scene.says(person, '/newbot Wetter'), /^Gut\. Sende jetzt einen Benutzernamen/);
  assert.match(await scene.says(person, 'Wetter'), /^Ein Benutzername muss auf „bot“ enden/);
  const key = keyIn(await scene.says(person, 'wetter_bot'));
  assert.equal(await scene.statusOf(key), 200);
  assert.match(await scene.says(person, 'fertig'), /^Aus unserem Chat gelöscht\./);
  assert.match(await scene.says(person, '/setwebhook'), /^Wohin sollen Nachrichten an @wetter_bot gehen\?/);
  assert.match(
    await scene.says(person, 'https://user:secret@hooks.example.com/'),
    /^Diese Adresse geht nicht: .*[^.]\.\n?/,
  );
  assert.match(await scene.says(person, '/cancel'), /^Abgebrochen\./);
  assert.match(await scene.says(person, '/mybots'), /@wetter_bot\) ist aktiv\n {2}Webhook: keiner\n/);
  assert.match(await scene.says(person, '/token'), /^Ein neuer API-Schlüssel/);
  assert.match(await scene.says(person, 'nein'), /^Der Schlüssel bleibt, wie er ist\./);
});

test('/newbot names each fault of a username, and offers free ones', async (t) => {
  const { scene, world, person } = await managementScene(t, { serviceName: 'Parley' });
  await world.bot({ username: 'weather_bot' });
  await scene.saysAll(person, '/newbot Weather');
  assert.match(await scene.says(person, 'Wetter!bot'), /only have lowercase letters, digits and _/);
  assert.match(await scene.says(person, 'bot'), /has 3 characters; it must have 5 to 32/);
  assert.match(await scene.says(person, `${'a'.repeat(40)}bot`), /has 43 characters/);
  assert.match(await scene.says(person, 'weather'), /must end in “bot”/);
  assert.match(await scene.says(person, 'parley_bot'), /must not contain “Parley”/);
  assert.match(await scene.says(person, 'managerbot'), /@managerbot is taken/);
  assert.match(await scene.says(person, '  @WEATHER_bot '), /@weather_bot is taken[\s\S]*1\. @weatherbot/);
  assert.match(await scene.says(person, '1'), /\(@weatherbot\) has been created/);
});

test('/newbot accepts names of 64 characters, and states the length of a longer one', async (t) => {
  const { scene, person } = await managementScene(t);
  await scene.says(person, '/newbot');
  assert.match(await scene.says(person, '\u3164\u200b'), /What should your bot be called\?/);
  assert.match(await scene.says(person, '🌦'.repeat(65)), /has 65 characters; at most 64 are allowed/);
  const asked = await scene.says(person, '🌦'.repeat(64));
  assert.match(asked, /Now send a username/);
  assert.doesNotMatch(asked, /These are available/);
});

test('the 21st application is refused with an explanation', async (t) => {
  const { scene, person } = await managementScene(t);
  await scene.saysAll(person, '/newbot Late');
  for (let i = 0; i < 20; i++) await person.creates(`App ${i}`);
  assert.match(await scene.says(person, 'late_bot'), /You have 20 applications/);
  assert.match(await scene.says(person, '/newbot'), /You have 20 applications/);
});

test('/token asks for confirmation, then the old key is invalid at once', async (t) => {
  const { scene, person } = await managementScene(t);
  const old = await scene.makesBot(person);
  assert.match(await scene.says(person, '/token'), /A new API key for @weather_bot\?/);
  assert.match(await scene.says(person, 'hm'), /1\. Yes/);
  assert.match(await scene.says(person, 'no'), /stays as it is/);
  assert.equal(await scene.statusOf(old), 200);
  const renewed = keyIn(await scene.saysAll(person, '/TOKEN @Weather_Bot', '1'));
  assert.equal(await scene.statusOf(old), 401);
  assert.equal(await scene.statusOf(renewed), 200);
});

test('a key of a disabled or suspended application comes with a warning', async () => {
  await using scene = await createManagementScene();
  const { world } = scene;
  const bot = await world.bot();
  await bot.owner.disables(bot);
  const disabled = await scene.saysAll(bot.owner, '/token', 'yes');
  assert.match(disabled, /Its application is disabled/);
  assert.equal(await scene.statusOf(keyIn(disabled)), 403);
  await world.suspends(bot);
  assert.match(await scene.saysAll(bot.owner, '/token', 'yes'), /Its application is suspended/);
});

test('a bot is chosen by number, by username or by name', async () => {
  await using scene = await createManagementScene();
  const { world } = scene;
  const owner = await world.person();
  await world.bot({ owner, username: 'one_bot', name: 'First' });
  await world.bot({ owner, username: 'two_bot', name: 'Second' });
  const which = await scene.says(owner, '/setdescription');
  assert.match(which, /1\. @one_bot \(First\)\n2\. @two_bot \(Second\)/);
  assert.match(await scene.says(owner, '7'), /its number in the list, or its username/);
  assert.match(await scene.says(owner, '2.'), /description of @two_bot/);
  assert.match(
    await scene.saysAll(owner, '/cancel', '/setdescription', '@One_Bot'),
    /description of @one_bot/,
  );
  assert.match(await scene.saysAll(owner, '/cancel', '/setdescription', 'second'), /description of @two_bot/);
  assert.match(await scene.says(owner, '/setdescription nobot'), /called “nobot”\. Which bot\?/);
});

test('/setdescription changes and clears the description, and limits its length', async () => {
  await using scene = await createManagementScene();
  const { owner, appId } = await scene.world.bot({ username: 'weather_bot' });
  const description = async () =>
    (await owner.calls('GET', `/api/console/applications/${appId}/bot`)).body.data.description;
  assert.match(await scene.saysAll(owner, '/setdescription', 'x'.repeat(513)), /That has 513 characters/);
  assert.match(await scene.says(owner, 'y'.repeat(512)), /now see this description/);
  assert.equal(await description(), 'y'.repeat(512));
  await scene.says(owner, '/setdescription  weather_bot   Tells the\nweather');
  assert.equal(await description(), 'Tells the\nweather');
  assert.match(await scene.saysAll(owner, '/setdescription', 'empty'), /no longer has a description/);
  assert.equal(await description(), '');
});

test('/setcommands takes lines, and names each that is wrong', async () => {
  await using scene = await createManagementScene();
  const { owner, appId } = await scene.world.bot({ username: 'weather_bot' });
  const commands = async () =>
    (await owner.calls('GET', `/api/console/applications/${appId}/bot`)).body.data.commands;
  await scene.says(owner, '/setcommands');
  const faults = await scene.says(
    owner,
    [
      'start - begin',
      'no description',
      'wrong! - name',
      `${'n'.repeat(33)} - long`,
      `d - ${'x'.repeat(257)}`,
      'start - again',
    ].join('\n'),
  );
  assert.match(faults, /line 2, “no description”: does not have the form “name - description”/);
  assert.match(faults, /line 3, “wrong! - name”: the name can only have/);
  assert.match(faults, /line 4[^\n]*has 33 characters; at most 32 are allowed/);
  assert.match(faults, /line 5[^\n]*has 257 characters; at most 256 are allowed/);
  assert.match(faults, /line 6[^\n]*is listed twice/);
  assert.deepEqual(await commands(), []);
  const many = Array.from({ length: 51 }, (_, i) => `c${i} - x`).join('\n');
  assert.match(await scene.says(owner, many), /Those are 51 commands; a bot can have at most 50/);
  assert.equal(
    await scene.says(owner, '/Start  -  begin\n\n today: the weather of today'),
    '@weather_bot now has 2 commands; people find them by typing / in its chat.\n\nAdded: /start /today\nChanged to lowercase: Start → start',
  );
  assert.deepEqual(await commands(), [
    { command: 'start', description: 'begin' },
    { command: 'today', description: 'the weather of today' },
  ]);
  assert.equal(
    await scene.says(owner, '/setcommands weather_bot\nhelp - help\ntoday - as of now'),
    '@weather_bot now has 2 commands; people find them by typing / in its chat.\n\nAdded: /help\nNew description: /today\nRemoved: /start',
  );
  assert.match(
    await scene.says(owner, '/setcommands weather_bot\nhelp - help'),
    /now has one command.*\n\nRemoved: \/today\nUnchanged: \/help$/,
  );
  assert.match(await scene.saysAll(owner, '/setcommands', 'empty'), /no longer has any commands/);
  assert.deepEqual(await commands(), []);
});

test('/setwebhook applies the checks of the console, sets, shows a secret on request, and removes', async () => {
  await using scene = await createManagementScene();
  const { owner, appId } = await scene.world.bot({ username: 'weather_bot' });
  const url = async () =>
    (await owner.calls('GET', `/api/console/applications/${appId}`)).body.data.webhookUrl;
  scene.names.set('intranet.example.com', [{ address: '10.0.0.1', family: 4 }]);
  assert.match(await scene.says(owner, '/setwebhook'), /Where should messages to @weather_bot be sent\?/);
  assert.match(await scene.says(owner, 'what?'), /begins with https:\/\//);
  assert.match(await scene.says(owner, 'http://hooks.example.com/'), /must begin with https/);
  assert.match(await scene.says(owner, 'https://127.0.0.1/'), /cannot be used/);
  assert.match(await scene.says(owner, 'https://intranet.example.com/'), /public addresses only/);
  assert.equal(await url(), undefined);
  assert.match(await scene.says(owner, 'https://hooks.example.com/parley'), /are sent there, signed/);
  assert.equal(await url(), 'https://hooks.example.com/parley');
  const previousSignsUntil = async () =>
    (await owner.calls('GET', `/api/console/applications/${appId}`)).body.data.webhookSecret
      .previousSignsUntil;
  assert.match(await scene.says(owner, 'what?'), /1\. Yes.*\n2\. No.*\n3\. Yes/);
  assert.match(await scene.says(owner, '1'), /whsec_[\s\S]*The old one no longer signs anything/);
  assert.equal(await previousSignsUntil(), undefined);
  assert.match(await scene.says(owner, 'done'), /Deleted from/);
  const overlapping = await scene.saysAll(owner, '/setwebhook', 'https://hooks.example.com/parley', '3');
  assert.match(overlapping, /whsec_[\s\S]*also signs webhook-signature for 24 hours/);
  assert.equal(await previousSignsUntil(), scene.world.clock.now() + 24 * 3_600_000);
  assert.match(await scene.says(owner, 'done'), /Deleted from/);
  assert.match(
    await scene.says(owner, '/setwebhook'),
    /The current one is https:\/\/hooks\.example\.com\/parley/,
  );
  assert.match(await scene.says(owner, '2'), /no longer has a webhook/);
  assert.equal(await url(), undefined);
  assert.match(await scene.saysAll(owner, '/setwebhook', 'remove'), /nothing to remove/);
});

test('/setwebhook requires a recent sign-in, because a webhook determines where messages are sent', async () => {
  await using scene = await createManagementScene();
  const webhookUrl = 'https://hooks.example.com/old';
  const { owner, appId } = await scene.world.bot({ username: 'weather_bot', webhookUrl });
  scene.world.clock.advance({ minutes: 11 });
  const stale = /only within 10 minutes of a sign-in/;
  for (const text of ['', ' https://evil.example.com/', ' remove']) {
    assert.match(await scene.says(owner, `/setwebhook weather_bot${text}`), stale);
  }
  const application = await owner.calls('GET', `/api/console/applications/${appId}`);
  assert.equal(application.body.data.webhookUrl, webhookUrl);
});

test('/mybots shows state, webhook and last event', async () => {
  await using scene = await createManagementScene();
  const { world } = scene;
  const owner = await world.person();
  assert.match(await scene.says(owner, '/mybots'), /You have no bot yet/);
  assert.match(await scene.says(owner, '/token'), /You have no bot yet/);
  const bot = await world.bot({ owner, username: 'one_bot', webhookUrl: 'https://hooks.example.com/' });
  const other = await world.bot({ owner, username: 'two_bot', name: 'Two' });
  await owner.writes(bot, 'hello');
  await owner.disables(other);
  world.clock.advance({ minutes: 5 });
  assert.equal(
    await scene.says(owner, 'MyBots'),
    'Your bots:\n\nHelper (@one_bot) is active\n  webhook: https://hooks.example.com/\n  last event: pending, 5 min ago\n\n' +
      'Two (@two_bot) is disabled\n  webhook: none\n  last event: none\n\nChange them with /token, /setdescription, /setcommands, /setwebhook.',
  );
});

test('a bot deleted during the dialogue, and bots of others, cannot be changed', async () => {
  await using scene = await createManagementScene();
  const { world } = scene;
  const bot = await world.bot({ username: 'weather_bot' });
  await world.bot({ username: 'foreign_bot' });
  assert.match(await scene.says(bot.owner, '/token foreign_bot'), /called “foreign_bot”/);
  assert.match(await scene.says(bot.owner, `/token x${'🦊'.repeat(64)}`), /called “x🦊{38}…”/u);
  await scene.saysAll(bot.owner, '/cancel', '/token weather_bot');
  await bot.deleted();
  assert.match(await scene.says(bot.owner, '1'), /no longer exists/);
  assert.match(await scene.says(bot.owner, '/token'), /You have no bot yet/);
});

test('input that is not understood is answered with the expected input', async (t) => {
  const { scene, person } = await managementScene(t);
  assert.match(await scene.says(person, 'good morning'), /Send \/newbot/);
  assert.match(await scene.says(person, '/dance'), /do not know the command \/dance/);
  assert.match(await scene.says(person, '/cancel'), /nothing to cancel/);
  assert.match(await scene.says(person, '/help'), /\/newbot - create a bot/);
  await scene.says(person, '/newbot');
  assert.match(await scene.says(person, '/dance'), /waiting for the name of your bot/);
  const picture = { type: 'image', fileUrl: 'https://cdn.example.com/a.png' };
  assert.match(await scene.says(person, picture), /only read text[\s\S]*waiting for the name/);
  assert.match(await scene.says(person, '/mybots'), /no bot yet[\s\S]*waiting for the name/);
  assert.match(await scene.says(person, '/CANCEL@managerbot'), /Cancelled/);
  assert.match(await scene.says(person, 'cancel'), /nothing to cancel/);
});

test('a dialogue is forgotten after an hour', async (t) => {
  const { scene, world, person } = await managementScene(t);
  await scene.says(person, '/newbot');
  world.clock.advance({ hours: 1 });
  assert.match(await scene.says(person, 'Weather'), /did not understand/);
});

test('the audit trail names this bot as the channel of changes made here', async (t) => {
  const { scene, world, person } = await managementScene(t);
  await scene.makesBot(person);
  await scene.saysAll(
    person,
    '/token',
    '1',
    '/setdescription weather_bot Weather',
    '/setcommands weather_bot a - b',
  );
  await scene.saysAll(person, '/setwebhook weather_bot https://hooks.example.com/', '1', '/setwebhook', '2');
  const entries = await world.db`select action, channel, actor_id from audit_entries order by entry_id`;
  assert.deepEqual(
    entries.map(({ action }) => action),
    [
      'application.created',
      'bot.created',
      'api-key.regenerated',
      'bot.changed',
      'bot.changed',
      'webhook-url.set',
      'webhook-secret.regenerated',
      'webhook-url.removed',
    ],
  );
  for (const { channel, actorId } of entries)
    assert.deepEqual([channel, actorId], ['management-bot', person.accountId]);
});

test('the bot cannot be added to a group, and no bot can write to it', async (t) => {
  const { world, person } = await managementScene(t);
  const group = await person.calls('POST', '/api/chat/groups', { name: 'Us', members: [MANAGEMENT_BOT_ID] });
  assert.equal(group.status, 403);
  const bot = await world.bot();
  const sent = await bot.calls('POST', '/v1/messages', {
    to: MANAGEMENT_BOT_ID,
    type: 'text',
    content: '/start',
  });
  assert.equal(sent.status, 403);
});

test('twenty bots with long names fit into one message', async () => {
  await using scene = await createManagementScene();
  const { world } = scene;
  const owner = await world.person();
  for (let i = 0; i < 20; i++) {
    const username = `${'a'.repeat(27)}${String(i).padStart(2, '0')}bot`;
    const webhookUrl = `https://hooks.example.com/${'x'.repeat(2000)}`;
    await world.bot({ owner, username, name: '🌦'.repeat(64), webhookUrl });
  }
  for (const text of ['/mybots', '/setwebhook', '20', '/mybots']) {
    const { length } = [...(await scene.says(owner, text))];
    assert.ok(length <= 4096, `${text}: ${length}`);
  }
});
