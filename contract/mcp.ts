import { type Static, Type } from 'typebox';
import { optional, visibleText } from './fields.ts';
import { GroupId, MsgId, QuotedMsgId, UserId } from './ids.ts';
import { LIMITS } from './limits.ts';
import { QuickReplies } from './messages.ts';

/** How long `ask_person` waits, in seconds: clients of MCP give up after 60 by default. */
export const ASK_WAIT = { least: 1, most: 50, usual: 45 };

/** The arguments of the MCP tool `ask_person`. */
export const AskPerson = Type.Object({
  to: Type.String({
    ...UserId,
    description: 'The person: `chatId` of a private message that the bot received.',
  }),
  content: optional(visibleText(LIMITS.textLength, 'The question.')),
  quickReplies: optional(QuickReplies),
  msgId: optional(
    Type.String({
      ...MsgId,
      description: 'Instead of `content`: a question that was sent before, to go on waiting for its answer.',
    }),
  ),
  waitSeconds: optional(
    Type.Integer({
      minimum: ASK_WAIT.least,
      maximum: ASK_WAIT.most,
      description: `How long to wait. Default ${ASK_WAIT.usual}.`,
    }),
  ),
});

export type AskPerson = Static<typeof AskPerson>;

/** The arguments of the MCP tool `stream_message`. */
export const StreamMessage = Type.Object({
  to: optional(
    Type.String({ ...UserId, description: 'A person: `chatId` of a private message. Or `groupId`.' }),
  ),
  groupId: optional(Type.String({ ...GroupId, description: 'A group of the bot. Or `to`.' })),
  content: visibleText(LIMITS.textLength, 'The whole text so far; it replaces what was shown before.'),
  isFinal: Type.Boolean({
    description: '`false`: only shown, on open pages. `true`: sent as a message, in place of what was shown.',
  }),
  replyToMsgId: optional(QuotedMsgId),
  quickReplies: optional(QuickReplies),
  keepIfLost: optional(
    Type.Boolean({
      description:
        'With `isFinal: false`: whether what is shown becomes the message if no other call follows within 30 seconds.',
    }),
  ),
});
