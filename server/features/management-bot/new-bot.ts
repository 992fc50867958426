import { LIMITS } from '#contract/limits.ts';
import { findServiceName } from '#features/accounts/index.ts';
import type { Step } from './dialogue.ts';
import { lengthOf, numbered, readNumber, readUsername } from './input.ts';
import { CHANNEL, consoleOf, curlOf, noteMade, ownOf, type Reply, refuseToMake, type Turn } from './turn.ts';

const SUGGESTIONS = 3;

export async function startNewBot(turn: Turn, name: string): Promise<Reply> {
  const refusal = refuseToMake(turn, 'bots') ?? (await refuseOneMore(turn));
  if (refusal !== undefined) return { text: refusal };
  return name === ''
    ? { text: turn.t('bot.say.askName', { limit: LIMITS.applicationNameLength }), next: { kind: 'name' } }
    : takeName(turn, name);
}

/** Checked before the person thinks of a name; the service checks it again at the creation. */
async function refuseOneMore({ deps, personId, serverUrl, t }: Turn): Promise<string | undefined> {
  const { length } = await deps.applications.listOwn(personId);
  return length >= LIMITS.applicationsPerAccount
    ? t('bot.say.tooManyApplications', {
        limit: LIMITS.applicationsPerAccount,
        consoleUrl: consoleOf(serverUrl),
      })
    : undefined;
}

export async function takeName(turn: Turn, text: string): Promise<Reply> {
  const name = text.replace(/\s+/g, ' ');
  const length = lengthOf(name);
  if (length === 0)
    return {
      text: turn.t('bot.say.askName', { limit: LIMITS.applicationNameLength }),
      next: { kind: 'name' },
    };
  if (length > LIMITS.applicationNameLength)
    return {
      text: turn.t('bot.say.nameTooLong', { length, limit: LIMITS.applicationNameLength }),
      next: { kind: 'name' },
    };
  return askUsername(turn, name, name);
}

async function askUsername(turn: Turn, name: string, like: string, fault = ''): Promise<Reply> {
  const suggestions = await suggestUsernames(turn, like);
  const { t } = turn;
  const limits = { least: LIMITS.botUsernameMinLength, limit: LIMITS.botUsernameMaxLength };
  const list = numbered(suggestions.map((one) => `@${one}`));
  return {
    text: [fault || t('bot.say.askUsername', limits), list && t('bot.say.suggestions', { list })]
      .filter(Boolean)
      .join('\n'),
    next: { kind: 'username', name, suggestions },
  };
}

export async function takeUsername(
  turn: Turn,
  { name, suggestions }: Extract<Step, { kind: 'username' }>,
  text: string,
): Promise<Reply> {
  const number = readNumber(text);
  const username = (number === undefined ? undefined : suggestions[number]) ?? readUsername(text);
  const fault = findFault(turn, username);
  if (fault !== undefined) return { text: fault, next: { kind: 'username', name, suggestions } };
  if (await isTaken(turn, username))
    return askUsername(turn, name, username, turn.t('bot.say.usernameTaken', { username }));
  const refusal = refuseToMake(turn, 'bots');
  if (refusal !== undefined) return { text: refusal, next: { kind: 'username', name, suggestions } };
  const { deps, personId } = turn;
  const { appId, apiKey } = await deps.applications.create(personId, name, { channel: CHANNEL });
  await deps.bots.create(ownOf(turn, appId), { username });
  noteMade(turn, 'bots');
  return {
    text: turn.t('bot.say.made', { name, username, apiKey, curl: curlOf(turn, apiKey) }),
    next: { kind: 'done' },
    isSecret: true,
  };
}

/** The first rule of the contract's §2 that the username breaks. */
function findFault({ deps, t }: Turn, username: string): string | undefined {
  const { length } = username;
  if (!/^[a-z0-9_]*$/.test(username)) return t('bot.say.usernameCharacters');
  if (length < LIMITS.botUsernameMinLength || length > LIMITS.botUsernameMaxLength)
    return t('bot.say.usernameLength', {
      length,
      least: LIMITS.botUsernameMinLength,
      limit: LIMITS.botUsernameMaxLength,
    });
  if (!username.endsWith('bot')) return t('bot.say.usernameEnd');
  const serviceName = findServiceName(username, deps.config);
  return serviceName === undefined ? undefined : t('bot.say.usernameImpostor', { serviceName });
}

async function isTaken({ deps }: Turn, username: string): Promise<boolean> {
  return (await deps.accounts.findIdByUsername(username, deps.db)) !== undefined;
}

/** Free usernames similar to a name or a username. */
async function suggestUsernames(turn: Turn, like: string): Promise<string[]> {
  const stem = like
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/_?bot$/, '')
    .replace(/^_+|_+$/g, '')
    .slice(0, LIMITS.botUsernameMaxLength - '_2_bot'.length - 1);
  if (stem === '') return [];
  const possible = [
    `${stem}_bot`,
    `${stem}bot`,
    `my_${stem}_bot`,
    `the_${stem}_bot`,
    `${stem}_2_bot`,
    `${stem}_3_bot`,
  ].filter((username) => findFault(turn, username) === undefined);
  const free: string[] = [];
  for (const username of possible) {
    if (free.length < SUGGESTIONS && !(await isTaken(turn, username))) free.push(username);
  }
  return free;
}
