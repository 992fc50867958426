import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure, success } from '#testing/answers.ts';
import { consoleScene, createConsoleWorld } from '#testing/console-world.ts';

function invalid(message: string) {
  return failure('invalid-argument', message);
}

const TAKEN = failure('already-exists', 'username is taken');
const SECOND = failure('already-exists', 'the application already has a bot');

test('a bot is a separate account with the application’s name', async (t) => {
  const { world, owner, appId } = await consoleScene(t);
  const { db, clock } = world;
  const commands = [{ command: 'today', description: 'the weather of today' }];
  const profile = { username: 'weather_bot', description: 'Rain or shine', commands };
  const { status, body } = await owner.call('POST', `/applications/${appId}/bot`, profile);
  const { userId } = body.data;
  assert.equal(status, 201);
  assert.match(userId, /^[A-Za-z0-9_-]{1,128}$/);
  const data = { userId, name: 'Weather', ...profile, plainText: false };
  assert.deepEqual(body, success('bot created', data, clock.now()));
  assert.deepEqual((await owner.call('GET', `/applications/${appId}/bot`)).body.data, data);
  const [account] = await db`
    select is_bot, app_id, name, username, email, password_hash, created_at, deleted_at
    from accounts where account_id = ${userId}`;
  assert.deepEqual(
    { ...account },
    {
      isBot: true,
      appId,
      name: 'Weather',
      username: 'weather_bot',
      email: null,
      passwordHash: null,
      createdAt: clock.now(),
      deletedAt: null,
    },
  );
});

test('a username has 5 to 32 lowercase letters, digits and _, and ends with bot', async () => {
  await using world = await createConsoleWorld();
  const owner = await world.owner();
  for (const username of ['a_bot', '12bot', '__bot', `${'a'.repeat(29)}bot`, 'botbot']) {
    const { appId } = await owner.application();
    const { status, body } = await owner.call('POST', `/applications/${appId}/bot`, { username });
    assert.deepEqual(
      [status, body.data.username, body.data.description, body.data.commands],
      [201, username, '', []],
    );
  }
  const { appId } = await owner.application();
  const pattern = 'username must end with bot, and may have only lowercase letters, digits and _';
  const refused: [unknown, string][] = [
    ['xbot', 'username must have at least 5 characters'],
    [`${'a'.repeat(30)}bot`, 'username must have at most 32 characters'],
    ['weather', pattern],
    ['weather_bots', pattern],
    ['Weather_bot', pattern],
    ['weather_Bot', pattern],
    ['weather-bot', pattern],
    ['weather bot', pattern],
    ['wétter_bot', pattern],
    ['weather_bot\n', pattern],
    [12345, 'username must be of type string'],
    [null, 'username must be of type string'],
    [undefined, 'username is required'],
  ];
  for (const [username, message] of refused) {
    const { status, body } = await owner.call('POST', `/applications/${appId}/bot`, { username });
    assert.deepEqual([status, body], [400, invalid(message)], String(username));
  }
});

test('a username must not contain the name of the service, in any case', async () => {
  for (const [serviceName, shown] of [
    ['ParLey', 'ParLey'],
    [undefined, 'Parley'],
  ] as const) {
    await using world = await createConsoleWorld({ serviceName });
    const owner = await world.owner();
    const { appId } = await owner.application();
    for (const username of ['parley_bot', 'the_parleybot', 'parley_support_bot']) {
      const { status, body } = await owner.call('POST', `/applications/${appId}/bot`, { username });
      assert.deepEqual([status, body], [400, invalid(`username must not contain "${shown}"`)]);
    }
    const { status } = await owner.call('POST', `/applications/${appId}/bot`, { username: 'parle_y_bot' });
    assert.equal(status, 201);
  }
  await using world = await createConsoleWorld({ serviceName: 'Acme' });
  const owner = await world.owner();
  const { appId } = await owner.application();
  const { status } = await owner.call('POST', `/applications/${appId}/bot`, { username: 'parley_bot' });
  assert.equal(status, 201, 'another service has another name');
});

