import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { contactKey } from '#features/contacts/index.ts';
import { fileOf } from '#testing/files.ts';
import { type ImportScene, importScene, listed, thread } from '#testing/import-scene.ts';
import { commandDeps } from '#testing/installation.ts';
import { does, livedIn } from '#testing/lived-in-scene.ts';
import { startS3Server } from '#testing/s3-server.ts';
import { upload } from '#testing/upload-scene.ts';
import type { Person, World } from '#testing/world.ts';
import { zipOf } from '#testing/zip.ts';
import { backupCommands } from '../backup.ts';
import { openSource } from '../import/source.ts';

/** Every file of an export: the lines of the texts without the head, and the bytes of the others. */
async function contentsOf(file: string): Promise<Map<string, string[]>> {
  await using source = await openSource(file);
  const contents = new Map<string, string[]>();
  const paths = [...(await source.list('')), ...(await source.list('media')).map((id) => `media/${id}`)];
  for (const path of paths) {
    const entry = await source.find(path);
    if (!entry || path === 'export.json') continue;
    const bytes = await buffer(await entry.open());
    contents.set(path, path.endsWith('.jsonl') ? bytes.toString().split('\n') : [bytes.toString('base64')]);
  }
  return contents;
}

/** The server that was lived in, its export, and another server. */
async function exported(t: TestContext) {
  const lived = await livedIn(t);
  const file = await lived.scene.exports('export.zip');
  return { ...lived, file, there: await importScene(t) };
}

/** Every line and every file of what is there, and of the export. */
async function same(there: ImportScene, file: string): Promise<void> {
  assert.deepEqual(await contentsOf(await there.exports('again.zip')), await contentsOf(file));
}

test('a server that was exported is the same where it is imported, ids, times and files; twice is once', async (t) => {
  const { ada, bob, bot, conversationId, groupId, paper, file, there } = await exported(t);
  there.environment['MAX_GROUP_MEMBERS'] = '2';
  const dry = await there.imports('parley', file, 'dry-run');
  assert.deepEqual((await there.rows())['messages'], 0);

  const { counts, text } = await there.imports('parley', file);
  assert.deepEqual(counts, dry.counts);
  assert.equal(counts['files'], 4);
  assert.equal(counts['groups above MAX_GROUP_MEMBERS'], 1);
  assert.match(text, /\n1 +new bots +bots with their ids; they need new keys\n/);
  await same(there, file);

  const lists = async (person: Person) => {
    const all = await listed(person);
    return [...all].map(([name, one]) => [name, one.unreadCount, one.mentionMsgId, one.lastMessage]);
  };
  // Versions tell pages which of two states is newer; they begin again.
  const messagesOf = async (person: Person, id: string) =>
    (await thread(person, id)).map((message) => ({ ...message, reactions: message.reactions?.given }));
  const [adaThere, bobThere] = [await there.owner('Ada'), await there.owner('Bob')];
  assert.equal(adaThere.accountId, ada.accountId);
  for (const [here, person] of [
    [ada, adaThere],
    [bob, bobThere],
  ] as const) {
    assert.deepEqual(await lists(person), await lists(here));
    for (const id of [conversationId, groupId])
      assert.deepEqual(await messagesOf(person, id), await messagesOf(here, id));
  }
  assert.deepEqual((await there.world.app.inject(paper.url)).rawPayload, fileOf('pdf', 200_000));
  const stories = async (person: Person) => (await person.calls('GET', '/api/chat/stories/mine')).body.data;
  assert.deepEqual(await stories(adaThere), await stories(ada));
  assert.equal((await bot.calls('GET', '/v1/me')).status, 200);
  const { statusCode } = await there.world.app.inject({
    url: '/v1/me',
    headers: { authorization: `Bearer ${bot.key}` },
  });
  assert.equal(statusCode, 401, 'keys stay behind');

  const before = await there.rows();
  const dryAgain = await there.imports('parley', file, 'dry-run');
  const again = await there.imports('parley', file);
  assert.deepEqual(dryAgain.counts, again.counts);
  assert.deepEqual(
    Object.entries(again.counts).filter(([what]) => !/are here$|^files that/.test(what)),
    [],
    'nothing is new',
  );
  assert.deepEqual(await there.rows(), before);
});

test('what people changed after an import stays when it is imported again', async (t) => {
  const { conversationId, file, there } = await exported(t);
  await there.imports('parley', file);
  const ada = await there.owner('Ada');
  const messages = await thread(ada, conversationId);
  const picture = messages.find(({ type }) => type === 'doc');
  await does(ada, 'DELETE', `/conversations/${conversationId}/messages/${picture?.msgId}`);
  await does(ada, 'POST', '/messages', {
    to: (await there.owner('Bob')).accountId,
    type: 'text',
    content: 'new',
  });
  const changed = await contentsOf(await there.exports('changed.zip'));
  await there.imports('parley', file);
  assert.deepEqual(await contentsOf(await there.exports('after.zip')), changed);
});

