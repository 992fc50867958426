import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryState } from '@chat-adapter/state-memory';
import { Actions, Button, Card, CardText, Chat, emoji, LinkButton, type StateAdapter } from 'chat';
import { signedHeaders } from '#features/webhooks/delivery/attempt.ts';
import { privateConversationId } from '#platform/ids.ts';
import { eventually } from '#testing/waits.ts';
import { createParleyAdapter, type ParleyAdapterOptions } from '../../sdk/chat-sdk/index.ts';
import { answered, createSdkScene, type SdkScene } from './sdk-scene.ts';

/** The toolkit with a bot of the scene. */
function startChat(
  { baseUrl, bot }: SdkScene,
  { state = createMemoryState(), ...options }: Partial<ParleyAdapterOptions> & { state?: StateAdapter } = {},
) {
  const parley = createParleyAdapter({
    baseUrl,
    apiKey: bot.key,
    webhookSecret: bot.webhookSecret,
    ...options,
  });
  const chat = new Chat({
    userName: bot.username,
    adapters: { parley },
    state,
    logger: 'silent',
  });
  const stop = new AbortController();
  return {
    chat,
    parley,
    async polls(work: () => Promise<void>) {
      await chat.initialize();
      const polling = parley.poll({ signal: stop.signal });
      try {
        await Promise.race([work(), polling]);
      } finally {
        stop.abort();
        await polling;
        await chat.shutdown();
      }
    },
  };
}

test('a private chat: answers, typing, Markdown, edits, deletions and history', async () => {
  await using scene = await createSdkScene();
  const { ada, bot } = scene;
  const { chat, parley, polls } = startChat(scene);
  chat.onDirectMessage(async (thread, message) => {
    const { author } = message;
    assert.deepEqual([author.fullName, author.isBot, author.isMe, thread.isDM], ['Ada', false, false, true]);
    await thread.startTyping();
    const sent = await thread.post({ markdown: `**You** wrote: ${message.text}` });
    if (message.text !== 'edit') return;
    await sent.edit('Edited.');
    await (await thread.post('Not for long')).delete();
    const { messages, nextCursor } = await parley.fetchMessages(thread.id, { limit: 2 });
    assert.deepEqual(
      messages.map(({ text, author, metadata }) => [text, author.isMe, metadata.edited]),
      [
        ['edit', false, false],
        ['Edited.', true, true],
      ],
    );
    const older = await parley.fetchMessages(thread.id, { limit: 10, cursor: String(nextCursor) });
    assert.deepEqual(
      older.messages.map(({ text }) => text),
      ['Hello', 'You wrote: Hello'],
    );
    await thread.post('Done.');
  });
  await polls(async () => {
    await answered(scene, bot, '**You** wrote: Hello');
    await ada.writes(bot, 'edit');
    await answered(scene, bot, 'Done.');
  });
  const threadId = parley.encodeThreadId(ada.accountId);
  assert.deepEqual(
    [await parley.openDM(ada.accountId), parley.decodeThreadId(threadId), parley.isDM(threadId)],
    [threadId, ada.accountId, true],
  );
  assert.equal((await parley.getUser(ada.accountId))?.fullName, 'Ada');
  assert.equal(await parley.getUser('usr_nobody'), null);
  assert.equal((await parley.fetchThread(threadId)).channelName, 'Ada');
  assert.equal(await parley.fetchMessage(threadId, 'msg_nothing'), null);
  assert.throws(() => parley.decodeThreadId('slack:C1'), /is no thread of Parley/);
});

