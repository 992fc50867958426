import { type Static, Type } from 'typebox';
import { REMOTE_MEDIA } from './accounts/profiles.ts';
import { BotCommand } from './bots.ts';
import { LifetimeDays, ownSettings } from './chat/conversation-settings.ts';
import { readState } from './chat/receipts.ts';
import { GroupId, id, MsgId, UserId } from './ids.ts';
import { LIMITS } from './limits.ts';
import { AlbumId, chatBodyWithContent, FileDetails, Location } from './messages.ts';
import { Poll } from './polls.ts';
import { Reactions } from './reactions.ts';

const isUnreadable = Type.Optional(
  Type.Literal(true, {
    description: 'The content cannot be read: the stored row is damaged, or its encryption key is missing.',
  }),
);

/** The part of a quoted message that is shown above the message that quotes it. */
export const Quote = Type.Object({
  msgId: MsgId,
  from: UserId,
  type: Type.String(),
  isUnreadable,
  excerpt: Type.String({
    description: 'The beginning of its text, caption, question or place name; empty if it has none.',
  }),
});

export type Quote = Static<typeof Quote>;

/** The other side of a conversation, as shown: a deleted bot is called "Deleted bot". */
export const Peer = Type.Object({
  userId: UserId,
  name: Type.String(),
  isBot: Type.Boolean(),
  isDeleted: Type.Boolean(),
  username: Type.Optional(Type.String()),
  pictureUrl: Type.Optional(Type.String()),
  isPlainText: Type.Optional(
    Type.Literal(true, { description: 'A bot whose texts are shown as they are, without formatting.' }),
  ),
  isService: Type.Optional(
    Type.Literal(true, {
      description: 'The account of the service itself, to which nobody can write.',
    }),
  ),
});

export type Peer = Static<typeof Peer>;

/** Events that a thread shows as a line of its own. */
export const NOTICES = [
  'joined',
  'left',
  'removed',
  'renamed',
  'promoted',
  'demoted',
  'message-deleted',
  'retention',
] as const;

/** A line of the thread about a change of the group, made by `from` of its message. */
export const Notice = Type.Object({
  kind: Type.Enum(NOTICES),
  userIds: Type.Optional(Type.Array(UserId, { description: 'The people that the change is about.' })),
  name: Type.Optional(Type.String({ description: 'The new name of the group.' })),
  lifetimeDays: Type.Optional(LifetimeDays),
});

export type Notice = Static<typeof Notice>;

/** The author of a forwarded message, with the name at that time; empty if it is not disclosed. */
export const ForwardedFrom = Type.Object({
  name: Type.Optional(Type.String()),
  username: Type.Optional(Type.String({ description: 'Bots only.' })),
});

export type ForwardedFrom = Static<typeof ForwardedFrom>;

/** The buttons below a message of a bot. */
export const ShownQuickReplies = Type.Object({
  buttons: Type.Array(Type.Object({ label: Type.String(), url: Type.Optional(Type.String()) })),
  mentionedOnly: Type.Optional(Type.Boolean()),
});

export type ShownQuickReplies = Static<typeof ShownQuickReplies>;

/** Body of `POST /api/chat/conversations/:conversationId/messages/:msgId/quick-replies`: the index of the button. */
export const PressQuickReply = Type.Object({
  button: Type.Integer({ minimum: 0, maximum: LIMITS.quickReplies - 1 }),
});

/** A message as people's clients see it. Fields that the message does not have are omitted. */
export const ChatMessage = Type.Object({
  msgId: MsgId,
  conversationId: Type.String(),
  from: UserId,
  type: Type.String(),
  isUnreadable,
  content: Type.Optional(Type.String()),
  fileUrl: Type.Optional(Type.String()),
  thumbnailUrl: Type.Optional(Type.String()),
  caption: Type.Optional(Type.String()),
  fileDetails: Type.Optional(FileDetails),
  location: Type.Optional(Location),
  poll: Type.Optional(Poll),
  replyToMsgId: Type.Optional(MsgId),
  quote: Type.Optional(Quote),
  mentionedUserIds: Type.Optional(Type.Array(UserId)),
  reactions: Type.Optional(Reactions),
  notice: Type.Optional(Notice),
  people: Type.Optional(
    Type.Array(Peer, {
      description:
        'In live events: the person who wrote it. With a notice, there and in the list of conversations: the accounts that it names, even if they have left or been deleted since.',
    }),
  ),
  forwardedFrom: Type.Optional(ForwardedFrom),
  quickReplies: Type.Optional(ShownQuickReplies),
  sentAt: Type.Integer(),
  editedAt: Type.Optional(Type.Integer({ description: 'When its text was last edited.' })),
  deletedBy: Type.Optional(
    Type.String({ ...UserId, description: 'Who deleted it for everybody; its `type` is `deleted`.' }),
  ),
});

export type ChatMessage = Static<typeof ChatMessage>;

/** Body of `PATCH /api/chat/conversations/:conversationId/messages/:msgId`: its text, or its caption, which may be empty. */
export const EditMessage = Type.Object({ text: Type.String({ maxLength: LIMITS.textLength }) });

/** Body of `POST /api/chat/messages/forward`: the message, and the person, bot or group to send it to. */
export const ForwardMessage = Type.Object({
  to: Type.Optional(UserId),
  groupId: Type.Optional(GroupId),
  conversationId: id(),
  msgId: MsgId,
  isAnonymous: Type.Optional(Type.Boolean({ description: 'Whether the copy omits who wrote the message.' })),
  albumId: Type.Optional(AlbumId),
});

