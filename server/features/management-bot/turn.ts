import type { Language } from '#contract/languages.ts';
import type { Translate } from '#contract/texts.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { Applications } from '#features/applications/index.ts';
import type { Bots } from '#features/bots/index.ts';
import type { Contacts } from '#features/contacts/index.ts';
import type { Messages, ShowWritten } from '#features/messages/index.ts';
import type { Webhooks } from '#features/webhooks/index.ts';
import type { Platform } from '#platform/platform.ts';
import type { UrlCheck } from '#platform/safe-fetch/url.ts';
import type { Dialogue, Step } from './dialogue.ts';

/** Dependencies of the management bot. */
export interface Faces {
  accounts: Accounts;
  applications: Applications;
  bots: Bots;
  contacts: Contacts;
  messages: Messages;
  webhooks: Webhooks;
}

export type Deps = Platform & Faces;

/** The same within the transaction that commits the answer. */
export type TurnDeps = Omit<Deps, 'applications' | 'bots'> & {
  applications: ReturnType<Applications['within']>;
  bots: ReturnType<Bots['within']>;
};

/** A message of a person, and the data for its answer. */
export interface Turn {
  deps: TurnDeps;
  personId: string;
  language: Language;
  /** The texts in the person's language. */
  t: Translate;
  dialogue: Dialogue;
  /** When the message was sent. */
  at: number;
  /** The person signed in, or confirmed their identity, shortly before. */
  isSignInRecent: boolean;
  /** URLs that were checked before the transaction began. */
  checkedUrls: ReadonlyMap<string, UrlCheck>;
  /** Where people and bots reach this server. */
  serverUrl: string;
  /** Removes the secrets shown in this conversation; undefined if one was shown only after the message was sent. */
  removeSecrets(): Promise<ShowWritten[] | undefined>;
}

export interface Reply {
  text: string;
  /** The input to wait for next, if any. */
  next?: Step | undefined;
  /** The text contains a secret, which is removed once the person has stored it. */
  isSecret?: true;
  /** Messages that the turn has changed. */
  replaced?: ShowWritten[];
  afterCommit?: (deps: Deps) => Promise<void> | void;
}

/** A URL needs a DNS lookup, which must not happen inside a transaction. */
export class UrlCheckNeeded extends Error {
  readonly url: string;

  constructor(url: string) {
    super('a URL has to be checked first');
    this.url = url;
  }
}

export const CHANNEL = 'management-bot' as const;

const HOUR_MS = 3_600_000;
/** Per person and hour. */
const LIMITS_PER_HOUR = { bots: 5, secrets: 10 };

/**
 * The reason to refuse an action that needs a recent sign-in (docs/decisions/0014), if any: the session must
 * have been signed in to, or confirmed, in the last 10 minutes.
 */
export function refuseStaleSignIn({ isSignInRecent, serverUrl, t }: Turn): string | undefined {
  return isSignInRecent ? undefined : t('bot.say.confirmFirst', { consoleUrl: consoleOf(serverUrl) });
}

/**
 * The reason why the person may not create a bot or a secret now, if any: it needs a recent sign-in, and
 * there is a limit per hour.
 */
export function refuseToMake(turn: Turn, what: keyof Dialogue['made']): string | undefined {
  const refusal = refuseStaleSignIn(turn);
  if (refusal !== undefined) return refusal;
  const { dialogue, at, t } = turn;
  const recent = madeSince(dialogue, what, at - HOUR_MS);
  const limit = LIMITS_PER_HOUR[what];
  if (recent.length < limit) return undefined;
  const minutes = Math.ceil(((recent.at(-limit) as number) + HOUR_MS - at) / 60_000);
  return t(what === 'bots' ? 'bot.say.tooManyBots' : 'bot.say.tooManySecrets', {
    limit,
    minutes: Math.max(1, minutes),
  });
}

/** Counts a bot or a secret that was created. */
export function noteMade({ dialogue, at }: Turn, what: keyof Dialogue['made']): void {
  dialogue.made[what] = [...madeSince(dialogue, what, at - HOUR_MS), at];
}

function madeSince({ made }: Dialogue, what: keyof Dialogue['made'], since: number): number[] {
  return made[what].filter((time) => time > since);
}

/** The application of the person, with this bot as the channel for the audit trail. */
export function ownOf({ personId }: Turn, appId: string) {
  return { actorId: personId, appId, channel: CHANNEL };
}

export function consoleOf(serverUrl: string): string {
  return `${serverUrl}/console`;
}

/** A first call with a key, for a command line. */
export function curlOf({ serverUrl }: Turn, apiKey: string): string {
  return `curl ${serverUrl}/v1/me -H "Authorization: Bearer ${apiKey}"`;
}