test('buttons of a card run their actions once; commands and streams work; files go both ways', async () => {
  await using scene = await createSdkScene();
  const { ada, bot } = scene;
  const { chat, polls } = startChat(scene);
  const actions: unknown[] = [];
  chat.onSlashCommand('/order', async ({ channel, text, user }) => {
    const buttons = [
      Button({ id: 'order', label: 'Order', value: `${text} for ${user.fullName}` }),
      Button({ id: 'no', label: 'Not today' }),
      LinkButton({ label: 'Menu', url: 'https://example.com/menu' }),
    ];
    await channel.post(
      Card({ title: 'Lunch', children: [CardText(`How about ${text}?`), Actions(buttons)] }),
    );
  });
  chat.onAction(async ({ actionId, value, thread, user, messageId }) => {
    actions.push([actionId, value, user.userId, messageId]);
    await thread?.post(`Ordered: ${value ?? 'nothing'}`);
  });
  chat.onDirectMessage(async (thread, message) => {
    if (message.text !== 'stream') return;
    async function* words() {
      for (const word of ['Tomorrow ', 'will be ', 'sunny.']) yield word;
    }
    await thread.post(words());
    const data = Buffer.from('Warm tea');
    await thread.post({ raw: 'What to bring', files: [{ data, filename: 'list.txt' }] });
  });
  await polls(async () => {
    await ada.writes(bot, `/order@${bot.username} soup`);
    const card = await eventually(async () =>
      (await ada.reads(bot)).find(({ quickReplies }) => quickReplies),
    );
    assert.match(card.content ?? '', /Lunch[\s\S]*How about soup\?/);
    assert.deepEqual(card.quickReplies?.buttons, [
      { label: 'Order' },
      { label: 'Not today' },
      { label: 'Menu', url: 'https://example.com/menu' },
    ]);
    const conversationId = privateConversationId(ada.accountId, bot.accountId);
    const press = (button: number) =>
      ada.calls('POST', `/api/chat/conversations/${conversationId}/messages/${card.msgId}/quick-replies`, {
        button,
      });
    await press(0);
    await answered(scene, bot, 'Ordered: soup for Ada');
    await press(1);
    await answered(scene, bot, 'Ordered: nothing');
    assert.deepEqual(actions, [
      ['order', 'soup for Ada', ada.accountId, card.msgId],
      ['no', undefined, ada.accountId, card.msgId],
    ]);

    await ada.writes(bot, 'stream');
    await answered(scene, bot, 'Tomorrow will be sunny.');
    await answered(scene, bot, 'What to bring');
    const sent = (await ada.reads(bot)).find(({ type }) => type === 'doc');
    assert.match(String(sent?.fileUrl), /list\.txt$/);
  });
});

test('in groups the bot hears mentions, follows threads that it subscribed to, sees edits and reactions, and reacts', async () => {
  await using scene = await createSdkScene();
  const { ada, bot, world } = scene;
  const own = { actorId: bot.owner.accountId, appId: bot.appId };
  for (const extension of ['message.edited', 'message.deleted', 'reaction.changed'] as const)
    await world.applications.switchExtension(own, { extension, isOn: true });
  const { chat, parley, polls } = startChat(scene);
  const heard: unknown[] = [];
  chat.onNewMention(async (thread, message) => {
    heard.push(['mention', message.text]);
    await thread.subscribe();
    await thread.post(
      `${thread.mentionUser(message.author.userId)}, ${thread.mentionUser('usr_0')}: at your service.`,
    );
  });
  chat.onSubscribedMessage((_thread, message) => void heard.push(['message', message.text]));
  chat.onReaction(({ rawEmoji, added, user }) => void heard.push([rawEmoji, added, user.fullName]));
  chat.onMessageUpdated((_thread, message) => void heard.push(['edited', message.text]));
  chat.onDirectMessage(() => undefined);
  chat.onMessageDeleted(({ messageId }) => void heard.push(['deleted', messageId]));
  const hears = (count: number) => eventually(() => heard.length >= count);

  const { groupId } = await parley.bot.createGroup({ name: 'Hikers', members: [ada.accountId] });
  const write = async (content: string, mentionedUserIds: string[] = []) =>
    (
      await ada.calls('POST', '/api/chat/groups/messages', {
        groupId,
        type: 'text',
        content,
        mentionedUserIds,
      })
    ).body.data.msgId as string;
  await polls(async () => {
    await write('Nobody is meant.');
    await write('Hello, @bot', [bot.accountId]);
    await hears(1);
    const threadId = parley.encodeThreadId(groupId);
    await eventually(() => chat.getState().isSubscribed(threadId));
    const answer = await eventually(async () => {
      const { messages } = await parley.bot.listMessages({ conversationId: groupId });
      return messages.find(({ from }) => from === bot.accountId);
    });
    assert.equal(answer.textMsg, '@Ada, <@usr_0>: at your service.');
    assert.deepEqual(answer.mentionedUserIds, [ada.accountId]);
    const msgId = await write('And now?');
    await hears(2);
    const at = `/api/chat/conversations/${groupId}/messages/${msgId}`;
    await ada.calls('PUT', `${at}/reactions`, { emoji: ['👍'] });
    await hears(3);
    await ada.calls('PUT', `${at}/reactions`, { emoji: ['🎉'] });
    await hears(5);
    await Promise.all([
      parley.addReaction(threadId, msgId, emoji.thumbs_up),
      parley.addReaction(threadId, msgId, '🎉'),
    ]);
    await parley.removeReaction(threadId, msgId, emoji.thumbs_up);
    await parley.removeReaction(threadId, msgId, '🚀');
    const reacted = await parley.bot.getMessage({ msgId, conversationId: groupId });
    assert.deepEqual(reacted.reactions, [{ emoji: '🎉', userIds: [ada.accountId, bot.accountId] }]);
    await ada.calls('PATCH', at, { text: 'And then?' });
    await hears(6);
    await ada.calls('DELETE', at);
    await hears(7);
    assert.deepEqual(heard, [
      ['mention', 'Hello, @bot'],
      ['message', 'And now?'],
      ['👍', true, 'Ada'],
      ['👍', false, 'Ada'],
      ['🎉', true, 'Ada'],
      ['edited', 'And then?'],
      ['deleted', msgId],
    ]);
    assert.equal((await parley.fetchThread(threadId)).channelName, 'Hikers');
  });
});

