import { type TSchemaOptions, Type } from 'typebox';

/** The form of every id: contract §2 defines it for userIds, and all others follow it. */
export const ID_PATTERN = '^[A-Za-z0-9_-]{1,128}$';

/** An id of any kind, as a field of a body or a parameter. Ids are opaque: do not parse them. */
export function id(options: TSchemaOptions = {}) {
  return Type.String({ pattern: ID_PATTERN, ...options });
}

/** A userId as a field of a body (contract §2): take them from webhooks or `/oauth/userinfo`. */
export const UserId = id({
  description: 'Stable id of a user or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`).',
  examples: ['usr_06f2c8k4x1m9q7t3w5z8b2n4'],
});

/** The id of a message, as `msgId` and `replyToMsgId` (contract §2 and §6). */
export const MsgId = id({
  description: 'Unique message id; reusable as `replyToMsgId`.',
  examples: ['msg_06f2c8k4x1m9q7t3w5z8b2n4'],
});

/** The message that another one quotes (contract §2). */
export const QuotedMsgId = Type.String({
  ...MsgId,
  description: 'Quotes a message: the `msgId` of one in the same conversation.',
});

/** The id of a group or broadcast list (contract §2). */
export const GroupId = id({
  description: 'Id of a group or broadcast list.',
  examples: ['grp_06f2c8k4x1m9q7t3w5z8b2n4'],
});

/** A conversation, by the id that bots know (an extension of the contract). */
export const ConversationId = id({
  description: 'The conversation: the `chatId` or `groupId` of its messages.',
  examples: ['usr_06f2c8k4x1m9q7t3w5z8b2n4'],
});

/** Kinds of IDs: the first three letters, so that a developer sees at once what an ID in a log line refers to. */
export type IdKind =
  | 'usr'
  | 'app'
  | 'msg'
  | 'grp'
  | 'prv'
  | 'dlv'
  | 'pol'
  | 'opt'
  | 'sty'
  | 'elm'
  | 'fam'
  | 'alc'
  | 'alr'
  | 'aud'
  | 'act'
  | 'ann'
  | 'nte'
  | 'req'
  | 'rpt'
  | 'ihk'
  | 'prc'
  | 'idp';
