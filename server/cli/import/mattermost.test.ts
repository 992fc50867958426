import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { whileDeleting } from '#testing/account-scene.ts';
import { columnOf } from '#testing/columns.ts';
import { fileOf } from '#testing/files.ts';
import { type ImportScene, importScene, listed, pinned, thread } from '#testing/import-scene.ts';
import { zipOf } from '#testing/zip.ts';

const AT = Date.UTC(2024, 2, 1, 9);
const channels = (...names: string[]) => [
  { name: 'acme', channels: names.map((name) => ({ name, roles: 'channel_user' })) },
];

/** A small workspace: two channels, a private conversation, a group of three, and what people do in them. */
const LINES = [
  { type: 'version', version: 1, info: { generator: 'mattermost-server' } },
  { type: 'role', role: { name: 'custom_role' } },
  { type: 'emoji', emoji: { name: 'our-logo', image: 'data/emoji/x.png' } },
  { type: 'team', team: { name: 'acme', display_name: 'Acme', type: 'O' } },
  {
    type: 'channel',
    channel: {
      team: 'acme',
      name: 'town-square',
      display_name: 'Town Square',
      type: 'O',
      purpose: 'For all',
    },
  },
  {
    type: 'channel',
    channel: { team: 'acme', name: 'old', display_name: 'Old', type: 'P', deleted_at: AT + 90_000 },
  },
  { type: 'channel', channel: { team: 'acme', name: 'empty', display_name: 'Empty', type: 'O' } },
  {
    type: 'user',
    user: {
      username: 'ada',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      teams: [
        {
          name: 'acme',
          channels: [
            { name: 'town-square', roles: 'channel_user channel_admin' },
            { name: 'old', roles: 'channel_user' },
          ],
        },
      ],
    },
  },
  {
    type: 'user',
    user: { username: 'bob', email: 'bob@example.com', nickname: 'Bob', teams: channels('town-square') },
  },
  {
    type: 'user',
    user: {
      username: 'cleo',
      email: 'cleo@example.com',
      delete_at: AT + 100_000,
      teams: channels('town-square', 'old'),
    },
  },
  { type: 'bot', bot: { username: 'ci', owner: 'ada', display_name: 'CI' } },
  post('town-square', 'ada', AT, '# Welcome\nHello @bob, see **this** :tada: and `:tada:`', {
    is_pinned: true,
    reactions: [
      { user: 'bob', create_at: AT, emoji_name: '+1' },
      { user: 'cleo', create_at: AT, emoji_name: '+1' },
      { user: 'cleo', create_at: AT, emoji_name: 'our-logo' },
    ],
    replies: [
      { user: 'bob', message: 'Thanks', create_at: AT + 1000, edit_at: AT + 2000 },
      { user: 'stranger', message: 'Who am I?', create_at: AT + 3000 },
    ],
  }),
  post('town-square', 'bob', AT + 4000, 'bob joined', { type: 'system_join_channel' }),
  post('town-square', 'bob', AT + 5000, 'A picture', { attachments: [{ path: '2024/cat.png' }] }),
  post('town-square', 'bob', AT + 6000, '', {
    attachments: [{ path: '2024/plan.pdf' }, { path: '2024/gone.pdf' }],
  }),
  post('town-square', 'ci', AT + 7000, 'x'.repeat(5000)),
  post('old', 'cleo', AT + 8000, 'long ago'),
  post('empty', 'ada', AT + 9000, 'for its author'),
  { type: 'spaceship', spaceship: { name: 'of a plugin' } },
  { type: 'direct_channel', direct_channel: { members: ['ada', 'bob'] } },
  {
    type: 'direct_channel',
    direct_channel: { participants: [{ username: 'ada' }, { username: 'bob' }, { username: 'ci' }] },
  },
  direct(['ada', 'bob'], 'ada', AT + 10_000, 'only for you'),
  direct(['bob', 'ada'], 'bob', AT + 11_000, 'yes'),
  direct(['ada', 'bob', 'ci'], 'bob', AT + 12_000, 'three of us'),
  direct(['ada', 'ada'], 'ada', AT + 13_000, 'a note'),
];

