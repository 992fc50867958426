/** A person of an export. */
export interface SourcePerson {
  id: string;
  name: string;
  email?: string | undefined;
  /** False for somebody who had left. */
  isActive?: boolean;
}

export interface SourceConversation {
  id: string;
  kind: 'group' | 'private';
  name: string;
  description?: string;
  createdAt?: number | undefined;
  creatorId?: string | undefined;
  /** Only administrators write in it. */
  isArchived?: boolean;
  /** Whether they are administrators, by id. A reader may add some until the end. */
  members: Map<string, boolean>;
}

/** A file of a message: in the export at `path`, or missing there. */
export interface SourceFile {
  name: string;
  path?: string | undefined;
  size?: number | undefined;
  isSticker?: boolean;
  /** The export has its address, and not the file. */
  isLinked?: boolean;
}

/** The position of a message: it identifies the message in its conversation. */
export interface Position {
  id: string;
  /** Epoch milliseconds. */
  at: number;
  /** Among the messages of a millisecond. */
  order: number;
}

export interface SourceMessage extends Position {
  conversationId: string;
  senderId: string;
  /** In the Markdown of the chat. */
  text: string;
  mentions?: readonly string[];
  replyTo?: Position | undefined;
  editedAt?: number | undefined;
  /** Whose message it is that was forwarded; without a name if the export does not say. */
  forwardedFrom?: { name?: string } | undefined;
  isPinned?: boolean | undefined;
  reactions?: readonly { emoji: string; personId: string }[];
  files?: readonly SourceFile[];
  location?: { latitude: number; longitude: number; name?: string; address?: string } | undefined;
}

/** Part of an export. People and conversations come before the messages that name them. */
export type Item =
  | { kind: 'person'; person: SourcePerson }
  | { kind: 'conversation'; conversation: SourceConversation }
  | { kind: 'message'; message: SourceMessage; where: Where }
  | { kind: 'pin'; conversationId: string; position: Position; by: string }
  | { kind: 'left-out'; what: LeftOut };

/** Something that has no equivalent. */
export type LeftOut = keyof typeof LEFT_OUT;

/** All that has no equivalent, and what becomes of it. */
export const LEFT_OUT = {
  'service messages': 'left out: who joined or left, calls, new names',
  'reactions with emoji of their own': 'left out: there are none here',
  'deleted messages': 'left out',
  'messages with nothing to show': 'left out: they have no text, file or place, such as an invoice',
  'deleted and hidden files': 'left out',
  'days of unlisted channels': 'left out: the export does not say what they belong to',
  'emoji of their own': 'left out',
  'roles and schemes': 'left out',
  'lines of other types': 'left out',
  'times without a time zone': 'the same times in UTC',
  'more than one file': 'each further file is a message of its own',
  'long texts': 'the rest is in messages after it',
  'parts beyond 32 of a message': 'left out',
  'files that are only linked': 'the message names the file; the link, which has a token, is not kept',
  'missing files': 'the message names the file',
  'files that are too large': 'the message names the file',
  polls: 'a text with the question and the answers',
  'groups without members': 'groups of those who wrote in them',
  'conversations with oneself': 'a group of one person',
  'messages of conversations deleted here': 'left out',
  'quotes of missing messages': 'messages without a quote',
} as const;

/** A place in an export, for errors. */
export interface Where {
  path: string;
  line: number;
}

/** A fault of an export, with its place. */
export class ExportError extends Error {
  constructor({ path, line }: Where, fault: string) {
    super(`${path}:${line}: ${fault}`);
  }
}

const EARLIEST = Date.UTC(1990);
const LATEST = Date.UTC(2100);

/** @throws ExportError for what is not a time */
export function requireTime(where: Where, field: string, time: number): number {
  if (Number.isFinite(time) && time >= EARLIEST && time <= LATEST) return Math.floor(time);
  throw new ExportError(where, `${field} is not a time`);
}
