// Made from contract/ by `npm run build:sdk`; a test compares them.

/** Every error code of the service (contract §7). */
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

/** What a person may grant to an application (contract §5.3). */
export type OAuthScope = 'profile' | 'stories:read' | 'stories:write' | 'polls:write' | 'groups:manage';

/** A place on earth, in degrees (contract §2). */
export interface Location {
  latitude: number;
  longitude: number;
  name?: string | null | undefined;
  address?: string | null | undefined;
}

/** What a message says, one variant for each of the 8 types (contract §2). */
export type MessageContent =
  | {
      type: 'text';
      content: string;
      /** Unique message id; reusable as `replyToMsgId`. */
      replyToMsgId?: string | null | undefined;
    }
  | {
      type: 'image';
      fileUrl: string;
      caption?: string | null | undefined;
      /** Unique message id; reusable as `replyToMsgId`. */
      replyToMsgId?: string | null | undefined;
    }
  | {
      type: 'video';
      fileUrl: string;
      thumbnailUrl: string;
      caption?: string | null | undefined;
      /** Unique message id; reusable as `replyToMsgId`. */
      replyToMsgId?: string | null | undefined;
    }
  | {
      type: 'audio';
      fileUrl: string;
      /** Unique message id; reusable as `replyToMsgId`. */
      replyToMsgId?: string | null | undefined;
    }
  | {
      type: 'doc';
      fileUrl: string;
      caption?: string | null | undefined;
      /** Unique message id; reusable as `replyToMsgId`. */
      replyToMsgId?: string | null | undefined;
    }
  | {
      type: 'gif';
      fileUrl: string;
      /** Unique message id; reusable as `replyToMsgId`. */
      replyToMsgId?: string | null | undefined;
    }
  | {
      type: 'sticker';
      fileUrl: string;
      /** Unique message id; reusable as `replyToMsgId`. */
      replyToMsgId?: string | null | undefined;
    }
  | {
      type: 'location';
      location: Location;
      /** Unique message id; reusable as `replyToMsgId`. */
      replyToMsgId?: string | null | undefined;
    };

/** The message that was created. */
export interface SentMessage {
  /** Unique message id; reusable as `replyToMsgId`. */
  msgId: string;
}

/** Who a credential acts as. */
export interface Me {
  /** Stable id of a person or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  userId: string;
  /** Of a person only with the scope `profile`. */
  name?: string;
  isBot: boolean;
  username?: string;
  appId: string;
  scopes: Array<
    'messages:send' | 'groups:manage' | 'polls:write' | 'stories:read' | 'stories:write' | 'profile'
  >;
}

/** A new group or broadcast list; the creator is added automatically. */
export interface CreateGroup {
  name: string;
  description?: string | null | undefined;
  members?: Array<string> | null | undefined;
  /** True: a list in which only its creator writes. */
  isBroadcast?: boolean | null | undefined;
  photoUrl?: string | null | undefined;
  /** False: only administrators may write. Default true. */
  sendMessages?: boolean | null | undefined;
  /** True: only administrators edit the information. Default true. */
  editInfoOnlyAdmin?: boolean | null | undefined;
}

/** The group that was created. */
export interface CreatedGroup {
  groupId: string;
}

/** Whom to add to a group: 1 to 100. */
export interface AddMembers {
  groupId: string;
  memberIds: Array<string>;
}

