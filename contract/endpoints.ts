import { type Static, type TSchema, Type } from 'typebox';
import { PasskeyId } from './accounts/second-factors.ts';
import type { Role } from './applications/team.ts';
import { AppId, Fingerprint } from './applications.ts';
import { ConversationId, GroupId, type IdKind, id, MsgId, UserId } from './ids.ts';
import type { OperatorActName } from './operate/acts.ts';
import type { Refusal } from './refusals.ts';
import type { OpenIdScope, Scope } from './scopes.ts';

/** Who may call an endpoint of the public API (contract §5, access matrix). */
export interface Access {
  actors: readonly ('bot' | 'user')[];
  scope?: Scope;
  /** An OpenID Connect scope that suffices as well. */
  orScope?: OpenIdScope;
  /** The route accepts a cached key and compares it with the database in its own statement. */
  confirmsKeys?: true;
  /** The quota of the endpoint is this many times that of others. */
  quotaTimes?: number;
}

/** The parameters of paths, by their names. */
export const PATH_PARAMETERS = {
  accountId: UserId,
  announcementId: id(),
  appId: AppId,
  codePoint: Type.String({ pattern: '^[0-9a-f]{1,5}$' }),
  contactId: id(),
  conversationId: ConversationId,
  eventId: id(),
  fileName: Type.String({ pattern: '^\\P{Cc}+$' }),
  fingerprint: Fingerprint,
  groupId: GroupId,
  invitationId: id(),
  mediaId: id(),
  msgId: MsgId,
  passkeyId: PasskeyId,
  providerId: id(),
  reportId: id(),
  token: id(),
  userId: UserId,
};

/** The names of the parameters in a path. */
export function parametersOf(path: string): (keyof typeof PATH_PARAMETERS)[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name as keyof typeof PATH_PARAMETERS);
}

/** The parameters that a path names: all of them are texts. */
export type PathParameters<Key> = Key extends `${string}/:${infer Name}/${infer Rest}`
  ? Record<Name, string> & PathParameters<`/${Rest}`>
  : Key extends `${string}/:${infer Name}`
    ? Record<Name, string>
    : unknown;

/** An endpoint, whoever calls it. */
export interface Endpoint {
  query?: TSchema;
  body?: TSchema;
  /** Schema of `data` in the envelope; of the whole answer where the endpoint is `raw`. */
  reply?: TSchema;
  /** The `message` of the success envelope; where something is created it is known beforehand. */
  message?: string | ((data: never) => string);
  /** Creates an object of this kind, once per `Idempotency-Key`; the status is 201. */
  creates?: IdKind;
  status?: 201;
  /** Values of fields that the body may leave out, filled in before it is validated. */
  bodyDefaults?: Readonly<Record<string, string>>;
  /**
   * Takes bodies as lines, too (`application/x-ndjson`), each as a body of its own, while they arrive: after so many milliseconds
   * (twice as many while the process is busy) the newest, and always the last.
   */
  linesEveryMs?: number;
  /** Answers without an envelope: server-sent events, files, text that must be sent byte for byte. */
  isRaw?: true;
  /** Takes a file of any type as its body. */
  takesFile?: true;
  /** Takes a form (`multipart/form-data`) with one file, in the field `file`; the schema describes it in the OpenAPI document. */
  form?: TSchema;
}

/** A request with the `data` of its answer; the whole answer where the endpoint is raw. A test checks both. */
export interface Example {
  request?: object;
  response: object;
}

interface Documented {
  /** The name of the operation in the OpenAPI document and the SDK. */
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  /** Not in the contract (decisions: Beyond the contract). */
  isExtension?: true;
  /** The errors that not every endpoint with such a body and credential gives. */
  errors?: readonly Refusal[];
  example: Example;
}

interface ForPeople extends Endpoint {
  /** It shows or creates a secret, changes where one is sent, or deletes: it requires a sign-in of the last 10 minutes. */
  needs?: 'recent-sign-in';
  /** It is available during maintenance, too. */
  duringMaintenance?: true;
}

/** The kinds of caller, and what an endpoint for each can say. */
export interface EndpointFor {
  /** A bot by its API key, or a person by an access token (contract §5). */
  actor: Endpoint & Documented & { access: Access };
  /** The server of an application, by its client credentials. */
  client: Endpoint & Documented;
  /** Anybody, also programs; the OpenAPI document shows what has an operation. */
  everybody: Endpoint & Partial<Documented> & { needsDatabase?: true };
  /** A browser of somebody who is not signed in. */
  visitor: ForPeople;
  /** A signed-in person and their browser, also before they accept terms. */
  account: ForPeople;
  /** A signed-in person. */
  person: ForPeople;
  /** A signed-in person, on an application of theirs. */
  developer: ForPeople & {
    /** Role in the team of the application; by default viewers may read and developers may change. */
    role?: Role;
  };
  /** The owner of a bot in the place of a test person. */
  tester: ForPeople;
  operator: ForPeople & {
    /** It is an act, which always requires a recent sign-in. */
    act?: OperatorActName;
  };
  /** A sign-in provider, by its SCIM token. */
  provider: Endpoint;
}

export type Audience = keyof EndpointFor;

/** `GET /v1/me`: the method and the path below the prefix of the table. */
export type EndpointKey = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** Some of a surface's endpoints, in a file of their own. */
export type Chapter<A extends Audience> = Record<EndpointKey, EndpointFor[A]>;

/** The endpoints of one surface. */
export interface EndpointTable<A extends Audience = Audience, T = unknown> {
  readonly audience: A;
  /** Begins every path: `/api/chat`. */
  readonly prefix: string;
  readonly endpoints: T;
}

/** Declares the endpoints of a surface; server, pages, OpenAPI document, SDK and MCP tools are derived from the table. */
export function endpoints<A extends Audience, const T extends Chapter<A>>(
  audience: A,
  prefix: string,
  table: T,
): EndpointTable<A, T> {
  return { audience, prefix, endpoints: table };
}

/** The value of a schema that an endpoint may have; `undefined` where it has none. */
export type ValueOf<E, Part extends 'query' | 'body' | 'reply'> = E extends {
  [P in Part]: infer S extends TSchema;
}
  ? Static<S>
  : undefined;
