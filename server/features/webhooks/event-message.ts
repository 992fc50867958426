import type { Static } from 'typebox';
import type { ContentType, Location } from '#contract/messages.ts';
import type { EventMessage, EventPoll } from '#contract/webhooks/events.ts';

/** The content of a message, whoever wrote it. */
export interface EventContent {
  type: ContentType | 'poll';
  body: {
    content?: string;
    fileUrl?: string;
    thumbnailUrl?: string;
    caption?: string;
    location?: Static<typeof Location>;
    poll?: EventPoll;
  };
  replyToMsgId?: string | undefined;
}

/** The conversation; `isMentioned` differs from bot to bot. */
export type EventConversation =
  | { chatId: string }
  | { groupId: string; mentionedUserIds: string[]; isMentioned: boolean };

export interface EventOrigin {
  msgId: string;
  from: string;
  sentAt: number;
}

/** `data` of the event about a message (contract §6). Fields that the message lacks are omitted, never null. */
export function eventMessage(
  { type, body, replyToMsgId }: EventContent,
  { msgId, from, sentAt }: EventOrigin,
  conversation: EventConversation,
): EventMessage {
  return {
    msgId,
    type,
    textMsg: body.content ?? '',
    ...(body.fileUrl !== undefined && { fileUrl: body.fileUrl }),
    ...(body.caption !== undefined && { caption: body.caption }),
    // Decision "Webhooks": receivers of gifs may read either name.
    ...(type === 'gif' && body.fileUrl !== undefined && { gifUrl: body.fileUrl }),
    ...(body.thumbnailUrl !== undefined && { videoThumbnail: body.thumbnailUrl }),
    ...(body.location !== undefined && { location: withoutNulls(body.location) }),
    ...(body.poll !== undefined && { poll: body.poll }),
    ...(replyToMsgId !== undefined && { replyToMsgId }),
    from,
    ...conversation,
    sentAt,
  };
}

function withoutNulls({
  latitude,
  longitude,
  name,
  address,
}: Static<typeof Location>): Static<typeof Location> {
  return { latitude, longitude, ...(name != null && { name }), ...(address != null && { address }) };
}
