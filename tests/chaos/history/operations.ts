/** One call of a client. Without `completed`, nobody knows whether it took place: the answer never came, or was a 5xx. */
interface Call {
  /** Who called. */
  by: string;
  /** Milliseconds of one clock. */
  invoked: number;
  completed?: number;
}

/** A message, or a poll, which is a message too; a repetition with the same `Idempotency-Key` belongs to it. */
export interface Send extends Call {
  kind: 'send';
  thread: string;
  /** Unlike that of any other message. */
  text: string;
  msgId?: string;
}

export interface Seen {
  msgId: string;
  text: string;
}

/** The newest page of a thread, or all of it. */
export interface Read extends Call {
  kind: 'read';
  thread: string;
  /** The oldest first. */
  messages?: Seen[];
  isWhole?: boolean;
  /** After the load. */
  isFinal: boolean;
}

/** A reader moves the read marker, or only looks at it. */
export interface Mark extends Call {
  kind: 'mark';
  thread: string;
  upTo?: string;
  shown?: string | undefined;
}

/** A webhook was received. */
export interface Heard extends Call {
  kind: 'heard';
  completed: number;
  msgId: string;
  body: string;
}

/** A page of events. */
export interface Feed extends Call {
  kind: 'feed';
  /** Missing: after the acknowledged event. */
  after?: number;
  events?: { cursor: number; msgId: string; body: string }[];
  isFinal: boolean;
}

export interface Acknowledge extends Call {
  kind: 'acknowledge';
  upTo: number;
}

/** A code or a refresh token is presented for a pair of tokens. */
export interface Exchange extends Call {
  kind: 'exchange';
  family: string;
  presented: string;
  /** The pair; missing in an answer: it was refused. */
  access?: string;
  refresh?: string;
}

export interface Use extends Call {
  kind: 'use';
  family: string;
  access: string;
  isAccepted?: boolean;
}

export interface Revoke extends Call {
  kind: 'revoke';
  family: string;
}

export interface Vote extends Call {
  kind: 'vote';
  poll: string;
  option: string;
  /** The voter's choice after it, as the answer says. */
  chosen?: string;
}

/** The state of a poll as somebody saw it. */
export interface Tally extends Call {
  kind: 'tally';
  poll: string;
  options?: { id: string; votes: number; voters: string[] }[];
}

export type Operation =
  | Send
  | Read
  | Mark
  | Heard
  | Feed
  | Acknowledge
  | Exchange
  | Use
  | Revoke
  | Vote
  | Tally;

export type Kind = Operation['kind'];
export type Of<K extends Kind> = Extract<Operation, { kind: K }>;
/** An operation whose answer came. */
export type Answered<K extends Kind> = Of<K> & { completed: number };

export interface Thread {
  readers: string[];
  /** They get an event for each message of others. */
  bots: string[];
}

export interface History {
  threads: Record<string, Thread>;
  operations: Operation[];
  /** From a kill until everything runs again. */
  outages: { from: number; until: number }[];
}

export function all<K extends Kind>(operations: readonly Operation[], kind: K): Of<K>[] {
  return operations.filter((one): one is Of<K> => one.kind === kind);
}

export function answered<K extends Kind>(operations: readonly Operation[], kind: K): Answered<K>[] {
  return all(operations, kind).filter((one): one is Answered<K> => one.completed !== undefined);
}
