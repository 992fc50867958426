import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatMessage } from '#contract/chat.ts';
import { columnOf, columnsOf } from '#testing/columns.ts';
import { fileOf } from '#testing/files.ts';
import { importScene, listed, pinned, thread } from '#testing/import-scene.ts';
import { zipOf } from '#testing/zip.ts';

const SECOND = 1_709_283_600;
const ts = (seconds: number, micros = 100) => `${SECOND + seconds}.${String(micros).padStart(6, '0')}`;

const USERS = [
  {
    id: 'U1',
    name: 'ada',
    profile: { real_name: 'Ada Lovelace', display_name: '', email: 'ada@example.com' },
  },
  { id: 'U2', name: 'bob', profile: { real_name: 'Bob B', display_name: 'Bob', email: 'bob@example.com' } },
  { id: 'U3', name: 'cleo', deleted: true, profile: { real_name: 'Cleo', email: 'cleo@example.com' } },
];
const CHANNELS = [
  {
    id: 'C1',
    name: 'general',
    created: SECOND - 1000,
    creator: 'U1',
    is_archived: false,
    members: ['U1', 'U2', 'U3'],
    topic: { value: 'Everything' },
    purpose: { value: 'For all' },
    pins: [{ id: ts(0), type: 'C', created: SECOND, user: 'U2', owner: 'U1' }],
  },
  { id: 'C2', name: 'old', created: SECOND - 2000, creator: 'U1', is_archived: true, members: ['U1'] },
];
const said = (user: string, at: string, text: string, more: object = {}) => ({
  type: 'message',
  user,
  ts: at,
  text,
  ...more,
});
const DAY = [
  said('U1', ts(0), 'Hello <@U2>, *see* <https://example.com/a|this> _now_ &amp; ~not~ :tada:\n• `*code*`', {
    thread_ts: ts(0),
    reactions: [
      { name: '+1::skin-tone-3', users: ['U2', 'U3'], count: 2 },
      { name: 'our-logo', users: ['U2'], count: 1 },
    ],
  }),
  said('U2', ts(1), '<@U2> has joined the channel', { subtype: 'channel_join' }),
  said('U2', ts(2), 'Thanks <#C2|old>', { thread_ts: ts(0), edited: { user: 'U2', ts: ts(5, 0) } }),
  said('U2', ts(2, 200), 'in the same second'),
  {
    type: 'message',
    subtype: 'bot_message',
    ts: ts(3),
    username: 'Deploy',
    bot_id: 'B1',
    text: '',
    attachments: [{ fallback: 'v2 is out' }],
  },
  said('U1', ts(4), '', {
    files: [
      { id: 'F1', name: 'cat.png' },
      { id: 'F2', name: 'gone.pdf' },
      { id: 'F3', name: 'plan.pdf', url_private: 'https://files.slack.com/plan.pdf?t=xoxe-secret' },
    ],
  }),
  said('USLACKBOT', ts(6), 'This message was deleted.', { subtype: 'tombstone' }),
  said('U2', ts(7), 'waves', { subtype: 'me_message' }),
  said('U2', ts(8), 'to nothing', { thread_ts: ts(-900) }),
];
const FILES = {
  'users.json': JSON.stringify(USERS),
  'channels.json': JSON.stringify(CHANNELS),
  'groups.json': '[]',
  'mpims.json': JSON.stringify([{ id: 'G1', name: 'mpdm-ada--bob--cleo-1', members: ['U1', 'U2', 'U3'] }]),
  'dms.json': JSON.stringify([
    { id: 'D1', created: SECOND, members: ['U1', 'U2'] },
    { id: 'D2', created: SECOND, members: ['U1', 'U1'] },
  ]),
  'general/2024-03-01.json': JSON.stringify(DAY.slice(0, 4), undefined, 2),
  'general/2024-03-02.json': JSON.stringify(DAY.slice(4), undefined, 2),
  'old/2024-03-01.json': JSON.stringify([said('U1', ts(-1000), 'long ago')]),
  'mpdm-ada--bob--cleo-1/2024-03-01.json': JSON.stringify([said('U3', ts(9), 'three of us')]),
  'D1/2024-03-01.json': JSON.stringify([said('U2', ts(10), 'only for you')]),
  'D2/2024-03-01.json': JSON.stringify([said('U1', ts(11), 'a note')]),
  '__uploads/F1/cat.png': fileOf('png'),
};

