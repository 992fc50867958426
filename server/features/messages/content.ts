import type { Static } from 'typebox';
import type { ContentType, Location, SentContent } from '#contract/messages.ts';
import { invalidArgument } from '#platform/errors.ts';
import type { Keyring, Sealed } from '#platform/keyring.ts';
import { judgeUrl, URL_FAULTS } from '#platform/safe-fetch/url.ts';

/** What a message says, as it is sealed in the database. Fields that were not sent are not there. */
export interface MessageBody {
  content?: string;
  fileUrl?: string;
  thumbnailUrl?: string;
  caption?: string;
  location?: Static<typeof Location>;
}

/** A message that is ready to be checked and stored. */
export interface MessageContent {
  type: ContentType;
  body: MessageBody;
  replyToMsgId: string | undefined;
}

/**
 * Takes validated content out of a request body.
 *
 * @throws ApiError 400 naming the field when a URL is not public https
 */
export function readContent(sent: SentContent): MessageContent {
  const body: MessageBody = {};
  if (sent.content != null) body.content = sent.content;
  if (sent.fileUrl != null) body.fileUrl = publicUrl('fileUrl', sent.fileUrl);
  if (sent.thumbnailUrl != null) body.thumbnailUrl = publicUrl('thumbnailUrl', sent.thumbnailUrl);
  if (sent.caption != null) body.caption = sent.caption;
  if (sent.location != null) body.location = readLocation(sent.location);
  return { type: sent.type, body, replyToMsgId: sent.replyToMsgId ?? undefined };
}

function readLocation({
  latitude,
  longitude,
  name,
  address,
}: Static<typeof Location>): Static<typeof Location> {
  return { latitude, longitude, ...(name != null && { name }), ...(address != null && { address }) };
}

function publicUrl(field: string, text: string): string {
  const judged = judgeUrl(text, { trustedHosts: [] });
  if ('fault' in judged) throw invalidArgument(field, URL_FAULTS[judged.fault]);
  return text;
}

/** Every message body is sealed, whatever conversation it belongs to; the ciphertext opens only for its own msgId. */
export function sealBody(keyring: Keyring, msgId: string, body: object): Sealed {
  return keyring.seal({ table: 'messages', rowId: msgId }, Buffer.from(JSON.stringify(body)));
}

export function openBody(keyring: Keyring, msgId: string, sealed: Sealed): MessageBody {
  return JSON.parse(keyring.open({ table: 'messages', rowId: msgId }, sealed).toString());
}
