// Made from contract/openapi.json by `npm run build:sdk`; a test compares them.

/** How far the bot has handled its events, and which it gives up. */
export interface AcknowledgeEvents {
  /** Every event up to this cursor was handled, or is in `failed`. */
  upTo?: string | null | undefined;
  /** Events that the bot gives up. They become dead letters. */
  failed?: Array<FailedEvent> | null | undefined;
}

/** The position is stored, and the dead letters are in the event log. */
export interface AcknowledgedEvents {
  acknowledged: true;
}

/** Users to add to a group. */
export interface AddGroupMembers {
  /** Id of a group or broadcast list. */
  groupId: string;
  memberIds: Array<string>;
}

/** All the users are members. */
export interface AddedGroupMembers {
  added: true;
}

/** The story that the element joined or began. */
export interface AddedToStory {
  storyId: string;
}

/** Exchanges an authorization code. */
export interface AuthorizationCodeGrant {
  grant_type: 'authorization_code';
  code: string;
  /** The `redirect_uri` of the authorization request. */
  redirect_uri: string;
  /** PKCE: required if the authorization request had a `code_challenge`. */
  code_verifier?: string;
  /** App ID. Omit it with HTTP Basic. */
  client_id?: string;
  /** Omit it with HTTP Basic. */
  client_secret?: string;
}

/** Authorization server metadata (RFC 8414). */
export interface AuthorizationServerMetadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  userinfo_endpoint: string;
  revocation_endpoint: string;
  scopes_supported: Array<OAuthScope>;
  response_types_supported: Array<string>;
  response_modes_supported: Array<string>;
  grant_types_supported: Array<string>;
  token_endpoint_auth_methods_supported: Array<string>;
  revocation_endpoint_auth_methods_supported: Array<string>;
  code_challenge_methods_supported: Array<string>;
  authorization_response_iss_parameter_supported: boolean;
}

/** Somebody blocked or unblocked the bot. */
export interface BotBlocked {
  /** The same in every attempt: handle each event once. */
  eventId: string;
  /** When it happened, in epoch milliseconds. */
  at: number;
  /** Whom it is about. */
  userId: string;
  /** Whether the bot is blocked now. */
  isBlocked: boolean;
}

/** Somebody blocked or unblocked the bot. */
export interface BotBlockedEvent {
  type: 'bot.blocked';
  data: BotBlocked;
}

/** A command that a bot offers. */
export interface BotCommand {
  command: string;
  description: string;
}

/** A message to post to a group; `type` defaults to `text`. */
export type Broadcast = GroupMessage | BroadcastText;

export interface BroadcastText {
  /** Id of a group or broadcast list. */
  groupId: string;
  /** Members whom the message mentions. */
  mentionedUserIds?: Array<string> | null | undefined;
  type?: 'text';
  /** The text of the message. */
  content: string;
  quickReplies?: QuickReplies;
  /** Quotes a message: the `msgId` of one in the same conversation. */
  replyToMsgId?: string | null | undefined;
}

/** The profile of a bot. Its name is that of the application. */
export interface ChangeBot {
  description?: string | null | undefined;
  commands?: Array<BotCommand> | null | undefined;
  /** An https URL, or the link to an upload; `null` removes the picture. */
  pictureUrl?: string | null | undefined;
  /** Whether its texts are shown as they are, without formatting (docs/guide/chat.md). */
  plainText?: boolean | null | undefined;
}

/** At least one detail to change. `description: ""` and `photoUrl: null` clear the field. */
export interface ChangeGroupDetails {
  /** Id of a group or broadcast list. */
  groupId: string;
  name?: string | null | undefined;
  description?: string | null | undefined;
  /** A public https URL. Clients load it; the service does not. */
  photoUrl?: string | null | undefined;
  /** `false`: only administrators may write. Default `true`. */
  sendMessages?: boolean | null | undefined;
  /** `true`: only administrators edit the group info. Default `true`. */
  editInfoOnlyAdmin?: boolean | null | undefined;
}

/** The member to promote or demote. */
export interface ChangeGroupRole {
  /** Id of a group or broadcast list. */
  groupId: string;
  /** Stable id of a user or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  memberId: string;
  /** `true` promotes to administrator, `false` demotes. */
  isAdmin: boolean;
}

/** The type of an event that an application may choose. */
export type ChosenEventType =
  | 'group.joined'
  | 'group.left'
  | 'member.joined'
  | 'member.left'
  | 'message.edited'
  | 'message.deleted'
  | 'reaction.changed'
  | 'poll.voted'
  | 'bot.blocked';