export type ForwardMessage = Static<typeof ForwardMessage>;

/** `data` of `GET /api/chat/conversations/:conversationId/pins`: pinned messages, most recently pinned first. */
export const PinnedMessages = Type.Object({
  mayPin: Type.Boolean(),
  messages: Type.Array(ChatMessage),
  people: Type.Array(Peer),
});

export type PinnedMessages = Static<typeof PinnedMessages>;

/** A group or broadcast list as its members see it. */
export const ShownGroup = Type.Object({
  groupId: GroupId,
  name: Type.String(),
  description: Type.String(),
  photoUrl: Type.Optional(Type.String()),
  photoSetBy: Type.Optional(Type.String({ description: 'Who set the photo, if that is known.' })),
  isBroadcast: Type.Boolean(),
  sendMessages: Type.Boolean(),
  editInfoOnlyAdmin: Type.Boolean(),
  creatorId: UserId,
  memberCount: Type.Integer(),
});

export type ShownGroup = Static<typeof ShownGroup>;

/** One entry of a person's list of conversations. */
export const Conversation = Type.Object({
  conversationId: Type.String(),
  kind: Type.Union([Type.Literal('private'), Type.Literal('group')]),
  peer: Type.Optional(Peer),
  group: Type.Optional(ShownGroup),
  joinRequestCount: Type.Optional(
    Type.Integer({ description: 'How many people ask to join a group that the reader administers, if any.' }),
  ),
  isBlocked: Type.Boolean({ description: 'Whether the reader has blocked the peer.' }),
  ...ownSettings,
  isHidden: Type.Boolean({
    description:
      'Whether the reader has deleted it and nobody, the reader included, has written since. It is then not in the list.',
  }),
  isAdmin: Type.Boolean({ description: 'Whether the reader administers the group.' }),
  mayWrite: Type.Boolean({
    description: 'Whether a message from the reader would be accepted, as far as is known.',
  }),
  ...readState,
  mentionMsgId: Type.Optional(
    Type.String({ ...MsgId, description: 'The newest unread message that mentions the reader.' }),
  ),
  lifetimeDays: Type.Optional(LifetimeDays),
  lastMessage: Type.Optional(ChatMessage),
  position: Type.Optional(
    Type.String({
      description:
        'Only without a message: the place in the list, as the id that a message written at the beginning would have.',
    }),
  ),
  lastSender: Type.Optional(Peer),
});

export type Conversation = Static<typeof Conversation>;

/** `data` of `GET /api/chat/conversations`: sorted by newest message, page by page. */
export const ConversationPage = Type.Object({
  conversations: Type.Array(Conversation),
  nextCursor: Type.Optional(Type.String({ description: 'Missing on the last page.' })),
});

export type ConversationPage = Static<typeof ConversationPage>;

/** Query of a page of a conversation: at most one of the three; without any, the newest page. */
export const ReadMessages = Type.Object({
  before: Type.Optional(MsgId),
  after: Type.Optional(MsgId),
  around: Type.Optional(MsgId),
});

export type ReadMessages = Static<typeof ReadMessages>;

/** A page of a conversation, newest first, with all accounts that wrote, are quoted or are mentioned in it. */
export const MessagePage = Type.Object({
  messages: Type.Array(ChatMessage),
  people: Type.Array(Peer),
  nextBefore: Type.Optional(
    Type.String({ description: '`before` of the next page; omitted if there are no older messages.' }),
  ),
  nextAfter: Type.Optional(
    Type.String({ description: '`after` of the next page; omitted if there are no newer messages.' }),
  ),
});

export type MessagePage = Static<typeof MessagePage>;

/** A group that the reader and somebody else have in common. */
const CommonGroup = Type.Pick(ShownGroup, ['groupId', 'name', 'photoUrl', 'photoSetBy']);

/** An account that the reader shares a conversation with, or a bot found by its username. */
export const Profile = Type.Object({
  ...Peer.properties,
  conversationId: Type.String({
    description: 'The private conversation with the reader, whether or not it has begun.',
  }),
  isBlocked: Type.Boolean(),
  description: Type.Optional(Type.String({ description: 'Bots only.' })),
  commands: Type.Optional(Type.Array(BotCommand, { description: 'Bots only.' })),
  isQuietInGroups: Type.Optional(
    Type.Boolean({
      description:
        'Bots only: whether it gets only commands, mentions and answers in groups, not every message.',
    }),
  ),
  commonGroups: Type.Array(CommonGroup),
  lastSeenAt: Type.Optional(
    Type.Integer({
      description: 'When the person last used the chat, accurate to the minute; omitted unless both show it.',
    }),
  ),
});

export type Profile = Static<typeof Profile>;

/** `data` of `GET /api/chat/remote-media`: whose media on other servers load automatically. */
export const RemoteMedia = Type.Object({
  load: Type.Enum(REMOTE_MEDIA),
  contactIds: Type.Array(UserId, {
    description:
      'Accounts that the reader has written to and not blocked; empty unless `load` is `contacts`.',
  }),
});

export type RemoteMedia = Static<typeof RemoteMedia>;

/** The commands that can be typed after `/` in a conversation, grouped by bot. */
export const ConversationCommands = Type.Array(Type.Object({ bot: Peer, commands: Type.Array(BotCommand) }));

export type ConversationCommands = Static<typeof ConversationCommands>;

/** Body of `POST /api/chat/messages`: a person writes to a bot or a person. */
export const WriteMessage = chatBodyWithContent({ to: UserId });
