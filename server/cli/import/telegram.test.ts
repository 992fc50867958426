import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf, columnsOf } from '#testing/columns.ts';
import { fileOf } from '#testing/files.ts';
import { importScene, listed, pinned, thread } from '#testing/import-scene.ts';

const SECOND = 1_709_283_600;
const NAMES: Record<string, string> = { user1: 'Ada', user2: 'Bob', user3: 'Cleo' };

const message = (id: number, from_id: string, seconds: number, text: unknown, more: object = {}) => ({
  id,
  type: 'message',
  date: '2024-03-01T09:00:00',
  date_unixtime: String(SECOND + seconds),
  from: NAMES[from_id] ?? null,
  from_id,
  text,
  text_entities: [],
  ...more,
});
const GROUP = {
  name: 'Choir',
  type: 'private_supergroup',
  id: 77,
  messages: [
    {
      id: 1,
      type: 'service',
      date_unixtime: String(SECOND),
      actor: 'Bob',
      actor_id: 'user2',
      action: 'create_group',
      text: '',
    },
    message(
      2,
      'user2',
      1,
      [
        'Hello ',
        { type: 'mention_name', text: 'Ada', user_id: 1 },
        ', ',
        { type: 'bold', text: 'see ' },
        { type: 'text_link', text: 'this', href: 'https://example.com/a' },
        ' *now* ',
        { type: 'code', text: 'a`b' },
        { type: 'strikethrough', text: 'not' },
        { type: 'spoiler', text: ' hidden' },
      ],
      {
        reactions: [
          {
            type: 'emoji',
            count: 2,
            emoji: '👍',
            recent: [
              { from: 'Ada', from_id: 'user1' },
              { from: 'Cleo', from_id: 'user3' },
            ],
          },
          { type: 'custom_emoji', count: 1, document_id: 'x', recent: [{ from: 'Ada', from_id: 'user1' }] },
        ],
      },
    ),
    message(3, 'user1', 1, 'in the same second', {
      forwarded_from: 'Grace',
      reply_to_message_id: 2,
      edited_unixtime: String(SECOND + 50),
    }),
    message(4, 'user1', 1, 'and this', { reply_to_message_id: 99 }),
    message(5, 'user3', 2, 'a picture', { photo: 'photos/cat.png', width: 1, height: 1 }),
    message(6, 'user3', 3, '', {
      file: '(File not included. Change data exporting settings to download.)',
      file_name: 'plan.pdf',
    }),
    message(7, 'user3', 4, '', { location_information: { latitude: 52.5, longitude: 13.4 } }),
    message(8, 'user3', 5, '', {
      poll: {
        question: 'Lunch?',
        closed: false,
        total_voters: 1,
        answers: [
          { text: 'Yes', voters: 1, chosen: true },
          { text: 'No', voters: 0 },
        ],
      },
    }),
    {
      id: 9,
      type: 'service',
      date_unixtime: String(SECOND + 6),
      actor: 'Bob',
      actor_id: 'user2',
      action: 'pin_message',
      message_id: 2,
      text: '',
    },
    message(10, 'user3', 7, '', { file: 'stickers/s.webp', media_type: 'sticker', sticker_emoji: '🎉' }),
  ],
};
const PRIVATE = {
  name: 'Bob',
  type: 'personal_chat',
  id: 2,
  messages: [
    message(11, 'user2', 20, 'only for you'),
    message(12, 'user1', 21, 'yes', { reply_to_message_id: 11 }),
  ],
};
const ACCOUNT = {
  about: 'Here is the data you requested.',
  personal_information: { user_id: 1, first_name: 'Ada' },
  contacts: { list: [{ first_name: 'Bob', phone_number: '+1' }] },
  chats: {
    about: 'This page lists all chats.',
    list: [GROUP, PRIVATE, { type: 'saved_messages', id: 1, messages: [message(13, 'user1', 30, 'a note')] }],
  },
};
const COUNTS = {
  'people with an account here': 1,
  'people without an address': 2,
  groups: 2,
  'private conversations': 1,
  messages: 11,
  files: 2,
  reactions: 2,
  'service messages': 1,
  'reactions with emoji of their own': 1,
  polls: 1,
  'missing files': 1,
  'conversations with oneself': 1,
  'pinned messages': 1,
};

