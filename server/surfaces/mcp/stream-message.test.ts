import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LiveEvent } from '#platform/live.ts';
import { mcpScene } from '#testing/mcp-scene.ts';

test('a message is shown while it is written, and only its final text is sent', async (t) => {
  const { world, allows, connect, call } = await mcpScene(t);
  const [ada, bot] = [await world.person(), await world.bot()];
  await allows(bot);
  const { msgId: replyToMsgId } = await ada.writes(bot, 'What is the weather?');
  const client = await connect(bot.key);
  const shown: LiveEvent[] = [];
  t.after(world.live.subscribe(ada.accountId, (event) => shown.push(event)));
  const stream = (given: object) => call(client, 'stream_message', { replyToMsgId, ...given });

  const to = ada.accountId;
  assert.deepEqual(await stream({ to, content: 'Looking it up …', isFinal: false }), { shown: true });
  assert.deepEqual(
    shown.map((event) => event.type === 'message.draft' && [event.data.content, event.data.replyToMsgId]),
    [['Looking it up …', replyToMsgId]],
  );
  assert.equal((await ada.reads(bot)).length, 1);
  const quickReplies = { buttons: [{ label: 'And tomorrow?' }] };
  const sent = await stream({ to, content: 'Sunny.', isFinal: true, quickReplies });
  const [message] = await ada.reads(bot);
  assert.deepEqual(
    [message?.msgId, message?.content, message?.quote?.msgId, message?.quickReplies?.buttons],
    [sent.msgId, 'Sunny.', replyToMsgId, quickReplies.buttons],
  );

  world.clock.advance({ seconds: 1 });
  await stream({ to, content: 'It is also', isFinal: false, keepIfLost: true });
  world.clock.advance({ seconds: 30 });
  await world.messages.sendLostDrafts();
  assert.equal((await ada.reads(bot))[0]?.content, 'It is also');

  const { groupId } = await call(client, 'createGroup', { name: 'Team', members: [to] });
  const inGroup = { groupId, replyToMsgId: null };
  assert.deepEqual(await stream({ ...inGroup, content: 'One', isFinal: false }), { shown: true });
  assert.match((await stream({ ...inGroup, content: 'One, two', isFinal: true })).msgId, /^msg_/);

  for (const [given, message] of [
    [{ to, content: 'x' }, '400 invalid-argument: isFinal is required'],
    [{ to, content: ' ', isFinal: false }, '400 invalid-argument: content must not be blank'],
    [{ content: 'x', isFinal: false }, '400 invalid-argument: to is required'],
    [{ content: 'x', isFinal: true }, '400 invalid-argument: to is required'],
    [
      { to, groupId, content: 'x', isFinal: true },
      '400 invalid-argument: to must not be given together with groupId',
    ],
    [{ to: bot.accountId, content: 'x', isFinal: false }, '404 not-found: there is no such conversation'],
  ] as const)
    assert.equal(await stream(given), message);
});