function post(channel: string, user: string, create_at: number, message: string, more: object = {}) {
  return { type: 'post', post: { team: 'acme', channel, user, message, create_at, ...more } };
}

function direct(channel_members: string[], user: string, create_at: number, message: string) {
  return { type: 'direct_post', direct_post: { channel_members, user, message, create_at } };
}

const linesOf = (lines: readonly unknown[]) => `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;

/** The workspace as a file, for a server on which Ada has an account. */
async function workspace(t: TestContext) {
  const scene = await importScene(t);
  const ada = await scene.member('Ada', 'ada@example.com');
  const archive = zipOf({
    'import.jsonl': linesOf(LINES),
    'data/2024/cat.png': fileOf('png'),
    'data/2024/plan.pdf': fileOf('pdf'),
  });
  const file = await scene.file('export.zip', archive);
  return { scene, ada, brings: (...flags: string[]) => scene.imports('mattermost', file, ...flags) };
}

/** A server on which Ada has an account, and exports of a team with these channels. */
async function team(t: TestContext, ...names: string[]) {
  const scene = await importScene(t);
  const ada = await scene.member('Ada', 'ada@example.com');
  const begun = [
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'acme' } },
    ...names.map((name) => ({ type: 'channel', channel: { team: 'acme', name } })),
  ];
  const brings = async (...lines: object[]) =>
    scene.imports('mattermost', await scene.file('export.jsonl', linesOf([...begun, ...lines])));
  return { scene, ada, brings };
}

const user = (username: string, ...names: string[]) => ({
  type: 'user',
  user: { username, email: `${username}@example.com`, teams: channels(...names) },
});

/** The owner of an account that an import made, with a password. */
async function comesIn(scene: ImportScene, name: string) {
  await scene.world.db.begin((tx) => tx`update accounts set password_hash = 'hash' where name = ${name}`);
  return scene.owner(name);
}

const COUNTS = {
  'people with an account here': 1,
  'new people': 1,
  'people without an address': 2,
  'people who had left': 1,
  groups: 5,
  'groups without members': 1,
  'private conversations': 1,
  messages: 14,
  files: 2,
  reactions: 2,
  'service messages': 1,
  'reactions with emoji of their own': 1,
  'emoji of their own': 1,
  'roles and schemes': 1,
  'more than one file': 1,
  'long texts': 1,
  'missing files': 1,
  'lines of other types': 1,
  'conversations with oneself': 1,
  'pinned messages': 1,
};

test('a bulk export of Mattermost is in the chat as it was there, and is read; a dry run counts it', async (t) => {
  const { scene, ada, brings } = await workspace(t);
  const before = await scene.rows();
  const dry = await brings('dry-run');
  assert.deepEqual(dry.counts, COUNTS);
  assert.match(dry.text, /^count +in the export +here\n1 +people with an account here +their account/);
  assert.match(dry.text, /\n1 +service messages +left out: .*\n/);
  assert.match(dry.text, /Nothing was changed\.$/);
  assert.deepEqual(await scene.rows(), before);
  assert.deepEqual((await brings()).counts, COUNTS);

  const all = await listed(ada);
  assert.deepEqual([...all.keys()].toSorted(), [
    'Ada Lovelace',
    'Ada Lovelace, Bob, CI',
    'Bob',
    'Empty',
    'Old',
    'Town Square',
  ]);
  for (const { unreadCount, mentionMsgId } of all.values())
    assert.deepEqual([unreadCount, mentionMsgId], [0, undefined]);
  const square = all.get('Town Square');
  assert.equal(square?.isAdmin, true);
  assert.equal(square?.group?.memberCount, 3);
  assert.equal(square?.group?.description, 'For all');
  const messages = await thread(ada, square?.conversationId ?? '');
  const bob = await scene.owner('Bob');
  const [first, reply, stranger, picture, plan, gone, long, rest] = messages;
  assert.equal(messages.length, 8);
  assert.equal(first?.content, '**Welcome**\nHello @Bob, see **this** 🎉 and `:tada:`');
  assert.deepEqual(first?.mentionedUserIds, [bob.accountId]);
  assert.equal(first?.from, ada.accountId);
  assert.equal(first?.sentAt, AT);
  assert.deepEqual(
    first?.reactions?.given.map(({ emoji, userIds }) => [emoji, userIds.length]),
    [['👍', 2]],
  );
  assert.deepEqual(
    [reply?.content, reply?.editedAt, reply?.quote?.msgId, reply?.from],
    ['Thanks', AT + 2000, first?.msgId, bob.accountId],
  );
  assert.equal(stranger?.quote?.msgId, first?.msgId);
  assert.deepEqual([picture?.type, picture?.caption], ['image', 'A picture']);
  assert.deepEqual([plan?.type, plan?.caption], ['doc', undefined]);
  assert.equal(gone?.content, '📎 gone.pdf');
  assert.deepEqual([long?.content?.length, rest?.content?.length], [4096, 904]);
  const shown = await scene.world.app.inject({ url: picture?.fileUrl ?? '' });
  assert.deepEqual([shown.statusCode, shown.headers['content-type']], [200, 'image/png']);
  assert.deepEqual(shown.rawPayload, fileOf('png'));

  assert.deepEqual(await pinned(ada, square?.conversationId ?? ''), [first?.msgId]);
  assert.deepEqual(columnOf(await ada.reads(bob), 'content'), ['yes', 'only for you']);
  const old = all.get('Old');
  assert.equal((await thread(ada, old?.conversationId ?? ''))[0]?.content, 'long ago');

  const found = await ada.calls('GET', '/api/chat/search?words=only');
  assert.deepEqual(columnOf(found.body.data.messages, 'content'), ['only for you']);
  const own = (
    await scene.world.app.inject({ url: '/api/auth/export', headers: { cookie: ada.cookie } })
  ).json();
  assert.deepEqual(
    own.messages.map(({ content }: { content: string }) => content).toSorted(),
    [
      '**Welcome**\nHello @Bob, see **this** 🎉 and `:tada:`',
      'a note',
      'only for you',
      'for its author',
    ].toSorted(),
  );
  const { mentions, events } = await scene.rows();
  assert.deepEqual([mentions, events], [0, 0]);

  // Ordinary use goes on from there.
  const answer = {
    groupId: square?.conversationId,
    type: 'text',
    content: 'still here',
    replyToMsgId: first?.msgId,
  };
  assert.equal((await ada.calls('POST', '/api/chat/groups/messages', answer)).status, 201);
  assert.equal((await listed(bob)).get('Town Square')?.unreadCount, 1);
});

test('what webhooks posted is not under the name of who made them, and posts are in any order', async (t) => {
  const { scene, ada, brings } = await team(t, 'builds');
  const hook = (override_username: string, more: object = {}) => ({
    type: 'slack_attachment',
    props: { from_webhook: 'true', override_username, ...more },
  });
  const attachments = [
    {
      title: 'Build 7',
      title_link: 'https://ci.example/7',
      text: '*failed*',
      fields: [{ title: 'In', value: '2 s' }],
    },
  ];
  const pins = Array.from({ length: 51 }, (_, i) =>
    post('builds', 'ada', AT + 100 - i, `pin ${i}`, { is_pinned: true }),
  );
  await brings(
    user('ada', 'builds'),
    ...pins,
    post('builds', 'ada', AT + 1, '', hook('Jenkins', { attachments })),
    post('builds', 'ada', AT, 'relayed', hook('carl')),
    post('builds', 'ada', AT + 200, 'odd', {
      props: { attachments: [null, 7, { title: {} }], override_username: [] },
    }),
  );
  const { conversationId = '' } = (await listed(ada)).get('builds') ?? {};
  const nameOf = await namesOf(scene);
  const oldest = await scene.world.db<{ senderId: string; sentAt: number }[]>`
    select sender_id, sent_at from messages order by msg_id limit 2`;
  assert.deepEqual(
    oldest.map(({ senderId, sentAt }) => [nameOf.get(senderId), sentAt]),
    [
      ['carl', AT],
      ['Jenkins', AT + 1],
    ],
  );
  const found = await ada.calls('GET', '/api/chat/search?words=Build');
  assert.deepEqual(columnOf(found.body.data.messages, 'content'), [
    '**[Build 7](https://ci.example/7)**\n*failed*\n**In:** 2 s',
  ]);
  const [group] = await scene.world.db<{ createdAt: number }[]>`select created_at from groups`;
  assert.equal(group?.createdAt, AT);
  const { body } = await ada.calls('GET', `/api/chat/conversations/${conversationId}/pins`);
  const texts = columnOf(body.data.messages, 'content') as string[];
  assert.deepEqual([texts.length, texts.includes('pin 0'), texts.includes('pin 50')], [50, true, false]);
});

/** Of accounts and groups, by their ids. Citus does not join them. */
async function namesOf({ world: { db } }: ImportScene): Promise<Map<string, string>> {
  type Named = { id: string; name: string };
  const people = await db<Named[]>`select account_id as id, name from accounts`;
  const groups = await db<Named[]>`select group_id as id, name from groups`;
  return new Map([...people, ...groups].map(({ id, name }) => [id, name]));
}

test('a group without messages is in the list by the time of its import', async (t) => {
  const { scene, ada, brings } = await team(t, 'silent');
  await brings(user('ada', 'silent'));
  scene.world.clock.advance({ minutes: 1 });
  await ada.writes(await scene.world.person('Bob'), 'later');
  assert.deepEqual([...(await listed(ada)).keys()], ['Bob', 'silent']);
});

test('run again, nothing is there twice, and what people changed meanwhile stays', async (t) => {
  const { scene, ada, brings } = await workspace(t);
  await brings();
  const square = (await listed(ada)).get('Town Square')?.conversationId ?? '';
  const bob = await comesIn(scene, 'Bob');
  await bob.calls('POST', '/api/chat/groups/members/remove', { groupId: square, memberId: bob.accountId });
  const before = await scene.rows();
  assert.deepEqual(before['members'], 9);
  const { counts } = await brings();
  assert.equal(counts['messages'], undefined);
  assert.equal(counts['messages that are here'], 14);
  assert.equal(counts['people of an earlier import'], 5);
  assert.deepEqual(await scene.rows(), before);
  assert.equal((await listed(bob)).has('Town Square'), false);
});

test('a later export brings whoever joined a group there meanwhile, and nobody back who left it here', async (t) => {
  const { scene, ada, brings } = await team(t, 'tea', 'talk');
  const first = post('tea', 'ada', AT, 'first');
  const [bob, ...others] = ['bob', 'cleo', 'dora'].map((name) => user(name, 'tea'));
  await brings(user('ada', 'tea', 'talk'), bob ?? {}, ...others, first);
  const groupId = (await listed(ada)).get('tea')?.conversationId;
  // Ada removes Cleo; Dora comes in, and leaves.
  const [cleo, dora] = [await scene.owner('cleo'), await comesIn(scene, 'dora')];
  for (const [actor, { accountId: memberId }] of [
    [ada, cleo],
    [dora, dora],
  ] as const)
    await actor.calls('POST', '/api/chat/groups/members/remove', { groupId, memberId });
  for (const _ of ['once', 'twice']) {
    const joined = [user('bob', 'tea', 'talk'), user('emil', 'tea')];
    await brings(user('ada', 'tea', 'talk'), ...others, ...joined, first);
    const nameOf = await namesOf(scene);
    const members = await scene.world.db<{ groupId: string; accountId: string }[]>`
      select group_id, account_id from members`;
    assert.deepEqual(
      members.map(({ groupId, accountId }) => `${nameOf.get(groupId)} ${nameOf.get(accountId)}`).sort(),
      ['talk Ada', 'talk bob', 'tea Ada', 'tea bob', 'tea emil'],
    );
    const groups = await scene.world.db<{ memberCount: number }[]>`
      select member_count from groups order by name`;
    assert.deepEqual(columnOf(groups, 'memberCount'), [2, 3]);
  }
  assert.equal((await listed(await scene.owner('emil'))).get('tea')?.unreadCount, 0);
  assert.equal((await listed(dora)).has('tea'), false);
});

test('somebody whose account is deleted while an import runs gets nothing from it', async (t) => {
  const { scene, ada, brings } = await workspace(t);
  const { accountId } = ada;
  const { db } = scene.world;
  const countRows = async () =>
    (
      await db`
        select 1 from members where account_id = ${accountId} union all
        select 1 from contacts where account_id = ${accountId} union all
        select 1 from account_conversations where account_id = ${accountId}`
    ).length;
  const before = await countRows();
  await whileDeleting(scene.world, accountId, brings);
  assert.equal(await countRows(), before);
});

test('what two people wrote to each other does not come back once both accounts are deleted', async (t) => {
  const { scene, brings } = await workspace(t);
  const { clock, config, messages } = scene.world;
  await brings();
  for (const name of ['Ada', 'Bob']) {
    const email = `${name.toLowerCase()}@example.com`;
    const { status } = await (await scene.owner(name)).calls('POST', '/api/auth/account/delete', { email });
    assert.equal(status, 200);
  }
  clock.advance({ days: config.eventRetentionDays + 2 });
  await messages.openExpiry().finish();
  const before = await scene.rows();
  const { counts } = await brings();
  assert.ok(counts['messages of conversations deleted here']);
  assert.deepEqual(await scene.rows(), before);
});

test('the owner of a new account comes in by a link for a password, and nobody else does', async (t) => {
  const {
    scene: { world },
    brings,
  } = await workspace(t);
  await brings();
  const visitor = (url: string, payload: object) =>
    world.app.inject({
      method: 'POST',
      url: `/api/auth/${url}`,
      payload,
      headers: { 'sec-fetch-site': 'same-origin' },
    });
  const password = 'a good long passphrase';
  const bob = { email: 'bob@example.com', password };
  const taken = await visitor('sign-up', { ...bob, name: 'Mallory' });
  assert.equal(taken.statusCode, 409, taken.body);
  assert.equal((await visitor('sign-in', { ...bob, password: 'undefined' })).statusCode, 401);
  const accountId = await world.accounts.requireIdByEmail('bob@example.com');
  const { link } = await world.accounts.operator.makeResetLink(accountId);
  const ticket = link.split('#')[1];
  const set = await visitor('password/reset', { ticket, newPassword: password });
  assert.equal(set.statusCode, 200, set.body);
  assert.equal((await visitor('sign-in', bob)).statusCode, 200);
  // Somebody who had left stays out.
  const cleo = await world.accounts.requireIdByEmail('cleo@example.com');
  const { link: other } = await world.accounts.operator.makeResetLink(cleo);
  await visitor('password/reset', { ticket: other.split('#')[1], newPassword: password });
  assert.equal((await visitor('sign-in', { email: 'cleo@example.com', password })).statusCode, 403);
});

test('people whom an import brought are found by their address in an export of another source', async (t) => {
  const { scene, brings } = await workspace(t);
  await brings();
  const bob = await scene.world.accounts.requireIdByEmail('bob@example.com');
  const { counts } = await brings('source=laboratory');
  assert.equal(counts['people with an account here'], 3);
  assert.equal(counts['new people'], undefined);
  assert.equal(await scene.world.accounts.requireIdByEmail('bob@example.com'), bob);
});

test('an account that has not confirmed its address gets no messages, unless the operator says so', async (t) => {
  const { scene, ada, brings } = await workspace(t);
  await scene.world.db.begin(
    (tx) => tx`
      update accounts set email_confirmed_at = null, password_hash = 'hash' where account_id = ${ada.accountId}`,
  );
  const before = await scene.rows();
  await assert.rejects(
    brings(),
    /^Error: accounts here have these addresses without having confirmed them.*: ada@example\.com; .*--match-unconfirmed/,
  );
  assert.deepEqual(await scene.rows(), before);
  const { counts } = await brings('match-unconfirmed');
  assert.equal(counts['people with an account here'], 1);
});
