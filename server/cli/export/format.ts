import { type Static, type TProperties, type TSchema, Type } from 'typebox';
import { BotCommand } from '#contract/bots.ts';
import { NOTIFY } from '#contract/chat/conversation-settings.ts';
import { ForwardedFrom, Notice } from '#contract/chat.ts';
import { MEDIA_KINDS, RECEIVED_TYPES, REMOTE_MEDIA, WHO_MAY_ADD } from '#contract/choices.ts';
import { each } from '#contract/fields.ts';
import type { IdKind } from '#contract/ids.ts';
import { FileDetails, Location, QuickReplies } from '#contract/messages.ts';
import { EventPoll } from '#contract/webhooks/events.ts';
import type { MessageBody } from '#features/messages/index.ts';

/** The version of the format. Readers refuse a later one. */
export const VERSION = 1;

/** The files of an export, in the order in which they are written. */
export const FILES = {
  head: 'export.json',
  people: 'people.jsonl',
  conversations: 'conversations.jsonl',
  messages: 'messages.jsonl',
  stories: 'stories.jsonl',
} as const;

/** The path of an upload in an export. */
export function pathOfFile(mediaId: string): string {
  return `media/${mediaId}`;
}

function idOf(kind: IdKind) {
  return Type.String({ pattern: `^${kind}_[0-9a-hjkmnp-tv-z]{24}$` });
}

const AccountId = idOf('usr');
const AppId = idOf('app');
const MsgId = idOf('msg');
/** A marker before all messages is no id. */
const Marker = Type.String({ maxLength: 28 });
const ConversationId = Type.Union([idOf('prv'), idOf('grp')]);
const Text = Type.String();
const Time = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Epoch milliseconds.',
});
const maybe = <T extends TSchema>(schema: T) => Type.Optional(schema);

/** An upload that something names, whose bytes are in `media/`. */
export const File = Type.Object({
  mediaId: Type.String({ pattern: '^[A-Za-z0-9_-]{27}$' }),
  ownerId: AccountId,
  kind: Type.Enum(MEDIA_KINDS),
  fileName: Text,
});
export type File = Static<typeof File>;
const files = maybe(Type.Array(File));

export const Head = Type.Object({
  format: Type.Literal('parley'),
  version: Type.Integer(),
  exportedAt: Time,
  server: Text,
});

/** A person or a bot; of a deleted account the id alone says something. */
export const Account = Type.Object({
  accountId: AccountId,
  isBot: Type.Boolean(),
  appId: maybe(AppId),
  name: Text,
  ...each(maybe(Text), 'email', 'username', 'pictureUrl', 'language', 'termsUrl', 'suspensionReason'),
  whoMayAddMe: Type.Enum(WHO_MAY_ADD),
  remoteMedia: Type.Enum(REMOTE_MEDIA),
  ...each(Type.Boolean(), 'readReceipts', 'typingIndicators', 'lastSeen', 'plainText'),
  createdAt: Time,
  ...each(maybe(Time), 'emailConfirmedAt', 'termsAcceptedAt', 'suspendedUntil', 'deactivatedAt', 'deletedAt'),
});

/** An application without its secrets, and its bot. */
export const Application = Type.Object({
  appId: AppId,
  ownerId: AccountId,
  name: Text,
  state: Type.Enum(['active', 'disabled', 'suspended']),
  requestsPerMinute: Type.Integer({ minimum: 1 }),
  createdAt: Time,
  redirectUris: Type.Array(Text),
  bot: maybe(
    Type.Object({
      accountId: AccountId,
      username: Text,
      description: Text,
      commands: Type.Array(BotCommand),
      createdAt: Time,
    }),
  ),
});

/** With whom the owner of applications tries them. */
export const TestPerson = Type.Object({ accountId: AccountId, testPersonId: AccountId, createdAt: Time });

const OWN_SETTINGS = {
  createdAt: Time,
  ...each(maybe(Marker), 'readMsgId', 'hiddenMsgId', 'deliveredMsgId', 'archivedMsgId'),
  isMuted: Type.Boolean(),
  mutedUntil: maybe(Time),
  notifyOf: Type.Enum(NOTIFY),
  hasSound: Type.Boolean(),
  pinnedAt: maybe(Time),
} satisfies TProperties;

/** A conversation in somebody's list: how far they have read, and how they keep it. */
export const OwnSettings = Type.Object(OWN_SETTINGS);

/** A private conversation in somebody's list. */
export const Listing = Type.Object({
  accountId: AccountId,
  conversationId: idOf('prv'),
  peerId: AccountId,
  ...OWN_SETTINGS,
});

/** One side of a private conversation: when it first wrote, and since when it blocks the other. */
export const Contact = Type.Object({
  conversationId: idOf('prv'),
  accountId: AccountId,
  peerId: AccountId,
  wroteAt: maybe(Time),
  blockedAt: maybe(Time),
});

