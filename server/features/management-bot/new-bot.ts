import type { UsernameFault } from '#contract/bots.ts';
import { LIMITS } from '#contract/limits.ts';
import { findServiceName } from '#features/accounts/index.ts';
import { displayName } from '#platform/display-name.ts';
import type { Step } from './dialogue.ts';
import { lengthOf, numbered, readNumber, readUsername } from './input.ts';
import { CHANNEL, consoleOf, curlOf, noteMade, ownOf, type Reply, refuseToMake, type Turn } from './turn.ts';

export async function startNewBot(turn: Turn, name: string): Promise<Reply> {
  const refusal = refuseToMake(turn, 'bots') ?? (await refuseOneMore(turn));
  if (refusal !== undefined) return { text: refusal };
  return takeName(turn, name);
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
  const limit = LIMITS.applicationNameLength;
  const next = { kind: 'name' as const };
  if (displayName(name) === undefined) return { text: turn.t('bot.say.askName', { limit }), next };
  if (length > limit) return { text: turn.t('bot.say.nameTooLong', { length, limit }), next };
  return askUsername(turn, name, name);
}

async function askUsername(turn: Turn, name: string, like: string, fault = ''): Promise<Reply> {
  const suggestions = await turn.deps.bots.suggestUsernames(like);
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
  step: Extract<Step, { kind: 'username' }>,
  text: string,
): Promise<Reply> {
  const { name, suggestions } = step;
  const number = readNumber(text);
  const username = (number === undefined ? undefined : suggestions[number]) ?? readUsername(text);
  const fault = await turn.deps.bots.findUsernameFault(username);
  if (fault === 'taken')
    return askUsername(turn, name, username, turn.t('bot.say.usernameTaken', { username }));
  if (fault !== undefined) return { text: sayFault(turn, username, fault), next: step };
  const refusal = refuseToMake(turn, 'bots');
  if (refusal !== undefined) return { text: refusal, next: step };
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

function sayFault({ deps, t }: Turn, username: string, fault: Exclude<UsernameFault, 'taken'>): string {
  switch (fault) {
    case 'characters':
      return t('bot.say.usernameCharacters');
    case 'length':
      return t('bot.say.usernameLength', {
        length: username.length,
        least: LIMITS.botUsernameMinLength,
        limit: LIMITS.botUsernameMaxLength,
      });
    case 'ending':
      return t('bot.say.usernameEnd');
    case 'reserved':
      return t('bot.say.usernameImpostor', { serviceName: findServiceName(username, deps.config) ?? '' });
    default:
      return fault satisfies never;
  }
}