test('the profile’s limits hold on both sides, at creation and at every change', async (t) => {
  const { owner, appId } = await consoleScene(t);
  const path = `/applications/${appId}/bot`;
  const command = (name: string, description = '') => ({ command: name, description });
  const numbered = (count: number) => Array.from({ length: count }, (_, i) => command(`c_${i}`));
  const refused: [object, string][] = [
    [{ description: '🦜'.repeat(513) }, 'description must have at most 512 characters'],
    [{ description: 12 }, 'description must be of type string'],
    [{ commands: numbered(51) }, 'commands must have at most 50 entries'],
    [{ commands: 'start' }, 'commands must be of type array'],
    [{ commands: [command('a'.repeat(33))] }, 'commands.0.command must have at most 32 characters'],
    [{ commands: [command('')] }, 'commands.0.command must have at least 1 character'],
    [{ commands: [command('Start')] }, 'commands.0.command may have only lowercase letters, digits and _'],
    [{ commands: [command('/start')] }, 'commands.0.command may have only lowercase letters, digits and _'],
    [
      { commands: [command('a', 'x'.repeat(257))] },
      'commands.0.description must have at most 256 characters',
    ],
    [{ commands: [{ command: 'a' }] }, 'commands.0.description is required'],
    [{ commands: [command('a'), command('b'), command('a')] }, 'commands must not contain "a" twice'],
  ];
  for (const [profile, message] of refused) {
    const { status, body } = await owner.call('POST', path, { username: 'weather_bot', ...profile });
    assert.deepEqual([status, body], [400, invalid(message)]);
  }
  const description = '🦜'.repeat(512);
  const commands = [command('a'.repeat(32), '🦜'.repeat(256)), ...numbered(49)];
  const created = await owner.call('POST', path, { username: 'weather_bot', description, commands });
  assert.deepEqual([created.status, created.body.data.commands], [201, commands]);
  for (const [profile, message] of refused) {
    const { status, body } = await owner.call('PATCH', path, profile);
    assert.deepEqual([status, body], [400, invalid(message)]);
  }
  const shown = (await owner.call('GET', path)).body.data;
  assert.deepEqual([shown.description, shown.commands], [description, commands]);
});

test('only the contract’s fields of a command are kept', async (t) => {
  const { world, owner, appId } = await consoleScene(t);
  const path = `/applications/${appId}/bot`;
  const given = { commands: [{ command: 'start', description: 'begin', more: 'x'.repeat(70_000) }] };
  for (const [method, body] of [
    ['POST', { username: 'weather_bot', ...given }],
    ['PATCH', given],
  ] as const) {
    const { status } = await owner.call(method, path, body);
    assert.ok(status < 300, `${method} ${status}`);
    const [stored] = await world.db`select commands from bots where app_id = ${appId}`;
    assert.deepEqual(stored?.['commands'], [{ command: 'start', description: 'begin' }]);
  }
});

test('a change affects only the given fields; null counts as absent; empty clears', async (t) => {
  const { world, owner, appId } = await consoleScene(t);
  const path = `/applications/${appId}/bot`;
  const missing = await owner.call('PATCH', path, { description: 'x' });
  const noBot = failure('not-found', 'the application has no bot');
  assert.deepEqual([missing.status, missing.body], [404, noBot]);
  assert.equal((await owner.call('GET', path)).status, 404);

  const commands = [{ command: 'start', description: 'begin' }];
  await owner.call('POST', path, { username: 'weather_bot', description: 'old', commands: null });
  let plainText = false;
  const steps: [object, string, object][] = [
    [{ commands }, 'old', commands],
    [{ description: 'new' }, 'new', commands],
    [{ description: null, commands: [] }, 'new', []],
    [{ description: '', commands }, '', commands],
    [{ plainText: true }, '', commands],
    [{ description: '' }, '', commands],
    [{ plainText: false }, '', commands],
  ];
  for (const [change, description, kept] of steps) {
    const { status, body } = await owner.call('PATCH', path, change);
    assert.equal(status, 200);
    if ('plainText' in change) plainText = change.plainText === true;
    const { userId } = body.data;
    const data: object = {
      userId,
      name: 'Weather',
      username: 'weather_bot',
      description,
      commands: kept,
      plainText,
    };
    const timestamp = world.clock.now();
    assert.deepEqual(body, success('bot changed', data, timestamp));
  }
  for (const empty of [{}, { description: null }, { commands: null }, { username: 'other_bot' }]) {
    const { status, body } = await owner.call('PATCH', path, empty);
    assert.deepEqual(
      [status, body],
      [400, invalid('body needs at least one of description, commands, pictureUrl, plainText')],
    );
  }
});

