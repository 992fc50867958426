import { SendGroupMessage } from '#contract/groups.ts';
import { SendMessage, SentMessage } from '#contract/messages.ts';
import type { Operation, V1 } from '#features/applications/index.ts';
import type { Messages } from './index.ts';

const sent = { reply: SentMessage, message: 'message sent', creates: 'msg' as const };
const byBots: Operation['access'] = { actors: ['bot'], scope: 'messages:send', confirmsKeys: true };

/** Messages of bots to people (contract §4). */
export function messageRoutes(v1: V1, messages: Messages): void {
  v1.post(
    '/v1/messages',
    {
      access: byBots,
      operationId: 'sendMessage',
      summary: 'Send a private message',
      description:
        'Sends text, media or a location to a user who has written to the bot. A bot cannot start a conversation, and ' +
        'cannot write to other bots.',
      tags: ['Messages'],
      body: SendMessage,
      ...sent,
    },
    ({ actor, body, reserved }) => messages.sendPrivate(actor, body, reserved),
  );
}

/** The two routes for writing into a group: for bots, and for bots and consenting people (contract §4). */
export function groupMessageRoutes(v1: V1, messages: Messages): void {
  v1.post(
    '/v1/messages/group',
    {
      access: byBots,
      operationId: 'sendGroupMessage',
      summary: 'Send a group message',
      description:
        'Posts to a group that the bot is a member of. In a group with `sendMessages: false` the bot must be an ' +
        'administrator; in a broadcast list it must be the creator. Everybody mentioned must be a member.',
      tags: ['Messages'],
      body: SendGroupMessage,
      ...sent,
    },
    ({ actor, body, reserved }) => messages.sendToGroup(actor, body, reserved),
  );

  v1.post(
    '/v1/groups/broadcast',
    {
      access: { actors: ['bot', 'user'], scope: 'groups:manage' },
      operationId: 'broadcast',
      summary: 'Post to a group or your broadcast list',
      description:
        'Takes the same body and requires the same rights as `POST /v1/messages/group`, but also accepts an access ' +
        'token, so that a user can post to their own broadcast list. `type` defaults to `text`.',
      tags: ['Groups'],
      body: SendGroupMessage,
      prepare: defaultToText,
      ...sent,
    },
    ({ actor, body, reserved }) => messages.sendToGroup(actor, body, reserved),
  );
}

/** The one body of the API whose `type` may be left out (contract §4); a missing body is the schema's to refuse. */
function defaultToText(body: unknown): void {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    const sent: { type?: unknown } = body;
    sent.type ??= 'text';
  }
}