test('the export of an account of Telegram is in the chat as it was there, and is read', async (t) => {
  const scene = await importScene(t);
  const ada = await scene.member('Ada', 'ada@example.com');
  const file = await scene.file('export/result.json', JSON.stringify(ACCOUNT, undefined, 1));
  await scene.file('export/photos/cat.png', fileOf('png'));
  await scene.file('export/stickers/s.webp', fileOf('webp'));
  const people = `people=${await scene.file('people.csv', 'user1,ada@example.com\n')}`;
  const before = await scene.rows();
  assert.deepEqual((await scene.imports('telegram', file, 'dry-run', people)).counts, COUNTS);
  assert.deepEqual(await scene.rows(), before);

  assert.deepEqual((await scene.imports('telegram', file, people)).counts, COUNTS);
  const all = await listed(ada);
  assert.deepEqual([...all.keys()].toSorted(), ['Bob', 'Choir', 'Saved messages']);
  for (const { unreadCount } of all.values()) assert.equal(unreadCount, 0);
  const choir = all.get('Choir');
  assert.deepEqual([choir?.isAdmin, choir?.group?.memberCount], [true, 3]);
  const [first, second, third, picture, plan, place, poll, sticker] = await thread(
    ada,
    choir?.conversationId ?? '',
  );
  assert.equal(
    first?.content,
    "Hello Ada, **see** [this](https://example.com/a) \\*now\\* `a'b`~~not~~ hidden",
  );
  assert.deepEqual(first?.mentionedUserIds, [ada.accountId]);
  assert.deepEqual(
    first?.reactions?.given.map(({ emoji, userIds }) => [emoji, userIds.length]),
    [['👍', 2]],
  );
  assert.deepEqual(
    [second?.content, second?.quote?.msgId, second?.editedAt, second?.from],
    ['in the same second', first?.msgId, (SECOND + 50) * 1000, ada.accountId],
  );
  assert.deepEqual([second?.forwardedFrom, third?.forwardedFrom], [{ name: 'Grace' }, undefined]);
  assert.deepEqual([third?.content, third?.quote], ['and this', undefined]);
  assert.deepEqual([picture?.type, picture?.caption], ['image', 'a picture']);
  assert.equal(plan?.content, '📎 plan.pdf');
  assert.deepEqual(place?.location, { latitude: 52.5, longitude: 13.4 });
  assert.equal(poll?.content, '📊 Lunch?\n- Yes (1)\n- No (0)');
  assert.equal(sticker?.type, 'sticker');
  assert.deepEqual(await pinned(ada, choir?.conversationId ?? ''), [first?.msgId]);
  const [answer, question] = await ada.reads(await scene.owner('Bob'));
  assert.deepEqual([answer?.content, answer?.quote?.msgId], ['yes', question?.msgId]);

  const after = await scene.rows();
  await scene.imports('telegram', file, people);
  assert.deepEqual(await scene.rows(), after);
});

test('the export of one chat of Telegram: the owner is the one who is not its other side', async (t) => {
  const scene = await importScene(t);
  const ada = await scene.member('Ada', 'ada@example.com');
  const file = await scene.file('chat/result.json', JSON.stringify(PRIVATE));
  const people = `people=${await scene.file('people.csv', 'user1;ada@example.com\n')}`;
  const { counts } = await scene.imports('telegram', file, people);
  assert.deepEqual(counts, {
    'people with an account here': 1,
    'people without an address': 1,
    'private conversations': 1,
    messages: 2,
  });
  assert.deepEqual(columnOf(await ada.reads(await scene.owner('Bob')), 'content'), ['yes', 'only for you']);
});

test('exports of Telegram until 2022 come over: local times without a zone, numbers for people', async (t) => {
  const scene = await importScene(t);
  const ada = await scene.member('Ada', 'ada@example.com');
  const old = (id: number, from_id: number | string, date: string, text: string, edited: string) => ({
    ...{ id, type: 'message', from: from_id === 2 ? 'Bob' : 'Ada', from_id },
    ...{ date, edited, text },
  });
  const chat = {
    ...PRIVATE,
    messages: [
      old(1, 2, '2020-03-01T09:00:00', 'hello', '1970-01-01T01:00:00'),
      old(2, 1, '2020-03-01T09:01:00', 'edited', '2020-03-01T09:02:00'),
    ],
  };
  const file = await scene.file('chat/result.json', JSON.stringify(chat));
  const people = `people=${await scene.file('people.csv', 'user1,ada@example.com\n')}`;
  const { counts } = await scene.imports('telegram', file, people);
  assert.deepEqual(counts, {
    'people with an account here': 1,
    'people without an address': 1,
    'private conversations': 1,
    messages: 2,
    'times without a time zone': 2,
  });
  assert.deepEqual(columnsOf(await ada.reads(await scene.owner('Bob')), 'sentAt', 'editedAt'), [
    [Date.UTC(2020, 2, 1, 9, 1), Date.UTC(2020, 2, 1, 9, 2)],
    [Date.UTC(2020, 2, 1, 9), undefined],
  ]);
});

