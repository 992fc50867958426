import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ParleyError } from './error.ts';
import { type MessageContent, withReply } from './incoming.ts';
import type { ReceivedMessage } from './wire.ts';

const HELLO: ReceivedMessage = {
  msgId: 'msg_1',
  type: 'text',
  textMsg: 'Hello',
  from: 'usr_1',
  chatId: 'usr_1',
  sentAt: 1,
};

test('replies quote the message, and the n-th has the same key in every run', async () => {
  for (let run = 0; run < 2; run++) {
    const sent: [MessageContent, string][] = [];
    const { reply, ...data } = withReply(HELLO, async (...one) => {
      sent.push(one);
      return { msgId: `msg_${sent.length + 1}` };
    });
    assert.deepEqual(data, { ...HELLO, state: {} });
    assert.deepEqual(await reply('Hi'), { msgId: 'msg_2' });
    await reply({ type: 'gif', fileUrl: 'https://x', replyToMsgId: 'msg_0' });
    assert.deepEqual(sent, [
      [{ type: 'text', content: 'Hi', replyToMsgId: 'msg_1' }, 'reply-msg_1-1'],
      [{ type: 'gif', fileUrl: 'https://x', replyToMsgId: 'msg_0' }, 'reply-msg_1-2'],
    ]);
  }
});

test('a simulated message is not quoted, since it does not exist', async () => {
  const { reply } = withReply({ ...HELLO, sandbox: true }, async (content) => {
    assert.deepEqual(content, { type: 'text', content: 'Hi' });
    return { msgId: 'msg_2' };
  });
  await reply('Hi');
});

test('when an earlier run replied with a different text, that one is kept; other errors are thrown', async () => {
  const refuse = (code: 'already-exists' | 'permission-denied') =>
    withReply(HELLO, async () => {
      throw new ParleyError('no', { status: 409, code });
    });
  assert.equal(await refuse('already-exists').reply('Hi again'), undefined);
  await assert.rejects(refuse('permission-denied').reply('Hi'), { code: 'permission-denied' });
});