export const Member = Type.Object({
  accountId: AccountId,
  isAdmin: Type.Boolean(),
  botAppId: maybe(AppId),
  joinedAt: Time,
  listing: maybe(OwnSettings),
  unreadMentions: maybe(Type.Array(MsgId)),
});

/** Somebody whom an administrator removed: no link lets them in. */
export const Removed = Type.Object({ accountId: AccountId, removedAt: Time });

/** Somebody who asks to join. */
export const JoinRequest = Type.Object({ accountId: AccountId, requestedAt: Time });

/** Somebody who was in the group. */
export const Former = Type.Object({ accountId: AccountId });

/** A group, or a broadcast list, with its members. */
export const Group = Type.Object({
  groupId: idOf('grp'),
  name: Text,
  description: Text,
  photoUrl: maybe(Text),
  photoSetBy: maybe(AccountId),
  isBroadcast: Type.Boolean(),
  sendMessages: Type.Boolean(),
  editInfoOnlyAdmin: Type.Boolean(),
  creatorId: AccountId,
  createdAt: Time,
});

/** For how long the people of a conversation keep its messages. */
export const Retention = Type.Object({
  conversationId: ConversationId,
  lifetimeDays: Type.Integer({ minimum: 1, maximum: 365 }),
});

/** A message that somebody deleted for themselves. */
export const Hidden = Type.Object({ accountId: AccountId, msgId: MsgId });

export const Message = Type.Object({
  conversationId: ConversationId,
  msgId: MsgId,
  senderId: AccountId,
  sentAt: Time,
  type: Type.Enum([...RECEIVED_TYPES, 'notice', 'deleted']),
  body: Type.Object({
    ...each(maybe(Text), 'content', 'fileUrl', 'thumbnailUrl', 'caption', 'quickReplyValue'),
    fileDetails: maybe(FileDetails),
    location: maybe(Location),
    poll: maybe(EventPoll),
    mentionedUserIds: maybe(Type.Array(AccountId)),
    notice: maybe(Notice),
    forwardedFrom: maybe(ForwardedFrom),
    quickReplies: maybe(QuickReplies),
    editedAt: maybe(Time),
    deletedBy: maybe(AccountId),
  } satisfies Record<keyof MessageBody, TSchema>),
  replyToMsgId: maybe(MsgId),
  reactions: maybe(Type.Array(Type.Object({ emoji: Text, userIds: Type.Array(AccountId) }))),
  pinned: maybe(Type.Object({ by: AccountId, at: Time })),
  poll: maybe(
    Type.Object({
      receiverId: maybe(AccountId),
      voterSecret: maybe(Type.String({ description: 'Of an open anonymous poll: base64.' })),
      optionVotes: Type.Array(Type.Integer({ minimum: 0 })),
      totalVoters: Type.Integer({ minimum: 0 }),
      closedAt: maybe(Time),
      votes: Type.Array(Type.Object({ voter: Text, optionId: Text })),
    }),
  ),
  files,
});
export type Message = Static<typeof Message>;

export const Story = Type.Object({
  accountId: AccountId,
  storyId: idOf('sty'),
  beganAt: Time,
  elements: Type.Array(
    Type.Object({
      elementId: idOf('elm'),
      type: Type.Enum(['text', 'image', 'video']),
      body: Type.Object(each(maybe(Text), 'text', 'imageUrl', 'videoUrl', 'thumbnailUrl')),
      createdAt: Time,
    }),
  ),
  files,
});

/** The lines of each file: what `kind` says. */
export const LINES = {
  account: Type.Interface([Account], { kind: Type.Literal('account'), files }),
  application: Type.Interface([Application], { kind: Type.Literal('application') }),
  testPerson: Type.Interface([TestPerson], { kind: Type.Literal('testPerson') }),
  group: Type.Interface([Group], {
    kind: Type.Literal('group'),
    members: Type.Array(Member),
    removed: maybe(Type.Array(Removed)),
    joinRequests: maybe(Type.Array(JoinRequest)),
    former: maybe(Type.Array(Former)),
    files,
  }),
  contact: Type.Interface([Contact], { kind: Type.Literal('contact') }),
  listing: Type.Interface([Listing], { kind: Type.Literal('listing') }),
  retention: Type.Interface([Retention], { kind: Type.Literal('retention') }),
  hidden: Type.Interface([Hidden], { kind: Type.Literal('hidden') }),
  message: Type.Interface([Message], { kind: Type.Literal('message') }),
  story: Type.Interface([Story], { kind: Type.Literal('story') }),
} as const;

export type LineKind = keyof typeof LINES;
export type Lines = { [kind in LineKind]: Static<(typeof LINES)[kind]> };
export type Line = Lines[LineKind];

/** The columns of a table that an export has, as its lines name them. */
export function columnsOf(schema: { properties: TProperties }): string[] {
  return Object.keys(schema.properties);
}