/** Whom to remove from a group; with the own id, the caller leaves. */
export interface RemoveMember {
  groupId: string;
  /** Stable id of a person or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  memberId: string;
}

/** Whom to promote or demote. */
export interface ChangeRole {
  groupId: string;
  /** Stable id of a person or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  memberId: string;
  isAdmin: boolean;
}

/** What to change of a group. `description: ""` and `photoUrl: null` clear the field. */
export interface ChangeDetails {
  groupId: string;
  name?: string | null | undefined;
  description?: string | null | undefined;
  photoUrl?: string | null | undefined;
  /** False: only administrators may write. Default true. */
  sendMessages?: boolean | null | undefined;
  /** True: only administrators edit the information. Default true. */
  editInfoOnlyAdmin?: boolean | null | undefined;
}

/** Which page of which group. */
export interface ListMembers {
  groupId: string;
  /** `nextCursor` of the page before. */
  cursor?: string;
}

/** A member of a group. */
export interface GroupMember {
  /** Stable id of a person or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  userId: string;
  isBot: boolean;
  isAdmin: boolean;
  /** Epoch milliseconds. */
  joinedAt: number;
}

/** A page of members, in the order of their ids. */
export interface GroupMembers {
  members: Array<GroupMember>;
  /** Missing on the last page. */
  nextCursor?: string;
}

/** A new poll, in exactly one of `groupId` and `receiverId`. */
export interface CreatePoll {
  groupId?: string | null | undefined;
  /** Stable id of a person or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  receiverId?: string | null | undefined;
  question: string;
  options: Array<string>;
  allowMultipleAnswers?: boolean | null | undefined;
  isAnonymous?: boolean | null | undefined;
}

/** A vote; at most one of `groupId` and `receiverId`. */
export interface VotePoll {
  /** Unique message id; reusable as `replyToMsgId`. */
  messageId: string;
  groupId?: string | null | undefined;
  /** Stable id of a person or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  receiverId?: string | null | undefined;
  optionId: string;
}

/** Which poll to close; at most one of `groupId` and `receiverId`. */
export interface ClosePoll {
  /** Unique message id; reusable as `replyToMsgId`. */
  messageId: string;
  groupId?: string | null | undefined;
  /** Stable id of a person or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  receiverId?: string | null | undefined;
}

/** A poll as the caller sees it. Times are epoch milliseconds. */
export interface Poll {
  id: string;
  /** Unique message id; reusable as `replyToMsgId`. */
  msgId: string;
  question: string;
  options: Array<{
    id: string;
    text: string;
    votes: number;
    voters?: Array<string>;
  }>;
  allowMultipleAnswers: boolean;
  isAnonymous: boolean;
  closed: boolean;
  /** Stable id of a person or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  creatorId: string;
  /** Over all options. */
  totalVotes: number;
  /** Who voted for at least one option. */
  totalVoters: number;
  createdAt: number;
  closedAt?: number;
  /** What the caller voted for. Empty once an anonymous poll is closed and its votes were forgotten. */
  myOptionIds: Array<string>;
}

/** The poll that was created. */
export interface CreatedPoll {
  /** Unique message id; reusable as `replyToMsgId`. */
  msgId: string;
  poll: Poll;
}

/** The poll after the call. */
export interface PollReply {
  poll: Poll;
}

/** An element to publish, one variant for each type (contract §4). */
export type StoryElement =
  | {
      type: 'text';
      text: string;
    }
  | {
      type: 'image';
      imageUrl: string;
    }
  | {
      type: 'video';
      videoUrl: string;
      thumbnailUrl?: string | null | undefined;
    };

/** The story that the element joined or began. */
export interface AddedToStory {
  storyId: string;
}

/** A story with its elements in the order of their creation. */
export interface Story {
  storyId: string;
  texts: Array<{
    id: string;
    /** Epoch milliseconds. */
    createdAt: number;
    text: string;
  }>;
  images: Array<{
    id: string;
    /** Epoch milliseconds. */
    createdAt: number;
    imageUrl: string;
  }>;
  videos: Array<{
    id: string;
    /** Epoch milliseconds. */
    createdAt: number;
    videoUrl: string;
    thumbnailUrl?: string;
  }>;
}

/** A poll as an event tells of it, without votes. */
export interface EventPoll {
  id: string;
  question: string;
  options: Array<{
    id: string;
    text: string;
  }>;
  allowMultipleAnswers: boolean;
  isAnonymous: boolean;
}

/** `data` of `message.received`: somebody wrote to the bot (contract §6). */
export interface MessageData {
  /** Unique message id; reusable as `replyToMsgId`. */
  msgId: string;
  type: 'text' | 'image' | 'video' | 'audio' | 'doc' | 'gif' | 'sticker' | 'location' | 'poll';
  /** The clear text; empty for every type but `text`. */
  textMsg: string;
  fileUrl?: string;
  caption?: string;
  /** The same URL as `fileUrl`, for type `gif`. */
  gifUrl?: string;
  videoThumbnail?: string;
  location?: {
    latitude: number;
    longitude: number;
    name?: string | null | undefined;
    address?: string | null | undefined;
  };
  poll?: {
    id: string;
    question: string;
    options: Array<{
      id: string;
      text: string;
    }>;
    allowMultipleAnswers: boolean;
    isAnonymous: boolean;
  };
  /** Unique message id; reusable as `replyToMsgId`. */
  replyToMsgId?: string;
  /** Stable id of a person or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  from: string;
  /** Epoch milliseconds. */
  sentAt: number;
  /** Only on events that the console simulated. */
  sandbox?: true;
  /** Stable id of a person or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  chatId: string;
}

/** `data` of `group_message.received`: somebody wrote in a group of the bot. */
export interface GroupMessageData {
  /** Unique message id; reusable as `replyToMsgId`. */
  msgId: string;
  type: 'text' | 'image' | 'video' | 'audio' | 'doc' | 'gif' | 'sticker' | 'location' | 'poll';
  /** The clear text; empty for every type but `text`. */
  textMsg: string;
  fileUrl?: string;
  caption?: string;
  /** The same URL as `fileUrl`, for type `gif`. */
  gifUrl?: string;
  videoThumbnail?: string;
  location?: {
    latitude: number;
    longitude: number;
    name?: string | null | undefined;
    address?: string | null | undefined;
  };
  poll?: {
    id: string;
    question: string;
    options: Array<{
      id: string;
      text: string;
    }>;
    allowMultipleAnswers: boolean;
    isAnonymous: boolean;
  };
  /** Unique message id; reusable as `replyToMsgId`. */
  replyToMsgId?: string;
  /** Stable id of a person or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  from: string;
  /** Epoch milliseconds. */
  sentAt: number;
  /** Only on events that the console simulated. */
  sandbox?: true;
  groupId: string;
  mentionedUserIds: Array<string>;
  isMentioned: boolean;
}

/** A page of the event feed, oldest first. */
export interface EventPage {
  events: Array<{
    cursor: string;
    eventId: string;
    /** Epoch milliseconds. */
    createdAt: number;
    event: {
      type: string;
      data: MessageData | GroupMessageData;
    };
  }>;
  /** The `after` that asks for what follows, also when nothing follows yet. */
  nextAfter: string;
  hasMore: boolean;
}

/** The answer of `POST /oauth/token`. */
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

/** Who consented. */
export interface UserInfo {
  /** Stable id of a person or bot, from a webhook (`from`, `chatId`) or `/oauth/userinfo` (`sub`). */
  sub: string;
  name: string;
  picture: string;
}
