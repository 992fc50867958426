import type { Static } from 'typebox';
import type { ChatMessage, ForwardMessage, WriteMessage } from '#contract/chat.ts';
import type { SendGroupMessage } from '#contract/groups.ts';
import type { SendMessage } from '#contract/messages.ts';
import type { EventPoll } from '#contract/webhooks/events.ts';
import { type Actor, KeyChanged } from '#features/applications/index.ts';
import { SANDBOX } from '#features/webhooks/index.ts';
import type { Reserved } from '#platform/http/serve.ts';
import { privateConversationId } from '#platform/ids.ts';
import { type ExtraWrites, readContent, readGroupContent, withFileDetails } from './content.ts';
import { showWritten } from './conversations/thread.ts';
import type { MessageDeps } from './deps.ts';
import { forwardMessage } from './send/forward.ts';
import { createPersonSender, type Writer } from './send/from-person.ts';
import { createGroupSender } from './send/group.ts';
import { createPrivateSender } from './send/private.ts';
import { type PressedButton, pressQuickReply } from './send/quick-replies.ts';
import { viewNewMessage } from './view.ts';

type Sender = Pick<Actor, 'kind' | 'accountId' | 'cachedKey'>;

/** A bot's answer to a simulated event is accepted and stored nowhere. @throws KeyChanged for a cached key */
function isSandboxAnswer({ kind, cachedKey }: Sender, sandboxId: string, to: string): boolean {
  if (kind !== 'bot' || to !== sandboxId) return false;
  // No statement will compare the key.
  if (cachedKey) throw new KeyChanged();
  return true;
}

export type Senders = ReturnType<typeof createSenders>;

/** Everything that writes messages of bots and people; all of it shares the batches of a process. */
export function createSenders(deps: MessageDeps) {
  const sendPrivate = createPrivateSender(deps);
  const sendToGroup = createGroupSender(deps);
  const sendFromPerson = createPersonSender(deps);
  return {
    /** A bot writes to a person. */
    async sendPrivate(bot: Sender, body: Static<typeof SendMessage>, reserved: Reserved) {
      const sending = { to: body.to, field: 'to', content: readContent(body) };
      if (!isSandboxAnswer(bot, SANDBOX.userId, body.to)) await sendPrivate(bot, sending, reserved);
      return { msgId: reserved.id };
    },
    /** A bot or a person writes into a group. */
    async sendToGroup(sender: Sender, body: SendGroupMessage, reserved: Reserved) {
      const sending = { to: body.groupId, content: readGroupContent(body) };
      if (!isSandboxAnswer(sender, SANDBOX.groupId, body.groupId))
        await sendToGroup(sender, sending, reserved);
      return { msgId: reserved.id };
    },
    /** A person writes to a bot or another person, from a client that shows the message. */
    async write(
      person: Writer,
      { to, ...body }: Static<typeof WriteMessage>,
      reserved: Reserved,
    ): Promise<ChatMessage> {
      const written = await sendFromPerson(
        person,
        { to, field: 'to', content: withFileDetails(readContent(body), body.fileDetails ?? {}) },
        reserved,
      );
      const conversationId = privateConversationId(person.accountId, to);
      return showWritten(deps, { conversationId, msgId: reserved.id }, written);
    },
    /** The same into a group. */
    async writeToGroup(
      { accountId, peer }: Writer,
      { groupId, ...body }: SendGroupMessage,
      reserved: Reserved,
    ): Promise<ChatMessage> {
      const sending = {
        to: groupId,
        content: withFileDetails(readGroupContent(body), body.fileDetails ?? {}),
      };
      const written = await sendToGroup({ kind: 'user', accountId, peer }, sending, reserved);
      return showWritten(deps, { conversationId: groupId, msgId: reserved.id }, written);
    },
    /** A person forwards a message that they may read. */
    forward: (person: Writer, forwarded: ForwardMessage, reserved: Reserved) =>
      forwardMessage({ ...deps, sendToGroup, sendFromPerson }, person, forwarded, reserved),
    /** A person presses a button below a message of a bot. */
    pressQuickReply: (person: Writer, pressed: PressedButton, reserved: Reserved) =>
      pressQuickReply({ ...deps, sendToGroup, sendFromPerson }, person, pressed, reserved),
    /**
     * A bot or a person creates a poll, under the rules of messages.
     *
     * @param extraWrites further writes in the transaction of its message
     * @returns undefined if an earlier request with its Idempotency-Key stored it
     */
    async sendPoll(
      sender: Sender,
      { to, poll }: { to: { groupId: string } | { receiverId: string }; poll: EventPoll },
      reserved: Reserved,
      extraWrites: ExtraWrites,
    ): Promise<ChatMessage | undefined> {
      const content = { type: 'poll' as const, body: { poll }, replyToMsgId: undefined };
      const sending = { field: 'receiverId', content, extraWrites };
      const send = () => {
        if ('groupId' in to) return sendToGroup(sender, { ...sending, to: to.groupId }, reserved);
        const direct = { ...sending, to: to.receiverId };
        return sender.kind === 'bot'
          ? sendPrivate(sender, direct, reserved)
          : sendFromPerson(sender, direct, reserved);
      };
      const written = await send();
      return written && viewNewMessage(written);
    },
  };
}