const COUNTS = {
  'people with an account here': 1,
  'new people': 1,
  'people without an address': 1,
  'people who had left': 1,
  groups: 4,
  'private conversations': 1,
  messages: 13,
  files: 1,
  reactions: 2,
  'service messages': 1,
  'reactions with emoji of their own': 1,
  'deleted messages': 1,
  'more than one file': 1,
  'files that are only linked': 1,
  'missing files': 1,
  'conversations with oneself': 1,
  'quotes of missing messages': 1,
  'pinned messages': 1,
};

test('an export of Slack is in the chat as it was there, and is read; run again, it adds nothing', async (t) => {
  const scene = await importScene(t);
  const ada = await scene.member('Ada', 'ada@example.com');
  const file = await scene.file('slack.zip', zipOf(FILES));
  const before = await scene.rows();
  const dry = await scene.imports('slack', file, 'dry-run');
  const { 'quotes of missing messages': _, ...counted } = COUNTS;
  assert.deepEqual(dry.counts, counted);
  assert.match(dry.text, /\n1 +files that are only linked +the message names the file; the link, .*\n/);
  assert.deepEqual(await scene.rows(), before);

  const { counts } = await scene.imports('slack', file);
  assert.deepEqual(counts, COUNTS);
  const all = await listed(ada);
  assert.deepEqual(
    [...all.keys()].toSorted(),
    ['Ada Lovelace', 'Ada Lovelace, Bob, Cleo', 'Bob', 'general', 'old'].toSorted(),
  );
  for (const { unreadCount } of all.values()) assert.equal(unreadCount, 0);
  const general = all.get('general');
  assert.equal(general?.group?.description, 'For all · Everything');
  const bob = await scene.owner('Bob');
  const [first, reply, next, bot, cat, gone, plan, wave, late] = await thread(
    ada,
    general?.conversationId ?? '',
  );
  assert.equal(
    first?.content,
    'Hello @Bob, **see** [this](https://example.com/a) _now_ & ~~not~~ 🎉\n• `*code*`',
  );
  assert.deepEqual([first?.sentAt, first?.mentionedUserIds], [SECOND * 1000, [bob.accountId]]);
  assert.deepEqual(
    first?.reactions?.given.map(({ emoji, userIds }) => [emoji, userIds.length]),
    [['👍🏼', 2]],
  );
  assert.deepEqual(
    [reply?.content, reply?.quote?.msgId, reply?.editedAt],
    ['Thanks #old', first?.msgId, (SECOND + 5) * 1000],
  );
  assert.equal(next?.content, 'in the same second');
  assert.equal(bot?.content, 'v2 is out');
  assert.deepEqual([cat?.type, gone?.content], ['image', '📎 gone.pdf']);
  assert.equal(
    plan?.content,
    '📎 plan.pdf',
    'without the link, whose token reads all files of the workspace',
  );
  assert.equal(wave?.content, '*waves*');
  assert.deepEqual([late?.content, late?.quote], ['to nothing', undefined]);
  assert.deepEqual(await pinned(ada, general?.conversationId ?? ''), [first?.msgId]);
  assert.deepEqual(columnOf(await ada.reads(bob), 'content'), ['only for you']);

  const after = await scene.rows();
  assert.equal((await scene.imports('slack', file)).counts['messages that are here'], 13);
  assert.deepEqual(await scene.rows(), after);
});