test('a picture is shown with the bot until it is removed; it must be https or an upload', async (t) => {
  const { world, owner, appId } = await consoleScene(t);
  const path = `/applications/${appId}/bot`;
  await owner.call('POST', path, { username: 'weather_bot', description: 'old' });
  const pictureUrl = 'https://example.com/sun.png';
  const { body } = await owner.call('PATCH', path, { pictureUrl });
  assert.deepEqual([body.data.pictureUrl, body.data.description], [pictureUrl, 'old']);
  assert.equal((await owner.call('GET', path)).body.data.pictureUrl, pictureUrl);
  const [card] = (await owner.call('GET', '/home')).body.data.applications;
  assert.equal(card.bot.pictureUrl, pictureUrl);
  for (const [url, message] of [
    ['http://example.com/sun.png', 'pictureUrl must begin with https://, or be the url of an upload'],
    [`/media/${'x'.repeat(27)}/sun.png`, 'pictureUrl is not an upload of this server'],
  ] as const) {
    const refused = await owner.call('PATCH', path, { pictureUrl: url });
    assert.deepEqual([refused.status, refused.body], [400, invalid(message)]);
  }
  const stranger = await world.owner();
  assert.equal((await stranger.call('PATCH', path, { pictureUrl: null })).status, 404);
  assert.equal((await owner.call('PATCH', path, { description: 'new' })).body.data.pictureUrl, pictureUrl);
  assert.equal((await owner.call('PATCH', path, { pictureUrl: null })).body.data.pictureUrl, undefined);
});

test('an application has one bot: of 100 concurrent creations exactly one succeeds, the others are 409', async (t) => {
  const { world, owner, appId } = await consoleScene(t);
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      owner.call('POST', `/applications/${appId}/bot`, { username: `n${i}_bot` }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(99).fill(409)]);
  for (const { status, body } of answers) if (status === 409) assert.deepEqual(body, SECOND);
  const [counts] = await world.db`
    select (select count(*) from bots) as bots, (select count(*) from accounts where is_bot) as accounts,
      (select count(*) from unique_names) as names`;
  assert.deepEqual({ ...counts }, { bots: 1, accounts: 1, names: 1 });
});

test('a username can be taken only once, even concurrently, and forever', async () => {
  await using world = await createConsoleWorld();
  const owner = await world.owner();
  const apps = await Promise.all(Array.from({ length: 15 }, () => owner.application()));
  const create = (appId: string) =>
    owner.call('POST', `/applications/${appId}/bot`, { username: 'weather_bot' });
  const answers = await Promise.all(apps.map(({ appId }) => create(appId)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(14).fill(409)]);
  for (const { status, body } of answers) if (status === 409) assert.deepEqual(body, TAKEN);

  const winner = apps[answers.findIndex(({ status }) => status === 201)]?.appId ?? '';
  assert.equal((await owner.call('DELETE', `/applications/${winner}`)).status, 200);
  const { appId } = await owner.application();
  const late = await create(appId);
  assert.deepEqual([late.status, late.body], [409, TAKEN]);
  const other = await owner.call('POST', `/applications/${appId}/bot`, { username: 'weather2_bot' });
  assert.equal(other.status, 201);
});

test('the displayed name follows the application, from creation on', async (t) => {
  const { world, owner, appId } = await consoleScene(t);
  await owner.call('PATCH', `/applications/${appId}`, { name: 'Climate' });
  const { body } = await owner.call('POST', `/applications/${appId}/bot`, { username: 'weather_bot' });
  assert.equal(body.data.name, 'Climate');
  const renamed = await owner.call('PATCH', `/applications/${appId}`, { name: 'Season' });
  assert.deepEqual(
    [renamed.status, renamed.body.message, renamed.body.data.name],
    [200, 'application renamed', 'Season'],
  );
  assert.equal((await world.bots.findByUsername('weather_bot'))?.name, 'Season');
  assert.equal((await owner.call('GET', `/applications/${appId}/bot`)).body.data.name, 'Season');
});

