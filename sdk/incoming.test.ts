import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ParleyError } from './error.ts';
import { type IncomingMessage, type MessageCalls, type MessageContent, withCalls } from './incoming.ts';
import { ProfileCache } from './profile-cache.ts';
import type { ReceivedMessage } from './wire.ts';

const HELLO: ReceivedMessage = {
  msgId: 'msg_1',
  type: 'text',
  textMsg: 'Hello',
  from: 'usr_1',
  chatId: 'usr_1',
  sentAt: 1,
};

const ADA = { userId: 'usr_1', isBot: false, name: 'Ada' };

/** Edits and deletions. */
const changes: unknown[] = [];

/** Sends, and keeps the texts. */
function keeping(sent: string[]): MessageCalls {
  return calling(async (content) => {
    sent.push('content' in content ? String(content.content) : '');
    return { msgId: `msg_${sent.length + 1}` };
  });
}

function calling(send: MessageCalls['send'] = async () => ({ msgId: 'msg_2' })): MessageCalls {
  return {
    send,
    findProfile: async (userId) => ({ ...ADA, userId }),
    typing: async () => void changes.push(['typing']),
    showDraft: async (...one) => void changes.push(['draft', ...one]),
    edit: async (...one) => changes.push(['edit', ...one]),
    delete: async (...one) => changes.push(['delete', ...one]),
    react: async (...one) => changes.push(['react', ...one]),
    get: async (msgId) => ({ ...HELLO, msgId, quickReplyValue: `value of ${msgId}` }),
  };
}

test('replies quote the message, and the n-th has the same key in every run', async () => {
  for (let run = 0; run < 2; run++) {
    const sent: [MessageContent, string][] = [];
    const message: IncomingMessage = withCalls(
      HELLO,
      calling(async (...one) => {
        sent.push(one);
        return { msgId: `msg_${sent.length + 1}` };
      }),
    );
    assert.deepEqual(await message.sender(), ADA);
    assert.deepEqual(JSON.parse(JSON.stringify(message)), { ...HELLO, state: {} });
    assert.deepEqual(await message.reply('Hi'), { msgId: 'msg_2' });
    await message.reply({ type: 'gif', fileUrl: 'https://x', replyToMsgId: 'msg_0' });
    assert.deepEqual(sent, [
      [{ type: 'text', content: 'Hi', replyToMsgId: 'msg_1' }, 'reply-msg_1-1'],
      [{ type: 'gif', fileUrl: 'https://x', replyToMsgId: 'msg_0' }, 'reply-msg_1-2'],
    ]);
  }
});

test('what JavaScript passes instead of a text is refused as content, not as a missing type', async () => {
  const sent: unknown[] = [];
  const message = withCalls(
    HELLO,
    calling(async ({ type, ...content }) => {
      sent.push([type, 'content' in content && content.content]);
      return { msgId: 'msg_2' };
    }),
  );
  for (const wrong of [7, undefined]) await message.reply(wrong as never);
  assert.deepEqual(sent, [
    ['text', 7],
    ['text', undefined],
  ]);
});

test('a simulated message is not quoted, since it does not exist', async () => {
  const { reply, sender } = withCalls(
    { ...HELLO, sandbox: true },
    calling(async (content) => {
      assert.deepEqual(content, { type: 'text', content: 'Hi' });
      return { msgId: 'msg_2' };
    }),
  );
  await reply('Hi');
  assert.deepEqual(await sender(), { ...ADA, name: 'Sandbox' });
});

test('the value of a button is read of a message that quotes, and only of one that is stored', async () => {
  const pressedIn = (data: { replyToMsgId?: string; sandbox?: true }) =>
    withCalls({ ...HELLO, ...data }, calling()).quickReplyValue();
  assert.equal(await pressedIn({ replyToMsgId: 'msg_0' }), 'value of msg_1');
  assert.equal(await pressedIn({}), undefined);
  assert.equal(await pressedIn({ replyToMsgId: 'msg_0', sandbox: true }), undefined);
});

test('what has been deleted since has no button, and is not edited; other errors are thrown', async () => {
  const failing = (status: number) => {
    const fail = async () => {
      throw new ParleyError('x', { code: 'not-found', status });
    };
    const calls = { ...calling(), get: fail, edit: fail };
    return withCalls({ ...HELLO, replyToMsgId: 'msg_0' }, calls);
  };
  const gone = failing(404);
  assert.equal(await gone.quickReplyValue(), undefined);
  await gone.edit({ msgId: 'msg_2' }, 'Later');
  const away = failing(503);
  await assert.rejects(away.quickReplyValue(), { status: 503 });
  await assert.rejects(away.edit({ msgId: 'msg_2' }, 'Later'), { status: 503 });
});