test('an export of Slack of 2016 comes over: numbers as strings, files and comments of that time, nobody in archived channels', async (t) => {
  const scene = await importScene(t);
  const bob = await scene.member('Bob', 'bob@example.com');
  const file = (more: object = {}) => ({
    id: 'F9',
    name: 'plan.png',
    title: 'The plan',
    url_private: 'https://files.slack.com/plan.png?t=xoxe-secret',
    ...more,
  });
  const old = {
    'users.json': FILES['users.json'],
    'channels.json': JSON.stringify([
      { id: 'C3', name: 'closed', created: String(SECOND), creator: 'U1', is_archived: true, members: [] },
      { id: 'C4', name: 'empty', created: String(SECOND), creator: 'U1', is_archived: true, members: [] },
    ]),
    'closed/2016-03-01.json': JSON.stringify([
      said('U2', ts(0), '<@U2|bob> uploaded a file: <https://x.example|The plan> and commented: *look*', {
        subtype: 'file_share',
        username: '<@U2|bob>',
        bot_id: null,
        file: file({ initial_comment: { user: 'U2', comment: '*look*' } }),
      }),
      {
        type: 'message',
        subtype: 'file_comment',
        ts: ts(1),
        text: '<@U1|ada> commented on <@U2|bob>’s file <https://x.example|The plan>: good :tada:',
        file: file(),
        comment: { user: 'U1', comment: 'good :tada:' },
      },
      said('U1', ts(2), '<@U1|ada> has left the channel', { subtype: 'channel_leave' }),
    ]),
  };
  const { counts } = await scene.imports('slack', await scene.file('old.zip', zipOf(old)));
  assert.deepEqual(counts, {
    'people with an account here': 1,
    'new people': 1,
    'people who had left': 1,
    groups: 1,
    'groups without members': 1,
    messages: 2,
    'files that are only linked': 2,
    'service messages': 1,
  });
  const all = await listed(bob);
  assert.deepEqual([...all.keys()], ['closed']);
  const closed = all.get('closed');
  const ada = await scene.owner('Ada Lovelace');
  assert.deepEqual(columnsOf(await thread(bob, closed?.conversationId ?? ''), 'from', 'content'), [
    [bob.accountId, '**look**\n📎 plan.png'],
    [ada.accountId, 'good 🎉\n📎 plan.png'],
  ]);
});

test('whom an export of Slack does not list has the name that stands in the messages', async (t) => {
  const scene = await importScene(t);
  const day = [
    said('U9', ts(0), 'from elsewhere', {
      user_profile: { real_name: 'Grace Hopper', display_name: '', name: 'grace' },
    }),
    {
      ...{ type: 'message', subtype: 'bot_message', ts: ts(1), text: 'built' },
      ...{ bot_id: 'B9', bot_profile: { id: 'B9', name: 'Pipeline' } },
    },
  ];
  const files = { ...FILES, 'general/2024-03-01.json': JSON.stringify(day) };
  await scene.imports('slack', await scene.file('slack.zip', zipOf(files)));
  const people = await scene.world.db<{ email: string; name: string }[]>`
    select email, name from accounts where email in ('U9@slack.invalid', 'B9@slack.invalid') order by email`;
  assert.deepEqual(columnOf(people, 'name'), ['Pipeline', 'Grace Hopper']);
});

