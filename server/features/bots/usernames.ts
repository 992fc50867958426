import type { BotUsernames, UsernameFault } from '#contract/bots.ts';
import { LIMITS } from '#contract/limits.ts';
import { findServiceName } from '#features/accounts/index.ts';
import type { BotDeps } from './service.ts';

type Deps = Pick<BotDeps, 'db' | 'config' | 'accounts'>;

const SUGGESTIONS = 3;

/** For the console, while somebody types: whether a bot may have the username, and free ones like it. */
export async function checkUsername(deps: Deps, like: string): Promise<BotUsernames> {
  const [fault, suggestions] = await Promise.all([
    findUsernameFault(deps, like),
    suggestUsernames(deps, like),
  ]);
  return { ...(fault && { fault }), suggestions };
}

/** The first rule of the contract's §2 that the username breaks; a deleted bot keeps its own. */
export async function findUsernameFault(deps: Deps, username: string): Promise<UsernameFault | undefined> {
  const fault = findWrittenFault(deps, username);
  if (fault !== undefined) return fault;
  return (await deps.accounts.findIdByUsername(username, deps.db)) === undefined ? undefined : 'taken';
}

function findWrittenFault({ config }: Deps, username: string): UsernameFault | undefined {
  const { length } = username;
  if (!/^[a-z0-9_]*$/.test(username)) return 'characters';
  if (length < LIMITS.botUsernameMinLength || length > LIMITS.botUsernameMaxLength) return 'length';
  if (!username.endsWith('bot')) return 'ending';
  return findServiceName(username, config) === undefined ? undefined : 'reserved';
}

/** Free usernames like a name or a username; none for a name without Latin letters and digits. */
export async function suggestUsernames(deps: Deps, like: string): Promise<string[]> {
  const stem = like
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // In capitals, ß is SS.
    .toUpperCase()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/_?bot$/, '')
    .slice(0, LIMITS.botUsernameMaxLength - 'the__bot'.length)
    .replace(/^_+|_+$/g, '');
  if (stem === '') return [];
  const possible = [
    `${stem}_bot`,
    `${stem}bot`,
    `my_${stem}_bot`,
    `the_${stem}_bot`,
    `${stem}_2_bot`,
    `${stem}_3_bot`,
  ];
  const free: string[] = [];
  for (const username of possible) {
    if (free.length < SUGGESTIONS && (await findUsernameFault(deps, username)) === undefined)
      free.push(username);
  }
  return free;
}
