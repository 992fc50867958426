import { Type } from 'typebox';
import { AppId } from '../applications.ts';
import { ChangeConversation, ChangeRetention } from '../chat/conversation-settings.ts';
import { KeepDraft, KeptDraft } from '../chat/drafts.ts';
import { ChangeNotificationSettings, NotificationSettings, Notifications, PushDevice } from '../chat/push.ts';
import { LastSeen, MarkDelivered, MarkRead, ReadState, Receipts } from '../chat/receipts.ts';
import { CreatedReport, CreateReport } from '../chat/reports.ts';
import { FoundMessages, SearchMessages } from '../chat/search.ts';
import {
  ChatMessage,
  Conversation,
  ConversationCommands,
  ConversationPage,
  EditMessage,
  ForwardMessage,
  MessagePage,
  Peer,
  PinnedMessages,
  PressQuickReply,
  Profile,
  ReadMessages,
  RemoteMedia,
  WriteMessage,
} from '../chat.ts';
import { endpoints } from '../endpoints.ts';
import {
  ByGroupLink,
  DecideJoinRequest,
  GroupLinks,
  Joining,
  JoinRequests,
  LinkedGroupForPerson,
  MakeGroupLink,
  NewGroupLink,
  RevokeGroupLink,
} from '../group-links.ts';
import {
  AddMembers,
  ChangeDetailsInChat,
  ChangeRole,
  CreatedGroup,
  CreateGroupInChat,
  DeleteGroup,
  ListMembers,
  RemoveMember,
  ShownMembers,
  WriteGroupMessage,
} from '../groups.ts';
import { GroupId, id, UserId } from '../ids.ts';
import { MapTiles, MediaLimits, Media as MediaReply, UploadMedia } from '../media.ts';
import { ApplicationCalls, ConnectedApplications, RevokeConnection } from '../oauth.ts';
import { ClosePoll, CreatedPoll, CreatePoll, UpdatedPoll, VotePoll } from '../polls.ts';
import { React, Reactions } from '../reactions.ts';
import {
  AddedToStory,
  AddToStoryInChat,
  ChatStory,
  DeletedStory,
  DeleteStory,
  MarkStorySeen,
  SharedStory,
  StoryView,
} from '../stories.ts';
import {
  ChosenIncomingWebhook,
  CreateIncomingWebhook,
  GroupWebhooks,
  NewIncomingWebhook,
} from '../webhooks/incoming-webhooks.ts';

const OfConversation = Type.Object({ conversationId: id() });
const Revoked = Type.Object({ revoked: Type.Literal(true) });
const Done = Type.Object({});
const OfMessage = Type.Object({ conversationId: id(), msgId: id() });
const OfGroup = Type.Object({ groupId: GroupId });
const OfPerson = Type.Object({ userId: UserId });
const Blocked = Type.Object({ isBlocked: Type.Boolean() });