test('nothing of an export of Slack is lost in silence, or under the name of somebody else', async (t) => {
  const scene = await importScene(t);
  const ada = await scene.member('Ada', 'ada@example.com');
  const bot = (username: string, at: string, text: string, more: object = {}) => ({
    ...{ type: 'message', subtype: 'bot_message', bot_id: 'B1', username, ts: at, text },
    ...more,
  });
  const day = [
    bot('alice', ts(0), 'from elsewhere'),
    bot('carl', ts(1), 'so am I'),
    bot('alerts', ts(2), '', {
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '*Down*: <@U2>' } }],
    }),
    bot('polls', ts(2, 200), 'a poll', {
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: 'Lunch?' } },
        { type: 'section', text: { type: 'mrkdwn', text: ':one: yes' } },
      ],
    }),
    bot('alerts', ts(3), 'New', {
      attachments: [{ title: 'Crash', fields: [{ title: 'In', value: '<#C1>' }] }],
    }),
    said('U1', ts(4), 'see <@U9>', {
      attachments: [
        { is_share: true, from_url: 'https://a.slack.com/p1', author_name: 'Bob', text: 'forwarded' },
        { from_url: 'https://example.com', title: 'a preview' },
      ],
    }),
    said('USLACKBOT', ts(5), 'an answer', { subtype: 'slackbot_response' }),
    said('U1', ts(6), '', { files: [{ id: 'F1', mode: 'tombstone' }] }),
    said('U1', ts(7), '', {
      files: [
        { id: 'F2', mode: 'external', title: 'Plan', url_private: 'https://docs.example.com/plan' },
        { id: 'F3', mode: 'external', title: 'x', url_private: 'https://files.slack.com/x?t=xoxe-secret' },
      ],
    }),
    ...Array.from({ length: 2_100 }, (_, i) => said('U1', ts(10, i), 'many')),
    said('U9', ts(20), 'late', { user_profile: { real_name: 'Grace Hopper', display_name: '' } }),
  ];
  const files = {
    'org_users.json': JSON.stringify([
      ...USERS,
      { id: 'U4', name: 'alerts', is_bot: true, profile: { real_name: 'Alerts', bot_id: 'B1' } },
    ]),
    'channels.json': JSON.stringify([
      { id: 'C1', name: 'büro', created: SECOND, creator: 'U1', members: ['U1', 'U2', 'U9'] },
    ]),
    'büro/2024-03-01.json': JSON.stringify(day),
    'FC:F1:plan/2024-03-01.json': JSON.stringify([said('U1', ts(0), 'on a canvas')]),
  };
  scene.environment['MAX_GROUP_MEMBERS'] = '2';
  // Slack's archives do not say that their names are UTF-8.
  const { counts } = await scene.imports('slack', await scene.file('slack.zip', zipOf(files, 0)));
  assert.equal(counts['deleted and hidden files'], 1);
  assert.equal(counts['days of unlisted channels'], 1);
  assert.equal(counts['groups above MAX_GROUP_MEMBERS'], 1);
  const people = await scene.world.db<{ accountId: string; name: string }[]>`
    select account_id, name from accounts`;
  const nameOf = new Map(people.map(({ accountId, name }) => [accountId, name]));
  const url = `/api/chat/conversations/${(await listed(ada)).get('büro')?.conversationId}`;
  const context = await ada.calls('GET', `${url}/messages?limit=1`);
  assert.equal(nameOf.get(context.body.data.messages[0].from), 'Grace Hopper');
  const first = await scene.world.db<
    { msgId: string }[]
  >`select msg_id from messages order by msg_id limit 9`;
  const early = await ada.calls('GET', `${url}/messages?before=${first[8]?.msgId}`);
  const shown = (early.body.data.messages as ChatMessage[]).toReversed();
  assert.deepEqual(
    shown.map(({ from, content }) => [nameOf.get(from), content]),
    [
      ['alice', 'from elsewhere'],
      ['carl', 'so am I'],
      ['Alerts', '**Down**: @Bob'],
      ['polls', 'Lunch?\n\n1️⃣ yes'],
      ['Alerts', 'New\n\n**Crash**\n**In:** #büro'],
      ['Ada', 'see @Grace Hopper\n\nBob\nforwarded'],
      ['Slackbot', 'an answer'],
      ['Ada', '[Plan](https://docs.example.com/plan)\n📎 x'],
    ],
  );
});

test('broken and hostile exports of Slack are refused, with the file and the line', async (t) => {
  const scene = await importScene(t);
  const refused = async (path: string, content: string, fault: RegExp) => {
    const file = await scene.file('slack.zip', zipOf({ ...FILES, [path]: content }));
    await assert.rejects(scene.imports('slack', file), fault);
  };
  const day = 'general/2024-03-02.json';
  const dayOf = (...messages: object[]) => JSON.stringify(messages, undefined, 1);
  await refused(day, '[\n{"type": "message",\n!', /^Error: general\/2024-03-02\.json:[23]: not JSON/);
  await refused(day, '[\n{"type": "message"', /^Error: general\/2024-03-02\.json:\d: /);
  await refused(
    day,
    dayOf({ type: 'spaceship', ts: ts(1) }),
    /2024-03-02\.json:5: there is no type "spaceship"/,
  );
  await refused(day, dayOf(said('U1', 'yesterday', 'x')), /2024-03-02\.json:\d: ts is not a time/);
  await refused(day, `["${'x'.repeat(33 * 1024 * 1024)}"]`, /2024-03-02\.json:1: more than 32 MB/);
  const hostile = said('U1', ts(1), 'x', { files: [{ id: 'F1', name: '../../../master.keys' }] });
  await refused(day, dayOf(hostile), /2024-03-02\.json:\d+: ".*" leads out of the export/);
  await refused('users.json', '[{"id": 7}]', /^Error: users\.json:1: id must be string/);
  const empty = await scene.file('empty.zip', zipOf({ 'x.txt': '' }));
  await assert.rejects(scene.imports('slack', empty), /is this an export of Slack\?/);
  const rows = await scene.rows();
  assert.deepEqual([rows['groups'], rows['account_conversations']], [0, 0]);
});