/** The poll to close; at most one of `groupId` and `receiverId`. */
export interface ClosePoll {
  /** The `msgId` of the poll. */
  messageId: string;
  /** Id of a group or broadcast list. */
  groupId?: string | null | undefined;
  /** Stable id of a user or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  receiverId?: string | null | undefined;
}

/** A new group or broadcast list; the caller is added automatically. */
export interface CreateGroup {
  name: string;
  description?: string | null | undefined;
  /** Users to add besides the caller. */
  members?: Array<string> | null | undefined;
  /** `true`: a broadcast list, in which only its creator writes. Default `false`. */
  isBroadcast?: boolean | null | undefined;
  /** A public https URL. Clients load it; the service does not. */
  photoUrl?: string | null | undefined;
  /** `false`: only administrators may write. Default `true`. */
  sendMessages?: boolean | null | undefined;
  /** `true`: only administrators edit the group info. Default `true`. */
  editInfoOnlyAdmin?: boolean | null | undefined;
}

/** A new poll, in exactly one of `groupId` and `receiverId`. */
export interface CreatePoll {
  /** Id of a group or broadcast list. */
  groupId?: string | null | undefined;
  /** Stable id of a user or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  receiverId?: string | null | undefined;
  question: string;
  /** The answers to choose from, all of them different. */
  options: Array<string>;
  /** `true`: voters may choose several options. Default `false`. */
  allowMultipleAnswers?: boolean | null | undefined;
  /** `true`: nobody learns who voted for what. Default `false`. */
  isAnonymous?: boolean | null | undefined;
}

/** The poll that was created, and the message that holds it. */
export interface CreatedPoll {
  /** Unique message id; reusable as `replyToMsgId`. */
  msgId: string;
  poll: Poll;
}

/** An event that was given up. */
export interface DeadLetter {
  eventId: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** When the last attempt failed, in epoch milliseconds. */
  failedAt: number;
  /** How often it was tried. */
  attempts: number;
  /** Why the last attempt failed. */
  message: string;
  event: ReceivedEvent;
}

/** A page of events that were given up, the oldest first. */
export interface DeadLetterPage {
  deadLetters: Array<DeadLetter>;
  /** Pass it as `after` to get what follows. */
  nextAfter?: string;
}

/** The group to delete. */
export interface DeleteGroup {
  /** Id of a group or broadcast list. */
  groupId: string;
}

/** The conversation of the message to delete. */
export interface DeleteMessage {
  /** The conversation: the `chatId` or `groupId` of its messages. */
  conversationId: string;
}

/** The story to delete. */
export interface DeleteStory {
  storyId: string;
}

/** The group was deleted. */
export interface DeletedGroup {
  deleted: true;
}

/** The message was deleted for everybody. */
export interface DeletedMessage {
  deleted: true;
}

/** The story was deleted. */
export interface DeletedStory {
  deleted: true;
}

/** The text so far of a message that the bot is writing. */
export interface Draft {
  /** The conversation: the `chatId` or `groupId` of its messages. */
  conversationId: string;
  /** The whole text so far; Markdown may still be open. */
  content: string;
  /** Unique message id; reusable as `replyToMsgId`. */
  replyToMsgId?: string | null | undefined;
  /** Whether this text becomes the message if neither another call nor the message follows within 30 seconds, as when the bot dies. It is then sent like any other, if the bot still may. */
  keepIfLost?: boolean | null | undefined;
}

/** The new text of a message: its `content`, or its `caption`. */
export interface EditMessage {
  /** The conversation: the `chatId` or `groupId` of its messages. */
  conversationId: string;
  /** The new text of a message of type `text`. */
  content?: string | null | undefined;
  /** The new caption of an image, a video or a document; empty for none. */
  caption?: string | null | undefined;
}

/** The kind of error, for programs. */
export type ErrorCode =
  | 'invalid-argument'
  | 'failed-precondition'
  | 'unauthenticated'
  | 'permission-denied'
  | 'not-found'
  | 'already-exists'
  | 'RATE_LIMIT_EXCEEDED'
  | 'resource-exhausted'
  | 'INTERNAL_ERROR';

/** A page of events, the oldest first. */
export interface EventPage {
  events: Array<FeedEvent>;
  /** Pass it as `after` to get what follows, also when nothing follows yet. */
  nextAfter: string;
  /** Whether more events are available now. */
  hasMore: boolean;
}

/** A poll as an event shows it, without votes. */
export interface EventPoll {
  id: string;
  question: string;
  options: Array<EventPollOption>;
  allowMultipleAnswers: boolean;
  isAnonymous: boolean;
}

export interface EventPollOption {
  id: string;
  text: string;
}

/** An event that the bot gives up. */
export interface FailedEvent {
  /** The event, by its cursor. */
  cursor: string;
  /** How often the bot tried. */
  attempts: number;
  /** Name of the error, such as `TypeError`. Not its message, which may quote what people wrote. */
  error?: string | null | undefined;
}

/** An event with its position in the feed. */
export interface FeedEvent {
  cursor: string;
  eventId: string;
  /** Epoch milliseconds. */
  createdAt: number;
  event: ReceivedEvent;
}

/** A group or broadcast list. */
export interface Group {
  /** Id of a group or broadcast list. */
  groupId: string;
}

/** The bot was added to a group or broadcast list. */
export interface GroupJoined {
  /** The same in every attempt: handle each event once. */
  eventId: string;
  /** When it happened, in epoch milliseconds. */
  at: number;
  /** Id of a group or broadcast list. */
  groupId: string;
  /** The name of the group. */
  name: string;
  /** Who did it. */
  by: string;
}

/** The bot was added to a group or broadcast list. */
export interface GroupJoinedEvent {
  type: 'group.joined';
  data: GroupJoined;
}

/** The bot was removed from a group, or the group was deleted. */
export interface GroupLeft {
  /** The same in every attempt: handle each event once. */
  eventId: string;
  /** When it happened, in epoch milliseconds. */
  at: number;
  /** Id of a group or broadcast list. */
  groupId: string;
  /** Who did it. */
  by: string;
}

/** The bot was removed from a group, or the group was deleted. */
export interface GroupLeftEvent {
  type: 'group.left';
  data: GroupLeft;
}

/** A member of a group. `name`, `username` and `picture` are for API keys only, and left out in broadcast lists of others. */
export interface GroupMember {
  /** Stable id of a user or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  userId: string;
  isBot: boolean;
  name?: string;
  username?: string;
  /** URL of the picture; left out if there is none. */
  picture?: string;
  isAdmin: boolean;
  /** Epoch milliseconds. */
  joinedAt: number;
}

/** A page of members, ordered by id. */
export interface GroupMembers {
  members: Array<GroupMember>;
  /** Missing on the last page. */
  nextCursor?: string;
}

/** A message to post to a group, one variant for each `type`. */
export type GroupMessage =
  | GroupMessageText
  | GroupMessageImage
  | GroupMessageVideo
  | GroupMessageAudio
  | GroupMessageDoc
  | GroupMessageGif
  | GroupMessageSticker
  | GroupMessageLocation;

export interface GroupMessageAudio extends GroupMessageBase {
  type: 'audio';
  /** A public https URL. Clients load it; the service does not. */
  fileUrl: string;
}

export interface GroupMessageDoc extends GroupMessageBase {
  type: 'doc';
  /** A public https URL. Clients load it; the service does not. */
  fileUrl: string;
  /** Caption of the file. */
  caption?: string | null | undefined;
}

export interface GroupMessageGif extends GroupMessageBase {
  type: 'gif';
  /** A public https URL. Clients load it; the service does not. */
  fileUrl: string;
}

export interface GroupMessageImage extends GroupMessageBase {
  type: 'image';
  /** A public https URL. Clients load it; the service does not. */
  fileUrl: string;
  /** Caption of the file. */
  caption?: string | null | undefined;
}

export interface GroupMessageLocation extends GroupMessageBase {
  type: 'location';
  location: Location;
}

/** Somebody wrote in a group that the bot is a member of. */
export interface GroupMessageReceivedEvent {
  type: 'group_message.received';
  data: ReceivedGroupMessage;
}

export interface GroupMessageSticker extends GroupMessageBase {
  type: 'sticker';
  /** A public https URL. Clients load it; the service does not. */
  fileUrl: string;
}

export interface GroupMessageText extends GroupMessageBase {
  type: 'text';
  /** The text of the message. */
  content: string;
}

export interface GroupMessageVideo extends GroupMessageBase {
  type: 'video';
  /** A public https URL. Clients load it; the service does not. */
  fileUrl: string;
  /** A public https URL. Clients load it; the service does not. */
  thumbnailUrl: string;
  /** Caption of the file. */
  caption?: string | null | undefined;
}

/** A geographic location, in degrees. */
export interface Location {
  latitude: number;
  longitude: number;
  name?: string | null | undefined;
  address?: string | null | undefined;
}

/** One request to the API: no body, no token, no address. */
export interface LoggedRequest {
  /** The `X-Request-Id` of the answer. */
  requestId: string;
  /** When it was answered, in epoch milliseconds. */
  at: number;
  caller: 'bot' | 'user' | 'client';
  method: string;
  /** The pattern of the path, such as `/v1/messages`. */
  route: string;
  status: number;
  durationMs: number;
  /** Of an error. */
  code?: string;
  /** Of an error. */
  message?: string;
  /** Fields of the body that the endpoint does not know and ignored, without values; 5 at most. */
  unknownFields?: Array<string>;
}

/** The account that a credential acts as. */
export interface Me {
  /** Stable id of a user or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  userId: string;
  /** For users, only with the scope `profile`. */
  name?: string;
  isBot: boolean;
  /** Bots only. */
  username?: string;
  /** The application that the credential belongs to. */
  appId: string;
  scopes: Array<Scope>;
}

/** Others were added to a group of the bot, or joined by a link: see `by`. */
export interface MemberJoined {
  /** The same in every attempt: handle each event once. */
  eventId: string;
  /** When it happened, in epoch milliseconds. */
  at: number;
  /** Id of a group or broadcast list. */
  groupId: string;
  /** Whom it is about. */
  userIds: Array<string>;
  /** Who did it. */
  by: string;
}

/** Others were added to a group of the bot, or joined by a link: see `by`. */
export interface MemberJoinedEvent {
  type: 'member.joined';
  data: MemberJoined;
}

/** Somebody left a group of the bot, or was removed: see `by`. */
export interface MemberLeft {
  /** The same in every attempt: handle each event once. */
  eventId: string;
  /** When it happened, in epoch milliseconds. */
  at: number;
  /** Id of a group or broadcast list. */
  groupId: string;
  /** Whom it is about. */
  userIds: Array<string>;
  /** Who did it. */
  by: string;
}

/** Somebody left a group of the bot, or was removed: see `by`. */
export interface MemberLeftEvent {
  type: 'member.left';
  data: MemberLeft;
}

/** A private message to send, one variant for each `type`. */
export type Message =
  | MessageText
  | MessageImage
  | MessageVideo
  | MessageAudio
  | MessageDoc
  | MessageGif
  | MessageSticker
  | MessageLocation;

export interface MessageAudio extends MessageBase {
  type: 'audio';
  /** A public https URL. Clients load it; the service does not. */
  fileUrl: string;
}

/** A message was deleted for everybody. */
export interface MessageDeleted {
  /** The same in every attempt: handle each event once. */
  eventId: string;
  /** When it happened, in epoch milliseconds. */
  at: number;
  /** Unique message id; reusable as `replyToMsgId`. */
  msgId: string;
  /** Private messages only: the userId of the person. */
  chatId?: string;
  /** Group messages only. */
  groupId?: string;
  /** The author of the message. */
  from: string;
}

/** A message was deleted for everybody. */
export interface MessageDeletedEvent {
  type: 'message.deleted';
  data: MessageDeleted;
}

export interface MessageDoc extends MessageBase {
  type: 'doc';
  /** A public https URL. Clients load it; the service does not. */
  fileUrl: string;
  /** Caption of the file. */
  caption?: string | null | undefined;
}

/** Somebody edited a message of theirs. */
export interface MessageEdited {
  /** The same in every attempt: handle each event once. */
  eventId: string;
  /** When it happened, in epoch milliseconds. */
  at: number;
  /** Unique message id; reusable as `replyToMsgId`. */
  msgId: string;
  /** Private messages only: the userId of the person. */
  chatId?: string;
  /** Group messages only. */
  groupId?: string;
  /** Who did it. */
  by: string;
}

/** Somebody edited a message of theirs. */
export interface MessageEditedEvent {
  type: 'message.edited';
  data: MessageEdited;
}

export interface MessageGif extends MessageBase {
  type: 'gif';
  /** A public https URL. Clients load it; the service does not. */
  fileUrl: string;
}

export interface MessageImage extends MessageBase {
  type: 'image';
  /** A public https URL. Clients load it; the service does not. */
  fileUrl: string;
  /** Caption of the file. */
  caption?: string | null | undefined;
}

export interface MessageLocation extends MessageBase {
  type: 'location';
  location: Location;
}

/** All reactions to the message, by emoji, in the order of their first use. */
export interface MessageReactions {
  reactions: Array<Reaction>;
}

/** Somebody wrote to the bot in private. */
export interface MessageReceivedEvent {
  type: 'message.received';
  data: ReceivedMessage;
}

export interface MessageSticker extends MessageBase {
  type: 'sticker';
  /** A public https URL. Clients load it; the service does not. */
  fileUrl: string;
}

export interface MessageText extends MessageBase {
  type: 'text';
  /** The text of the message. */
  content: string;
}

/** The type of a message. */
export type MessageType =
  | 'text'
  | 'image'
  | 'video'
  | 'audio'
  | 'doc'
  | 'gif'
  | 'sticker'
  | 'location'
  | 'poll';

export interface MessageVideo extends MessageBase {
  type: 'video';
  /** A public https URL. Clients load it; the service does not. */
  fileUrl: string;
  /** A public https URL. Clients load it; the service does not. */
  thumbnailUrl: string;
  /** Caption of the file. */
  caption?: string | null | undefined;
}

/** The error code of RFC 6749, section 5.2. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable'
  | 'server_error';

/** Scopes that a user can grant to an application. */
export type OAuthScope = 'profile' | 'stories:read' | 'stories:write' | 'polls:write' | 'groups:manage';

/** A bot as its owner sees it. */
export interface OwnBot {
  /** Stable id of a user or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  userId: string;
  name: string;
  username: string;
  description: string;
  commands: Array<BotCommand>;
  /** Left out if there is none. */
  pictureUrl?: string;
  plainText: boolean;
}

/** A group or broadcast list that the bot is in. */
export interface OwnGroup {
  /** Id of a group or broadcast list. */
  groupId: string;
  name: string;
  description: string;
  photoUrl?: string;
  isBroadcast: boolean;
  /** `false`: only administrators may write. */
  sendMessages: boolean;
  /** `true`: only administrators edit the group info. */
  editInfoOnlyAdmin: boolean;
  /** Stable id of a user or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  creatorId: string;
  memberCount: number;
  /** Whether the bot is an administrator. */
  isAdmin: boolean;
  /** When the bot joined, in epoch milliseconds. */
  joinedAt: number;
}

/** A page of the groups that the bot is in, ordered by id. */
export interface OwnGroups {
  groups: Array<OwnGroup>;
  /** Missing on the last page. */
  nextCursor?: string;
}

export interface Ping {
  /** The application that the webhook belongs to. */
  appId: string;
  /** Epoch milliseconds. */
  sentAt: number;
  /** A text to show. */
  message: string;
}

/** A test of the webhook, sent from the console. */
export interface PingEvent {
  type: 'ping';
  data: Ping;
}

/** A poll as the caller sees it. */
export interface Poll {
  id: string;
  /** Unique message id; reusable as `replyToMsgId`. */
  msgId: string;
  question: string;
  options: Array<PollOption>;
  allowMultipleAnswers: boolean;
  isAnonymous: boolean;
  closed: boolean;
  /** Stable id of a user or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  creatorId: string;
  /** Sum over all options. */
  totalVotes: number;
  /** How many users voted for at least one option. */
  totalVoters: number;
  /** Epoch milliseconds. */
  createdAt: number;
  /** Epoch milliseconds; missing while the poll is open. */
  closedAt?: number;
  /** The options that the caller voted for. Empty once an anonymous poll is closed: its votes are forgotten. */
  myOptionIds: Array<string>;
}

/** An option of a poll, with its votes. */
export interface PollOption {
  id: string;
  text: string;
  votes: number;
  /** Missing in an anonymous poll. Of a poll in a broadcast list, all of them for its creator; for its readers, at most themselves. */
  voters?: Array<string>;
}

/** Somebody voted or took a vote back. */
export interface PollVoted {
  /** The same in every attempt: handle each event once. */
  eventId: string;
  /** When it happened, in epoch milliseconds. */
  at: number;
  /** Unique message id; reusable as `replyToMsgId`. */
  msgId: string;
  /** Private messages only: the userId of the person. */
  chatId?: string;
  /** Group messages only. */
  groupId?: string;
  /** Who did it; left out in anonymous polls. */
  by?: string;
  /** All choices of this person; left out in anonymous polls. `GET /v1/polls/:msgId` has the results. */
  optionIds?: Array<string>;
}

/** Somebody voted or took a vote back. */
export interface PollVotedEvent {
  type: 'poll.voted';
  data: PollVoted;
}

/** A person or bot, as others see it. */
export interface Profile {
  /** Stable id of a user or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  userId: string;
  isBot: boolean;
  name: string;
  username?: string;
  /** URL of the picture; left out if there is none. */
  picture?: string;
}

/** An extension: buttons below the message. Pressing one writes an ordinary text message of that person, which quotes this one. */
export type QuickReplies =
  | {
      buttons: Array<QuickReply>;
      /** `true`: the buttons are gone once somebody has pressed one. Default `false`. */
      once?: boolean | null | undefined;
      /** `true`: in a group, only people whom the message mentions may press them. Default `false`. */
      mentionedOnly?: boolean | null | undefined;
    }
  | null
  | undefined;

export interface QuickReply {
  /** The text of the button, and of the answer that it writes. */
  label: string;
  /** For the bot alone: the `quickReplyValue` of the answer, instead of the label. Not with `url`. */
  value?: string | null | undefined;
  /** A public https URL. Clients load it; the service does not. */
  url?: string | null | undefined;
}

/** The reactions of the bot to a message. */
export interface ReactToMessage {
  /** The conversation: the `chatId` or `groupId` of its messages. */
  conversationId: string;
  /** All that there are to be then, each a single emoji; an empty list takes them back. */
  emoji: Array<string>;
}

/** An emoji, and who reacted with it. */
export interface Reaction {
  emoji: string;
  userIds: Array<string>;
}

/** A person, or another bot, changed their reactions to a message. */
export interface ReactionChanged {
  /** The same in every attempt: handle each event once. */
  eventId: string;
  /** When it happened, in epoch milliseconds. */
  at: number;
  /** Unique message id; reusable as `replyToMsgId`. */
  msgId: string;
  /** Private messages only: the userId of the person. */
  chatId?: string;
  /** Group messages only. */
  groupId?: string;
  /** Who did it. */
  by: string;
  /** All reactions of theirs to this message; empty if none is left. */
  emoji: Array<string>;
}

/** A person, or another bot, changed their reactions to a message. */
export interface ReactionChangedEvent {
  type: 'reaction.changed';
  data: ReactionChanged;
}

/** The body that a webhook gets. */
export type ReceivedEvent =
  | MessageReceivedEvent
  | GroupMessageReceivedEvent
  | PingEvent
  | GroupJoinedEvent
  | GroupLeftEvent
  | MemberJoinedEvent
  | MemberLeftEvent
  | MessageEditedEvent
  | MessageDeletedEvent
  | ReactionChangedEvent
  | PollVotedEvent
  | BotBlockedEvent;

interface ReceivedGroupMessageFields {
  /** Unique message id; reusable as `replyToMsgId`. */
  msgId: string;
  type: MessageType;
  /** The text in clear; empty for every type but `text`. */
  textMsg: string;
  fileUrl?: string;
  caption?: string;
  /** The same URL as `fileUrl`, for type `gif`. */
  gifUrl?: string;
  videoThumbnail?: string;
  location?: Location;
  poll?: EventPoll;
  /** The message that this one quotes. */
  replyToMsgId?: string;
  /** The sender. */
  from: string;
  /** Epoch milliseconds. */
  sentAt: number;
  /** Only on simulated events. */
  sandbox?: true;
  /** Id of a group or broadcast list. */
  groupId: string;
  mentionedUserIds: Array<string>;
  /** Whether the bot is mentioned. */
  isMentioned: boolean;
}

/** A message in a group of the bot. Fields that it does not have are left out. */
export type ReceivedGroupMessage = ByType<ReceivedGroupMessageFields>;

interface ReceivedMessageFields {
  /** Unique message id; reusable as `replyToMsgId`. */
  msgId: string;
  type: MessageType;
  /** The text in clear; empty for every type but `text`. */
  textMsg: string;
  fileUrl?: string;
  caption?: string;
  /** The same URL as `fileUrl`, for type `gif`. */
  gifUrl?: string;
  videoThumbnail?: string;
  location?: Location;
  poll?: EventPoll;
  /** The message that this one quotes. */
  replyToMsgId?: string;
  /** The sender. */
  from: string;
  /** Epoch milliseconds. */
  sentAt: number;
  /** Only on simulated events. */
  sandbox?: true;
  /** The userId of the person: send replies to it. */
  chatId: string;
}

/** A private message to the bot. Fields that it does not have are left out. */
export type ReceivedMessage = ByType<ReceivedMessageFields>;

/** Exchanges a refresh token for a new pair. */
export interface RefreshTokenGrant {
  grant_type: 'refresh_token';
  refresh_token: string;
  /** A subset of the granted scopes, for the new access token. */
  scope?: string;
  /** App ID. Omit it with HTTP Basic. */
  client_id?: string;
  /** Omit it with HTTP Basic. */
  client_secret?: string;
}

/** The member to remove; a caller that gives its own id leaves the group. */
export interface RemoveGroupMember {
  /** Id of a group or broadcast list. */
  groupId: string;
  /** Stable id of a user or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  memberId: string;
}

/** The member was removed. */
export interface RemovedGroupMember {
  removed: true;
}

/** Events to send again. */
export interface ReplayEvents {
  /** Which events, by `eventId`. */
  eventIds: Array<string>;
}

/** How many events are sent again. */
export interface ReplayedEvents {
  /** How many events are sent again. */
  replayed: number;
}

/** A page of the API log, the newest request first. */
export interface RequestPage {
  requests: Array<LoggedRequest>;
  /** Missing on the last page. */
  nextBefore?: string;
}

/** The token to revoke. */
export interface RevokeToken {
  /** An access or refresh token. */
  token: string;
  /** Accepted and ignored. */
  token_type_hint?: string;
  /** App ID. Omit it with HTTP Basic. */
  client_id?: string;
  /** Omit it with HTTP Basic. */
  client_secret?: string;
}

/** The token is not valid any more, if it ever was. */
export interface RevokedToken {
  revoked: true;
}

/** A permission of a credential. */
export type Scope =
  | 'messages:send'
  | 'groups:manage'
  | 'polls:write'
  | 'stories:read'
  | 'stories:write'
  | 'profile'
  | 'bot:manage';

/** The message that was sent. */
export interface SentMessage {
  /** Unique message id; reusable as `replyToMsgId`. */
  msgId: string;
}

/** Open pages were told, if the bot may write there. */
export interface SentTyping {
  sent: true;
}

/** Where an application gets its events, and which. */
export interface SetWebhook {
  /** A public https URL; `null` removes it. */
  webhookUrl?: string | null | undefined;
  /** The events that the application gets beyond messages. */
  events?: Array<ChosenEventType> | null | undefined;
}

/** Open pages show it. */
export interface ShownDraft {
  shown: true;
}

/** An event to simulate. */
export interface SimulateEvent {
  /** Which event to simulate. */
  event: 'message.received' | 'group_message.received';
  /** The type of the simulated message. */
  type: 'text' | 'image' | 'video' | 'audio' | 'doc' | 'gif' | 'sticker' | 'location' | 'poll';
  /** Whether the bot is mentioned; for `group_message.received` only. */
  isMentioned?: boolean | null | undefined;
  /** The text of the message; for type `text` only. */
  text?: string | null | undefined;
}

/** The event that was simulated. */
export interface SimulatedEvent {
  /** Id of the event in the event log. */
  eventId: string;
  /** Unique message id; reusable as `replyToMsgId`. */
  msgId: string;
}

interface StoredMessageFields {
  /** Unique message id; reusable as `replyToMsgId`. */
  msgId: string;
  type: MessageType;
  /** The text in clear; empty for every type but `text`. */
  textMsg: string;
  fileUrl?: string;
  caption?: string;
  /** The same URL as `fileUrl`, for type `gif`. */
  gifUrl?: string;
  videoThumbnail?: string;
  location?: Location;
  poll?: EventPoll;
  /** The message that this one quotes. */
  replyToMsgId?: string;
  /** The sender. */
  from: string;
  /** Epoch milliseconds. */
  sentAt: number;
  /** Private messages only: the userId of the person. */
  chatId?: string;
  /** Group messages only. */
  groupId?: string;
  /** Group messages only. */
  mentionedUserIds?: Array<string>;
  /** Group messages only: whether the bot is mentioned. */
  isMentioned?: boolean;
  /** When its text was last edited, in epoch milliseconds. */
  editedAt?: number;
  /** Only of an answer that a button of `quickReplies` wrote: the `value` of the button, or its label if it has none. */
  quickReplyValue?: string;
  /** By emoji, in the order of their first use; left out if there are none. */
  reactions?: Array<Reaction>;
}

/** A message of a conversation of the bot, with the fields that events have. */
export type StoredMessage = ByType<StoredMessageFields>;

/** A page of a conversation of the bot, newest first. */
export interface StoredMessages {
  messages: Array<StoredMessage>;
  /** Missing on the last page. */
  nextBefore?: string;
}

/** The user’s stories. */
export type Stories = Array<Story>;

/** A story with its elements, the oldest first. */
export interface Story {
  storyId: string;
  texts: Array<StoryText>;
  images: Array<StoryImage>;
  videos: Array<StoryVideo>;
}

/** An element to publish, one variant for each `type`. */
export type StoryElement = StoryElementText | StoryElementImage | StoryElementVideo;

export interface StoryElementImage {
  type: 'image';
  /** A public https URL. Clients load it; the service does not. */
  imageUrl: string;
}

export interface StoryElementText {
  type: 'text';
  text: string;
}

export interface StoryElementVideo {
  type: 'video';
  /** A public https URL. Clients load it; the service does not. */
  videoUrl: string;
  /** A public https URL. Clients load it; the service does not. */
  thumbnailUrl?: string | null | undefined;
}

export interface StoryImage {
  id: string;
  /** Epoch milliseconds. */
  createdAt: number;
  imageUrl: string;
}

export interface StoryText {
  id: string;
  /** Epoch milliseconds. */
  createdAt: number;
  text: string;
}

export interface StoryVideo {
  id: string;
  /** Epoch milliseconds. */
  createdAt: number;
  videoUrl: string;
  thumbnailUrl?: string;
}

/** A pair of tokens. */
export interface TokenReply {
  /** Begins with `xat_`. */
  access_token: string;
  /** Begins with `xrt_`. Single use: store the latest. */
  refresh_token: string;
  token_type: 'Bearer';
  /** Seconds until the access token expires. */
  expires_in: number;
  /** Granted scopes, separated by spaces. */
  scope: string;
}

/** A request for tokens, one variant for each `grant_type`. */
export type TokenRequest = AuthorizationCodeGrant | RefreshTokenGrant;

/** The conversation in which the bot is about to write. */
export interface Typing {
  /** The conversation: the `chatId` or `groupId` of its messages. */
  conversationId: string;
}

/** The group was changed. */
export interface UpdatedGroup {
  updated: true;
}

/** The poll as it is now. */
export interface UpdatedPoll {
  poll: Poll;
}

/** A file that was uploaded. */
export interface UploadedFile {
  /** The type of message that the file can be sent as; an image also as `gif` or `sticker`. */
  type: 'image' | 'video' | 'audio' | 'doc';
  /** For messages, groups, stories and the picture of a bot. Anybody who has the link can read the file. */
  fileUrl: string;
  /** Detected from the content; `application/octet-stream` can only be downloaded. */
  contentType: string;
  /** Without characters that are unsafe in a file name. */
  fileName: string;
  /** In bytes. */
  size: number;
}

/** The user who consented. */
export interface UserInfo {
  /** The user’s id. */
  sub: string;
  name: string;
  /** URL of the user’s picture; a user without a photo has one, too. */
  picture: string;
}

/** A vote; at most one of `groupId` and `receiverId`. */
export interface VotePoll {
  /** The `msgId` of the poll. */
  messageId: string;
  /** Id of a group or broadcast list. */
  groupId?: string | null | undefined;
  /** Stable id of a user or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  receiverId?: string | null | undefined;
  optionId: string;
}

/** Where an application gets its events, and whether they arrive. */
export interface Webhook {
  /** Left out if there is none. */
  webhookUrl?: string;
  /** The events that the application gets beyond messages. */
  events: Array<ChosenEventType>;
  /** Since when the receiver has been failing, in epoch milliseconds. */
  failingSince?: number;
  lastAttempt?: WebhookAttempt;
}

/** The latest attempt to send the newest event, with what went wrong if it failed. */
export interface WebhookAttempt {
  /** Counted from 1; a replay starts again at 1. */
  attempt: number;
  /** When it began, in epoch milliseconds. */
  at: number;
  /** The host, with its port, of the webhook URL that was called. */
  host?: string;
  /** HTTP status of the answer, if one arrived. */
  status?: number;
  /** The kind of failure, such as `timeout` or `tls_expired`. */
  errorClass?: string;
  /** The phase in which the attempt failed. */
  phase?: string;
  /** The failure, and what to do about it. */
  message?: string;
}

/** The fields that messages of a type always have. */
interface Always {
  text: 'textMsg';
  image: 'fileUrl';
  video: 'fileUrl' | 'videoThumbnail';
  audio: 'fileUrl';
  doc: 'fileUrl';
  gif: 'fileUrl' | 'gifUrl';
  sticker: 'fileUrl';
  location: 'location';
  poll: 'poll';
}

/** One variant for each type of message. */
type ByType<M extends Partial<Record<Always[MessageType], unknown>>> = {
  [T in MessageType]: M & { type: T } & Required<Pick<M, Always[T]>>;
}[MessageType];

/** The fields that every variant of {@link GroupMessage} has. */
export interface GroupMessageBase {
  /** Id of a group or broadcast list. */
  groupId: string;
  /** Members whom the message mentions. */
  mentionedUserIds?: Array<string> | null | undefined;
  quickReplies?: QuickReplies;
  /** Quotes a message: the `msgId` of one in the same conversation. */
  replyToMsgId?: string | null | undefined;
}

/** The fields that every variant of {@link Message} has. */
export interface MessageBase {
  /** The recipient: `chatId` of a message that the bot received. */
  to: string;
  quickReplies?: QuickReplies;
  /** Quotes a message: the `msgId` of one in the same conversation. */
  replyToMsgId?: string | null | undefined;
}

/** The input and data of each operation; those that create something take an idempotency key. */
export interface Operations {
  'POST /v1/messages': { input: Message; creates: true; data: SentMessage };
  'POST /v1/messages/typing': { input: Typing; data: SentTyping };
  'PUT /v1/messages/draft': { input: Draft; data: ShownDraft };
  'GET /v1/messages/{msgId}': {
    input: {
      conversationId: string;
      msgId: string;
    };
    data: StoredMessage;
  };
  'PATCH /v1/messages/{msgId}': {
    input: {
      msgId: string;
    } & EditMessage;
    data: StoredMessage;
  };
  'DELETE /v1/messages/{msgId}': {
    input: {
      msgId: string;
    } & DeleteMessage;
    data: DeletedMessage;
  };
  'GET /v1/conversations/{conversationId}/messages': {
    input: {
      before?: string;
      conversationId: string;
    };
    data: StoredMessages;
  };
  'PUT /v1/messages/{msgId}/reactions': {
    input: {
      msgId: string;
    } & ReactToMessage;
    data: MessageReactions;
  };
  'POST /v1/messages/group': { input: GroupMessage; creates: true; data: SentMessage };
  'POST /v1/uploads': {
    input: {
      type?: 'image' | 'video' | 'audio' | 'doc';
    };
    data: UploadedFile;
  };
  'POST /v1/groups': { input: CreateGroup; creates: true; data: Group };
  'GET /v1/groups': {
    input: {
      cursor?: string;
    };
    data: OwnGroups;
  };
  'DELETE /v1/groups/delete': { input: DeleteGroup; data: DeletedGroup };
  'POST /v1/groups/members': { input: AddGroupMembers; data: AddedGroupMembers };
  'GET /v1/groups/members': {
    input: {
      groupId: string;
      cursor?: string;
    };
    data: GroupMembers;
  };
  'POST /v1/groups/members/remove': { input: RemoveGroupMember; data: RemovedGroupMember };
  'PATCH /v1/groups/members/role': { input: ChangeGroupRole; data: UpdatedGroup };
  'PATCH /v1/groups/details': { input: ChangeGroupDetails; data: UpdatedGroup };
  'POST /v1/groups/broadcast': { input: Broadcast; creates: true; data: SentMessage };
  'POST /v1/stories': { input: StoryElement; creates: true; data: AddedToStory };
  'GET /v1/stories/mine': { input: undefined; data: Stories };
  'DELETE /v1/stories/delete': { input: DeleteStory; data: DeletedStory };
  'POST /v1/polls': { input: CreatePoll; creates: true; data: CreatedPoll };
  'GET /v1/polls/{msgId}': {
    input: {
      msgId: string;
    };
    data: UpdatedPoll;
  };
  'POST /v1/polls/vote': { input: VotePoll; data: UpdatedPoll };
  'POST /v1/polls/close': { input: ClosePoll; data: UpdatedPoll };
  'GET /oauth/userinfo': { input: undefined; data: UserInfo };
  'POST /v1/events/simulate': { input: SimulateEvent; data: SimulatedEvent };
  'GET /v1/events': {
    input: {
      after?: string;
      limit?: number;
    };
    data: EventPage;
  };
  'POST /v1/events/acknowledge': { input: AcknowledgeEvents; data: AcknowledgedEvents };
  'GET /v1/events/dead-letters': {
    input: {
      after?: string;
      limit?: number;
    };
    data: DeadLetterPage;
  };
  'POST /v1/events/replay': { input: ReplayEvents; data: ReplayedEvents };
  'GET /v1/requests': {
    input: {
      before?: string;
    };
    data: RequestPage;
  };
  'GET /v1/me': { input: undefined; data: Me };
  'PATCH /v1/me': { input: ChangeBot; data: OwnBot };
  'GET /v1/people/{userId}': {
    input: {
      userId: string;
    };
    data: Profile;
  };
  'GET /v1/webhook': { input: undefined; data: Webhook };
  'PUT /v1/webhook': { input: SetWebhook; data: Webhook };
}