test('nothing of an export of Telegram is lost in silence, or where it does not belong', async (t) => {
  const scene = await importScene(t);
  const venue = {
    location_information: { latitude: 1, longitude: 2 },
    place_name: 'Bar',
    address: 'Street 1',
  };
  const recent = [{ from: 'Bob', from_id: 'user2' }];
  const chat = {
    ...GROUP,
    name: '\u202eChoir',
    messages: [
      message(1, 'user1', 0, 'a\0b\ud800', {
        reactions: [
          { type: 'emoji', count: 1, emoji: '❤', recent },
          { type: 'emoji', count: 1, emoji: 'none', recent },
        ],
      }),
      message(2, 'user1', 1, 'from elsewhere', { reply_to_message_id: 1, reply_to_peer_id: 'channel5' }),
      message(3, 'user1', 2, '', venue),
      message(6, 'user1', 3, 'said elsewhere', { forwarded_from: `Grace\n${'x'.repeat(500)}` }),
      message(4, 'user1', 3, '', { invoice_information: { title: 'Tea' } }),
      { id: 5, type: 'unsupported' },
    ],
  };
  const left = {
    ...GROUP,
    name: 'Left',
    type: 'private_group',
    messages: [message(1, 'user1', 9, 'before')],
  };
  const account = {
    personal_information: { user_id: 1 },
    chats: { list: [chat] },
    left_chats: { list: [left] },
  };
  const { counts } = await scene.imports(
    'telegram',
    await scene.file('export/result.json', JSON.stringify(account)),
  );
  assert.deepEqual(
    [
      counts['messages'],
      counts['messages with nothing to show'],
      counts['reactions with emoji of their own'],
    ],
    [5, 2, 1],
  );
  const ada = await scene.owner('Ada');
  const all = await listed(ada);
  const shown = await thread(ada, all.get('Choir')?.conversationId ?? '');
  assert.deepEqual(columnsOf(shown, 'content', 'quote', 'location'), [
    ['ab\ufffd', undefined, undefined],
    ['from elsewhere', undefined, undefined],
    [undefined, undefined, { latitude: 1, longitude: 2, name: 'Bar', address: 'Street 1' }],
    ['said elsewhere', undefined, undefined],
  ]);
  assert.equal(shown[3]?.forwardedFrom?.name?.length, 64);
  assert.deepEqual(columnOf(shown[0]?.reactions?.given ?? [], 'emoji'), ['❤️'], 'as people’s clients send it');
  const before = await thread(ada, all.get('Left')?.conversationId ?? '');
  assert.deepEqual(columnOf(before, 'content'), ['before'], 'a group and a channel have one id');
});

test('broken and hostile exports of Telegram are refused, with the file and the line', async (t) => {
  const scene = await importScene(t);
  const refused = async (content: unknown, fault: RegExp) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content, undefined, 1);
    await assert.rejects(scene.imports('telegram', await scene.file('export/result.json', text)), fault);
  };
  const chatOf = (...messages: object[]) => ({ ...GROUP, messages });
  await refused('{"name": "x",\n"type": !', /^Error: result\.json:\d: not JSON/);
  await refused('{"name": "x"', /^Error: result\.json:1: /);
  await refused('{}', /is this a JSON export of Telegram\?/);
  await refused(
    chatOf(message(1, 'user1', 0, 'x', { type: 'spaceship' })),
    /result\.json:\d+: there is no type "spaceship"/,
  );
  await refused(
    chatOf(message(1, 'user1', 0, 'x', { date_unixtime: 'x' })),
    /result\.json:\d+: date is not a time/,
  );
  await refused(
    chatOf(message(1, 'user1', 0, 'x', { edited_unixtime: 'x' })),
    /result\.json:\d+: edited is not a time/,
  );
  await refused(chatOf(message(1, 'user1', 0, 7)), /result\.json:\d+: text /);
  await refused(
    chatOf(message(1, 'user1', 0, 'x', { file: '../people.csv' })),
    /result\.json:\d+: ".*" leads out/,
  );
  await refused({ messages: [message(1, 'user1', 0, 'x')] }, /result\.json:\d+: a chat has to begin with/);
  const rows = await scene.rows();
  assert.deepEqual([rows['messages'], rows['groups'], rows['account_conversations']], [0, 0, 0]);
});
