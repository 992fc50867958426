import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Actions,
  type AdapterPostableMessage,
  Button,
  Card,
  CardLink,
  CardText,
  emoji,
  Image,
  parseMarkdown,
  Section,
} from 'chat';
import { createParleyAdapter } from '../../sdk/chat-sdk/index.ts';
import { createSdkScene } from './sdk-scene.ts';

test('what a bot posts is what people see: emoji, Markdown, cards, files that are fetched, and quotes', async () => {
  await using scene = await createSdkScene();
  const { ada, bot, baseUrl } = scene;
  const parley = createParleyAdapter({ baseUrl, apiKey: bot.key });
  const threadId = parley.encodeThreadId(ada.accountId);
  const contentOf = async (msgId: string) => (await ada.reads(bot)).find((one) => one.msgId === msgId);
  const posted = async (message: AdapterPostableMessage) =>
    await contentOf((await parley.postMessage(threadId, message)).id);

  assert.equal((await posted(`${emoji.fire} Done`))?.content, '🔥 Done');
  async function* words() {
    yield 'All {{emoji:';
    yield 'check}}';
  }
  const { id } = await parley.stream(threadId, words());
  assert.equal((await contentOf(id))?.content, 'All ✅');
  await parley.editMessage(threadId, id, `${emoji.rocket}`);
  assert.equal((await contentOf(id))?.content, '🚀');

  const markdown = 'See https://example.com/a_b, list[0] or _x_: 2 \\* 3\nC:\\dir `a\\[0]` <ada@example.com>';
  const seen = 'See https://example.com/a_b, list[0] or *x*: 2 \\* 3\nC:\\dir `a\\[0]` ada@example.com';
  assert.equal((await posted({ markdown }))?.content, seen);
  assert.equal((await posted({ markdown: `Hi <@${ada.accountId}>!` }))?.content, 'Hi @Ada!');
  assert.equal((await posted({ ast: parseMarkdown('one  \ntwo') }))?.content, 'one\ntwo');

  const url = 'https://example.com/map.png';
  const children = [
    Section([Image({ url }), CardText('By train')]),
    CardLink({ url: 'https://example.com/map', label: 'Map' }),
    Actions([Button({ id: 'go', label: `${emoji.rocket} Go` })]),
  ];
  const card = await posted(Card({ title: 'Trip', children }));
  assert.equal(card?.content, '**Trip**\nBy train\n[Map](https://example.com/map)');
  assert.deepEqual(card?.quickReplies?.buttons, [{ label: '🚀 Go' }]);
  assert.ok((await ada.reads(bot)).some(({ type, fileUrl }) => type === 'image' && fileUrl === url));

  const fetchData = async () => Buffer.from('Warm tea');
  const file = await posted({ raw: '', attachments: [{ type: 'file', name: 'list.txt', fetchData }] });
  assert.match(String(file?.fileUrl), /list\.txt$/);

  const quoting = await parley.reply(threadId, id, 'Above');
  assert.equal((await contentOf(quoting.id))?.replyToMsgId, id);
});