test('what a handler did not take is told again when it is fetched, messages, commands and reactions', async () => {
  await using scene = await createSdkScene();
  const { ada, bot, world } = scene;
  const own = { actorId: bot.owner.accountId, appId: bot.appId };
  await world.applications.switchExtension(own, { extension: 'reaction.changed', isOn: true });
  const { chat, polls } = startChat(scene);
  const heard: string[] = [];
  const failed = new Set<string>();
  const hear = (text: string) => {
    if (!failed.has(text)) {
      failed.add(text);
      throw new Error('not yet');
    }
    heard.push(text);
  };
  chat.onDirectMessage((_thread, { text }) => hear(text));
  chat.onSlashCommand('/weather', ({ text }) => hear(`weather ${text}`));
  chat.onReaction(({ rawEmoji }) => hear(rawEmoji));
  await polls(async () => {
    const { msgId } = await ada.writes(bot, 'Good morning');
    await eventually(() => heard.includes('Good morning'));
    await ada.writes(bot, '/weather Bern');
    await eventually(() => heard.includes('weather Bern'));
    const at = `/api/chat/conversations/${privateConversationId(ada.accountId, bot.accountId)}`;
    assert.equal(
      (await ada.calls('PUT', `${at}/messages/${msgId}/reactions`, { emoji: ['👍'] })).status,
      200,
    );
    await eventually(() => heard.includes('👍'));
  });
  assert.deepEqual(heard, ['Hello', 'Good morning', 'weather Bern', '👍']);
});

test('webhooks: signed ones are handled once, others are refused', async () => {
  await using scene = await createSdkScene();
  const { ada, bot, world } = scene;
  const state = createMemoryState();
  const setIfNotExists = state.setIfNotExists.bind(state);
  // A state elsewhere does not answer at once.
  state.setIfNotExists = async (...given) => {
    await new Promise(setImmediate);
    return setIfNotExists(...given);
  };
  const { chat } = startChat(scene, { state, now: () => world.clock.now() });
  const heard: string[] = [];
  chat.onDirectMessage((_thread, message) => void heard.push(message.text));
  chat.onMessageUpdated(() => void heard.push('edited'));
  chat.onMessageDeleted(() => void heard.push('deleted'));
  const { msgId } = await ada.writes(bot, 'signed');
  const data = {
    msgId,
    type: 'text',
    textMsg: 'signed',
    from: ada.accountId,
    chatId: ada.accountId,
    sentAt: 1,
  };
  const body = JSON.stringify({ type: 'message.received', data });
  const signing = {
    secrets: [bot.webhookSecret] as const,
    eventId: 'evt_1',
    type: 'message.received',
    at: world.clock.now(),
    serviceName: undefined,
  };
  const sign = (text: string) => signedHeaders({ ...signing, body: Buffer.from(text) });
  const post = async (sent: string, given: Record<string, string> = sign(sent)) => {
    const tasks: Promise<unknown>[] = [];
    const request = new Request('https://bot.example.com/hook', {
      method: 'POST',
      body: sent,
      headers: given,
    });
    const { status } = await chat.webhooks.parley(request, { waitUntil: (task) => void tasks.push(task) });
    await Promise.all(tasks);
    return status;
  };
  assert.deepEqual([await post(body), await post(body)], [200, 200]);
  const forged = await post(body.replace('signed', 'forged'), sign(body));
  assert.deepEqual([forged, await post(body, {})], [401, 401]);
  assert.deepEqual(heard, ['signed']);
  const change = { at: 1, msgId, chatId: ada.accountId };
  const edited = { ...change, eventId: 'evt_2', by: ada.accountId };
  const deleted = { ...change, eventId: 'evt_3', from: ada.accountId };
  for (const event of [
    { type: 'message.edited', data: edited },
    { type: 'message.deleted', data: deleted },
  ])
    for (let i = 0; i < 2; i++) assert.equal(await post(JSON.stringify(event)), 200);
  assert.deepEqual(heard, ['signed', 'edited', 'deleted']);

  // Deleted before it was handled, so that nobody knows any more whether a button wrote it.
  const gone = {
    ...data,
    msgId: msgId.replace(/.$/, (last) => (last === 'z' ? 'y' : 'z')),
    textMsg: 'gone',
    replyToMsgId: msgId,
  };
  assert.equal(await post(JSON.stringify({ type: 'message.received', data: gone })), 200);
  assert.deepEqual(heard.slice(3), ['gone']);
});