test('what was deleted here with an account does not come back with another import', async (t) => {
  const { bot, file, there } = await exported(t);
  await there.imports('parley', file);
  const ada = await there.owner('Ada');
  const deletion = await ada.calls('POST', '/api/auth/account/delete', { email: 'ada@example.com' });
  assert.equal(deletion.status, 200);
  for (const days of [0, there.world.config.eventRetentionDays + 2]) {
    there.world.clock.advance({ days });
    await there.world.messages.openExpiry().finish();
    const before = await there.rows();
    await there.imports('parley', file);
    assert.deepEqual(await there.rows(), before, `${days} days later`);
  }
  const side = contactKey(ada.accountId, bot.accountId);
  assert.equal((await there.world.contacts.find([side])).length, 0, 'a bot could write to the account');
});

test('files are used as they were: one goes with what is replaced or deleted here', async (t) => {
  const scene = await importScene(t);
  const { world } = scene;
  const ada = await world.person('Ada');
  const [bot, old] = [await world.bot({ owner: ada }), await world.bot({ owner: ada })];
  const pictures = [];
  for (const path of [
    '/api/auth/profile',
    ...[bot, old].map(({ appId }) => `/api/console/applications/${appId}/bot`),
  ]) {
    const { url } = (await upload(world, ada, 'kind=image&fileName=a.png', fileOf('png'))).json().data;
    pictures.push(url);
    assert.equal((await ada.calls('PATCH', path, { pictureUrl: url })).status, 200);
  }
  await ada.writes(bot, { type: 'image', fileUrl: pictures[2] });
  await ada.deletes(old);
  const there = await importScene(t);
  await there.imports('parley', await scene.exports('export'));
  const usesOf = ({ db }: World) => db`select media_id, used_by from media_uses order by media_id, used_by`;
  assert.deepEqual(await usesOf(there.world), await usesOf(world));
});

test('two people with one id, as imports on two servers give them, are not taken for each other', async (t) => {
  const [scene, there] = [await importScene(t), await importScene(t)];
  there.world.clock.advance({ days: 1 });
  for (const one of [scene, there]) {
    const user = { username: 'ada', email: `${one === scene ? 'ada' : 'adam'}@example.com` };
    const direct_post = {
      user: 'ada',
      message: 'x',
      create_at: 1_700_000_000_000,
      channel_members: ['ada', 'bob'],
    };
    const lines = [{ type: 'version' }, { type: 'user', user }, { type: 'direct_post', direct_post }];
    const file = await one.file('export.jsonl', lines.map((line) => JSON.stringify(line)).join('\n'));
    await one.imports('mattermost', file);
  }
  const before = await there.rows();
  const bringing = there.imports('parley', await scene.exports('export.zip'));
  await assert.rejects(
    bringing,
    /people\.jsonl:\d+: usr_\w+, ada@example\.com, is the id of adam@example\.com here/,
  );
  assert.deepEqual(await there.rows(), before);
});

test('people who have an account keep it: it stands for theirs, in everything', async (t) => {
  const { ada, bob, anonymous, groupId, vote, file, there } = await exported(t);
  const bobThere = await there.member('Robert', 'bob@example.com');
  const impostor = await there.member('Mallory', 'ada@example.com');
  await there.world.db.begin(
    (tx) => tx`
      update accounts set email_confirmed_at = null, password_hash = 'hash' where account_id = ${impostor.accountId}`,
  );
  await assert.rejects(there.imports('parley', file), /without having confirmed them.*: ada@example\.com/);
  assert.equal((await there.rows())['messages'], 0);
  await there.world.db.unsafe("delete from unique_names where value = 'ada@example.com'");

  const { counts } = await there.imports('parley', file);
  assert.equal(counts['people with an account here'], 1);
  const adaThere = await there.owner('Ada');
  const texts = async (reader: Person, peer: Person) =>
    (await reader.reads(peer)).map(({ msgId, content }) => [msgId, content]);
  assert.deepEqual(await texts(bobThere, adaThere), await texts(bob, ada), 'in a conversation of another id');
  const [hello] = (await thread(bobThere, groupId)).filter(({ content }) => content === 'hello @Bob');
  assert.deepEqual(hello?.mentionedUserIds, [bobThere.accountId]);
  const { poll } = await vote(bobThere, anonymous);
  assert.deepEqual([poll.totalVoters, poll.myOptionIds], [0, []], 'a second vote takes the first one back');
  const before = await there.rows();
  await there.imports('parley', file);
  assert.deepEqual(await there.rows(), before);
});

test('a username that is taken stops a bot, and is not given to accounts that are gone', async (t) => {
  const { file, there } = await exported(t);
  await there.world.bot({ username: 'old_bot' });
  const { counts } = await there.imports('parley', file);
  assert.deepEqual([counts['usernames that are taken'], counts['new bots']], [1, 1]);
  const elsewhere = await importScene(t);
  await elsewhere.world.bot({ username: 'helper_bot' });
  await assert.rejects(elsewhere.imports('parley', file), /the username helper_bot of a bot belongs to/);
});