test('a reply is edited and deleted by its id, and the message reacted to; what is not stored is not', async () => {
  changes.length = 0;
  for (const data of [HELLO, { ...HELLO, sandbox: true as const }]) {
    const message = withCalls(data, calling());
    await message.typing();
    const sent = await message.reply('One moment …');
    await message.edit(sent, 'Sunny');
    await message.edit(sent, { caption: 'a map' });
    await message.edit(undefined, 'Sunny');
    await message.delete(sent);
    await message.delete(undefined);
    await message.react('👍', '🎉');
    await message.react();
  }
  assert.deepEqual(changes, [
    ['typing'],
    ['edit', 'msg_2', { content: 'Sunny' }],
    ['edit', 'msg_2', { caption: 'a map' }],
    ['delete', 'msg_2'],
    ['react', 'msg_1', ['👍', '🎉']],
    ['react', 'msg_1', []],
  ]);
});

test('when an earlier run replied with a different text, that one is kept; other errors are thrown', async () => {
  const refuse = (code: 'already-exists' | 'permission-denied') =>
    withCalls(
      HELLO,
      calling(async () => {
        throw new ParleyError('no', { status: 409, code });
      }),
    );
  assert.equal(await refuse('already-exists').reply('Hi again'), undefined);
  await assert.rejects(refuse('permission-denied').reply('Hi'), { code: 'permission-denied' });
});

test('a profile is asked for once in five minutes; a failure is not kept', async () => {
  let now = 0;
  let asked = 0;
  let isAway = true;
  const cache = new ProfileCache(
    async (userId) => {
      asked++;
      if (isAway) throw new Error('away');
      return { ...ADA, userId };
    },
    () => now,
  );
  await assert.rejects(cache.find('usr_1'), { message: 'away' });
  isAway = false;
  for (now of [0, 299_999]) assert.deepEqual(await cache.find('usr_1'), ADA);
  assert.equal(asked, 2);
  now = 300_000;
  await cache.find('usr_1');
  assert.equal(asked, 3);
  for (let i = 0; i < 1_000; i++) await cache.find(`usr_other${i}`);
  await cache.find('usr_1');
  assert.equal(asked, 1_004, 'the oldest of a thousand are forgotten');
});

test('a streamed reply is shown as it grows, and sent once; what cannot be shown is sent all the same', async () => {
  const sent: string[] = [];
  const drafts: string[] = [];
  let isRefused = false;
  const calls = {
    ...keeping(sent),
    showDraft: async (content: string) => {
      if (isRefused) throw new ParleyError('x', { code: 'permission-denied', status: 403 });
      drafts.push(content);
      shown.resolve();
    },
  };
  let shown = Promise.withResolvers<void>();
  async function* words() {
    for (const word of ['Tomorrow ', 'will be ', 'sunny.']) {
      yield word;
      if (isRefused) continue;
      await shown.promise;
      shown = Promise.withResolvers();
    }
  }
  const { stream } = withCalls(HELLO, calls);
  // The last word is shown, too, before the source ends.
  assert.deepEqual(await stream(words()), [{ msgId: 'msg_2' }]);
  assert.deepEqual(drafts, ['Tomorrow ', 'Tomorrow will be ', 'Tomorrow will be sunny.']);
  assert.deepEqual(sent, ['Tomorrow will be sunny.']);
  isRefused = true;
  await stream(words());
  assert.equal(sent.length, 2);
  changes.length = 0;
  await withCalls(HELLO, calling()).stream(words(), { keepIfLost: true });
  assert.deepEqual(changes, [['draft', 'Tomorrow ', true]]);
});

test('a streamed reply that is too long becomes several, white space at its end aside; its pieces are strings', async () => {
  const sent: string[] = [];
  const { stream } = withCalls(HELLO, keeping(sent));
  async function* pieces(all: Iterable<unknown>) {
    yield* all as Iterable<string>;
  }
  const replies = await stream(pieces(Array(1000).fill('sunny and warm ')));
  assert.ok(replies.length > 1 && sent.every((text) => text.length <= 4096));
  assert.equal(sent.flatMap((text) => text.trim().split(/\s+/)).length, 3000);
  sent.length = 0;
  await stream(pieces(['x'.repeat(4096), '\n']));
  assert.deepEqual(sent, ['x'.repeat(4096)]);
  // As people would not read [object Object].
  await assert.rejects(stream(pieces(['Sunny', { type: 'text-delta', text: ' and warm' }])), {
    name: 'TypeError',
    message: 'a piece must be a string',
  });
  assert.equal(sent.length, 1);
});
