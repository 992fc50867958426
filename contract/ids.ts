import { Type } from 'typebox';

/** The form of every userId (contract §2). Ids are opaque: take them from webhooks or `/oauth/userinfo`. */
export const USER_ID_PATTERN = '^[A-Za-z0-9_-]{1,128}$';

/** A userId as a field of a body (contract §2). */
export const UserId = Type.String({
  pattern: USER_ID_PATTERN,
  description:
    'Stable id of a person or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`).',
  examples: ['usr_06f2c8k4x1m9q7t3w5z8b2n4'],
});

/** The id of a message, as `msgId` and `replyToMsgId` (contract §2 and §6). */
export const MsgId = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'Unique message id; reusable as `replyToMsgId`.',
  examples: ['msg_06f2c8k4x1m9q7t3w5z8b2n4'],
});

/** The id of a group or broadcast list (contract §2). */
export const GroupId = Type.String({
  minLength: 1,
  maxLength: 128,
  examples: ['grp_06f2c8k4x1m9q7t3w5z8b2n4'],
});