test('a bot is found by its exact username, disabled or not, until it is deleted', async (t) => {
  const { world, owner, appId } = await consoleScene(t);
  const { bots } = world;
  const commands = [{ command: 'start', description: 'begin' }];
  const profile = { username: 'weather_bot', description: 'Rain', commands };
  const { userId } = (await owner.call('POST', `/applications/${appId}/bot`, profile)).body.data;
  const found = { userId, name: 'Weather', ...profile };
  assert.deepEqual(await bots.findByUsername('weather_bot'), found);
  for (const username of [
    'weather_bo',
    'weather',
    'Weather_bot',
    'weather_bot ',
    '',
    'x',
    'other_bot',
    '\0bot',
  ]) {
    assert.equal(await bots.findByUsername(username), undefined);
  }
  const shown = { accountId: userId, appId, name: 'Weather', ...profile };
  assert.deepEqual(await bots.findByAccountId(userId), { ...shown, isDeleted: false });
  for (const id of [owner.accountId, 'usr_00000000000000000000000a', 'x']) {
    assert.equal(await bots.findByAccountId(id), undefined);
  }
  await owner.call('POST', `/applications/${appId}/disable`);
  assert.deepEqual(await bots.findByUsername('weather_bot'), found);

  await owner.call('DELETE', `/applications/${appId}`);
  assert.equal(await bots.findByUsername('weather_bot'), undefined);
  assert.deepEqual(await bots.findByAccountId(userId), {
    ...shown,
    name: 'Deleted bot',
    description: '',
    commands: [],
    isDeleted: true,
  });
});

test('an application is created with its bot, or not at all', async () => {
  await using world = await createConsoleWorld();
  const owner = await world.owner();
  const bot = { username: 'weather_bot', commands: [{ command: 'today', description: 'The weather' }] };
  const made = await owner.call('POST', '/applications', { name: 'Weather', bot });
  assert.equal(made.status, 201);
  const { appId } = made.body.data;
  const { body } = await owner.call('GET', `/applications/${appId}/bot`);
  assert.deepEqual(
    [body.data.name, body.data.username, body.data.commands],
    ['Weather', ...Object.values(bot)],
  );
  const refused = await owner.call('POST', '/applications', { name: 'Late', bot });
  assert.deepEqual([refused.status, refused.body], [409, TAKEN]);
  const { status } = await owner.call('POST', '/applications', { name: 'Late', bot: { username: 'x' } });
  assert.equal(status, 400);
  const { applications } = (await owner.call('GET', '/home')).body.data;
  assert.deepEqual(
    applications.map(({ name }: { name: string }) => name),
    ['Weather'],
  );
});

test('the console tells whether a bot may have a username, and proposes free ones like a name', async () => {
  await using world = await createConsoleWorld({ serviceName: 'Acme' });
  const owner = await world.owner();
  const { appId } = await owner.application();
  assert.equal(
    (await owner.call('POST', `/applications/${appId}/bot`, { username: 'weather_bot' })).status,
    201,
  );
  const ask = async (like: string) => {
    const { status, body } = await owner.call('GET', `/bot-usernames?like=${encodeURIComponent(like)}`);
    assert.equal(status, 200, like);
    return body.data;
  };
  assert.deepEqual(await ask('snow_bot'), { suggestions: ['snow_bot', 'snowbot', 'my_snow_bot'] });
  const others = ['weatherbot', 'my_weather_bot', 'the_weather_bot'];
  assert.deepEqual(await ask('weather_bot'), { fault: 'taken', suggestions: others });
  assert.equal((await owner.call('DELETE', `/applications/${appId}`)).status, 200);
  assert.equal((await ask('weather_bot')).fault, 'taken', 'a deleted bot keeps its username');
  for (const [like, fault, suggestion] of [
    ['Weather', 'characters', 'weatherbot'],
    ['Schöne Grüße: Café', 'characters', 'schone_grusse_cafe_bot'],
    ['w'.repeat(64), 'length', `${'w'.repeat(24)}_bot`],
    ['bot', 'length', undefined],
    ['snow_', 'ending', 'snow_bot'],
    ['acme_bot', 'reserved', undefined],
    ['погода', 'characters', undefined],
  ] as const) {
    const { fault: found, suggestions } = await ask(like);
    assert.deepEqual([found, suggestions[0]], [fault, suggestion], like);
  }
  assert.equal((await owner.call('GET', '/bot-usernames')).status, 400);
});