/** The endpoints of people's chat. */
export const CHAT = endpoints('person', '/api/chat', {
  'GET /blocks': { reply: Type.Array(Peer), message: 'whom you block' },
  'POST /blocks': { body: OfPerson, reply: Blocked, message: 'blocked' },
  'DELETE /blocks': { body: OfPerson, reply: Blocked, message: 'unblocked' },
  'POST /groups': { body: CreateGroupInChat, reply: CreatedGroup, message: 'group created', creates: 'grp' },
  'GET /groups/members': { query: ListMembers, reply: ShownMembers, message: 'members of the group' },
  'POST /groups/members': { body: AddMembers, reply: OfGroup, message: 'members added' },
  'POST /groups/members/remove': { body: RemoveMember, reply: OfGroup, message: 'member removed' },
  'PATCH /groups/members/role': { body: ChangeRole, reply: OfGroup, message: 'role updated' },
  'PATCH /groups/details': { body: ChangeDetailsInChat, reply: OfGroup, message: 'details updated' },
  'DELETE /groups/delete': { body: DeleteGroup, reply: OfGroup, message: 'group deleted' },
  'GET /groups/links': { query: OfGroup, reply: GroupLinks, message: 'invitation links' },
  'POST /groups/links': {
    body: MakeGroupLink,
    reply: NewGroupLink,
    message: 'invitation link made; it is shown this once',
    status: 201,
  },
  'POST /groups/links/revoke': { body: RevokeGroupLink, reply: Revoked, message: 'invitation link revoked' },
  'POST /groups/links/show': {
    body: ByGroupLink,
    reply: LinkedGroupForPerson,
    message: 'the group of the link',
  },
  'POST /groups/links/join': {
    body: ByGroupLink,
    reply: Joining,
    message: 'you are in the group, or have asked',
  },
  'GET /groups/join-requests': { query: OfGroup, reply: JoinRequests, message: 'who asks to join' },
  'POST /groups/join-requests/decide': { body: DecideJoinRequest, reply: OfGroup, message: 'decided' },
  'GET /groups/incoming-webhooks': { query: OfGroup, reply: GroupWebhooks, message: 'incoming webhooks' },
  'POST /groups/incoming-webhooks': {
    body: CreateIncomingWebhook,
    reply: NewIncomingWebhook,
    message: 'incoming webhook created; its address is shown this once',
    status: 201,
  },
  'POST /groups/incoming-webhooks/renew': {
    body: ChosenIncomingWebhook,
    reply: NewIncomingWebhook,
    message: 'new address, shown this once; the old one is dead',
  },
  'POST /groups/incoming-webhooks/revoke': {
    body: ChosenIncomingWebhook,
    reply: Revoked,
    message: 'incoming webhook revoked',
  },
  'GET /media/limits': { reply: MediaLimits, message: 'what you may upload' },
  'GET /map': { reply: MapTiles, message: 'where maps come from' },
  'POST /media': { query: UploadMedia, reply: MediaReply, message: 'uploaded', takesFile: true },
  'PATCH /conversations/:conversationId/messages/:msgId': {
    body: EditMessage,
    reply: ChatMessage,
    message: 'message edited',
  },
  'DELETE /conversations/:conversationId/messages/:msgId': {
    reply: OfMessage,
    message: 'deleted for everybody',
  },
  'POST /conversations/:conversationId/messages/:msgId/quick-replies': {
    body: PressQuickReply,
    reply: ChatMessage,
    message: 'message sent',
    creates: 'msg',
  },
  'PUT /conversations/:conversationId/messages/:msgId/reactions': {
    body: React,
    reply: Reactions,
    message: 'reactions changed',
  },
  'PUT /conversations/:conversationId/messages/:msgId/pin': { reply: OfMessage, message: 'pinned' },
  'DELETE /conversations/:conversationId/messages/:msgId/pin': { reply: OfMessage, message: 'not pinned' },
  'PUT /conversations/:conversationId/retention': {
    body: ChangeRetention,
    reply: Conversation,
    message: 'retention changed',
  },
  'POST /conversations/:conversationId/messages/:msgId/hide': {
    reply: OfMessage,
    message: 'deleted for you',
  },
  'GET /conversations': {
    query: Type.Object({ cursor: Type.Optional(Type.String({ pattern: '^[0-9a-z]{24}$' })) }),
    reply: ConversationPage,
    message: 'your conversations',
  },
  'GET /conversations/:conversationId': { reply: Conversation, message: 'conversation' },
  'PATCH /conversations/:conversationId': {
    body: ChangeConversation,
    reply: Conversation,
    message: 'conversation changed',
  },
  'DELETE /conversations/:conversationId': {
    reply: OfConversation,
    message: 'hidden until its next message',
  },
  'POST /conversations/:conversationId/read': { body: MarkRead, reply: ReadState, message: 'marked as read' },
  'GET /conversations/:conversationId/messages': {
    query: ReadMessages,
    reply: MessagePage,
    message: 'messages, newest first',
  },
  'GET /conversations/:conversationId/pins': { reply: PinnedMessages, message: 'pinned messages' },
  'GET /conversations/:conversationId/people': {
    query: Type.Object({
      userIds: Type.String({ pattern: '^[A-Za-z0-9_-]{1,128}(,[A-Za-z0-9_-]{1,128}){0,99}$' }),
    }),
    reply: Type.Array(Peer),
    message: 'people',
  },
  'GET /conversations/:conversationId/commands': { reply: ConversationCommands, message: 'commands' },
  'GET /profiles': {
    query: Type.Object({ username: Type.String({ maxLength: 64 }) }),
    reply: Profile,
    message: 'found by username',
  },
  'GET /management-bot': { reply: Profile, message: 'management bot' },
  'GET /invites/:token': { reply: Profile, message: 'profile' },
  'GET /profiles/:userId': { reply: Profile, message: 'profile' },
  'POST /messages': { body: WriteMessage, reply: ChatMessage, message: 'message sent', creates: 'msg' },
  'POST /groups/messages': {
    body: WriteGroupMessage,
    reply: ChatMessage,
    message: 'message sent',
    creates: 'msg',
  },
  'POST /messages/forward': {
    body: ForwardMessage,
    reply: ChatMessage,
    message: 'message sent',
    creates: 'msg',
  },
  'GET /remote-media': { reply: RemoteMedia, message: 'whose media load by themselves' },
  'GET /live': { query: Type.Object({ after: Type.Optional(Type.String({ maxLength: 64 })) }), isRaw: true },
  'GET /drafts': { reply: Type.Array(KeptDraft), message: 'drafts' },
  'PUT /conversations/:conversationId/draft': { body: KeepDraft, reply: KeptDraft, message: 'draft kept' },
  'GET /conversations/:conversationId/receipts': { reply: Receipts, message: 'how far the others are' },
  'GET /conversations/:conversationId/last-seen': {
    reply: LastSeen,
    message: 'when the other was last seen',
  },
  'POST /delivered': { body: MarkDelivered, reply: Done, message: 'marked as delivered' },
  'POST /conversations/:conversationId/typing': { reply: Done, message: 'the others are told' },
  'GET /search': { query: SearchMessages, reply: FoundMessages, message: 'messages found' },
  'GET /connected-applications': {
    query: Type.Object({ cursor: Type.Optional(id()) }),
    reply: ConnectedApplications,
    message: 'connected applications',
  },
  'POST /connected-applications/revoke': {
    body: RevokeConnection,
    reply: Revoked,
    message: 'access revoked',
  },
  'GET /application-calls': {
    query: Type.Object({ appId: Type.Optional(AppId), before: Type.Optional(id()) }),
    reply: ApplicationCalls,
    message: 'calls of applications',
  },
  'POST /polls': { body: CreatePoll, reply: CreatedPoll, message: 'poll created', creates: 'msg' },
  'POST /polls/vote': { body: VotePoll, reply: UpdatedPoll, message: 'vote counted' },
  'POST /polls/close': { body: ClosePoll, reply: UpdatedPoll, message: 'poll closed' },
  'GET /notifications': { reply: Notifications, message: 'how you are notified' },
  'PATCH /notifications': {
    body: ChangeNotificationSettings,
    reply: NotificationSettings,
    message: 'notifications changed',
  },
  'PUT /notifications/device': { body: PushDevice, reply: Done, message: 'this browser is notified' },
  'DELETE /notifications/device': { reply: Done, message: 'no longer notified' },
  'POST /reports': { body: CreateReport, reply: CreatedReport, message: 'reported', creates: 'rpt' },
  'GET /stories': { reply: Type.Array(SharedStory), message: 'stories of people you know' },
  'POST /stories/seen': {
    body: MarkStorySeen,
    reply: Type.Object({ userId: UserId, seenElementId: Type.String() }),
    message: 'marked as seen',
  },
  'GET /stories/mine': { reply: Type.Array(ChatStory), message: 'your stories' },
  'GET /stories/views': { reply: Type.Array(StoryView), message: 'who has seen your story' },
  'POST /stories': {
    body: AddToStoryInChat,
    reply: AddedToStory,
    message: 'story published',
    creates: 'elm',
  },
  'DELETE /stories': { body: DeleteStory, reply: DeletedStory, message: 'story deleted' },
});