test('a message that quotes a later one, as clocks that differ leave it, keeps its quote', async (t) => {
  const scene = await importScene(t);
  const [ada, bob] = [
    await scene.member('Ada', 'ada@example.com'),
    await scene.member('Bob', 'bob@example.com'),
  ];
  const messages = [];
  for (let i = 0; i < 6; i++) messages.push(await ada.writes(bob, String(i)));
  const [first, last] = [messages[0]?.msgId ?? '', messages[5]?.msgId ?? ''];
  await scene.world.db.unsafe(`update messages set reply_to_msg_id = '${last}' where msg_id = '${first}'`);
  const file = await scene.exports('export.zip');
  const there = await importScene(t);
  await there.imports('parley', file);
  await same(there, file);
});

test('an encrypted export is read with its passphrase alone', async (t) => {
  const { scene } = await livedIn(t);
  const passphrase = await scene.file('passphrase', 'correct horse battery staple\n');
  const file = await scene.exports('export.sealed', { 'passphrase-file': passphrase });
  assert.equal((await readFile(file)).indexOf('messages.jsonl'), -1);
  const there = await importScene(t);
  const wrong = await there.file('wrong', 'another passphrase\n');
  await assert.rejects(there.imports('parley', file, `passphrase-file=${wrong}`), /passphrase does not open/);
  await there.imports('parley', file, `passphrase-file=${passphrase}`);
  await same(there, await scene.exports('plain.zip'));
  await assert.rejects(readFile(`${file}.decrypted.zip`), { code: 'ENOENT' });

  const backUp = (name: string, on: string) => {
    const command = backupCommands.find((one) => one.name === name);
    const options = { 'passphrase-file': passphrase };
    return command?.run(commandDeps(scene.world, scene.environment), {
      args: [on],
      options,
      flags: new Set(),
    });
  };
  const backup = join(scene.directory, 'parley.backup');
  await backUp('backup', backup);
  const mistaken = there.imports('parley', backup, `passphrase-file=${passphrase}`);
  await assert.rejects(mistaken, /: the file is a backup, which "parley restore" reads$/);
  for (const name of ['restore', 'backup verify'])
    await assert.rejects(
      async () => backUp(name, file),
      /: the file is an export, which "parley import parley" reads$/,
    );
});

test('files in an S3-compatible store come along, into another one', async (t) => {
  await using from = await startS3Server();
  await using to = await startS3Server();
  const { scene } = await livedIn(t, from.config);
  const file = await scene.exports('export.zip');
  const there = await importScene(t, to.config);
  await there.imports('parley', file);
  assert.deepEqual(to.objects, from.objects);
  assert.equal(to.objects.size, 4);
  await same(there, file);
});

test('broken and hostile archives are refused with the file and the line', async (t) => {
  const scene = await importScene(t);
  const head = { format: 'parley', version: 1, exportedAt: 1, server: 'https://chat.example.com' };
  const account = {
    ...{ kind: 'account', accountId: `usr_${'0'.repeat(24)}`, isBot: false, name: 'Ada', createdAt: 1 },
    ...{ whoMayAddMe: 'everybody', remoteMedia: 'contacts', readReceipts: true, typingIndicators: true },
    ...{ lastSeen: true, plainText: false },
  };
  const message = {
    ...{ kind: 'message', conversationId: `grp_${'0'.repeat(24)}`, msgId: `msg_${'0'.repeat(24)}` },
    ...{ senderId: account.accountId, sentAt: 1, type: 'image', body: { fileUrl: 'javascript:alert(1)' } },
  };
  const files = { 'people.jsonl': '', 'conversations.jsonl': '', 'messages.jsonl': '', 'stories.jsonl': '' };
  const refused = async (changed: Record<string, string>, fault: RegExp) => {
    const all = { 'export.json': JSON.stringify(head), ...files, ...changed };
    await assert.rejects(scene.imports('parley', await scene.file('bad.zip', zipOf(all))), fault);
  };
  await refused({ 'export.json': JSON.stringify({ ...head, version: 2 }) }, /a later version of Parley/);
  await refused({ 'people.jsonl': '{"kind":"account"}' }, /^Error: people\.jsonl:1: /);
  await refused({ 'people.jsonl': '{"kind":"message"}' }, /there is no kind "message" in people\.jsonl/);
  const hostile = { ...account, pictureUrl: 'javascript:alert(1)' };
  await refused({ 'people.jsonl': JSON.stringify(hostile) }, /people\.jsonl:1: javascript/);
  await refused({ 'messages.jsonl': JSON.stringify(message) }, /messages\.jsonl:1: javascript/);
  const script = {
    mediaId: '../../../../../master.keys0',
    ownerId: account.accountId,
    kind: 'image',
    fileName: 'x',
  };
  await refused(
    { 'messages.jsonl': JSON.stringify({ ...message, body: {}, files: [script] }) },
    /messages\.jsonl:1: files\.0\.mediaId/,
  );
  const page = { ...script, mediaId: 'x'.repeat(27) };
  await refused(
    {
      'messages.jsonl': JSON.stringify({ ...message, body: {}, files: [page] }),
      [`media/${page.mediaId}`]: fileOf('html').toString(),
    },
    /messages\.jsonl:1: media\/x+: /,
  );
});
