import { LIMITS } from '#contract/limits.ts';
import type { Translate } from '#contract/texts.ts';
import type { OwnBot } from '#features/bots/index.ts';
import type { ApiError } from '#platform/errors.ts';
import { messageIn } from '#platform/texts.ts';
import type { BotTask, Step } from './dialogue.ts';
import { COMMANDS, describeCommands } from './identity.ts';
import {
  type Input,
  numbered,
  readInput,
  readNumber,
  readUsername,
  says,
  shorten,
  splitFirst,
} from './input.ts';
import { startNewBot, takeName, takeUsername } from './new-bot.ts';
import { isCommandList, takeCommands, takeDescription } from './profile.ts';
import { consoleOf, curlOf, noteMade, ownOf, type Reply, refuseToMake, type Turn } from './turn.ts';
import { describeUrl, takeSecretWish, takeWebhook } from './webhook.ts';

/** So that 20 bots fit into one message. */
const SHOWN_NAME_LENGTH = 40;
const SHOWN_URL_LENGTH = { ofFew: 120, ofMany: 30 };
const FEW = 5;

async function showMyBots(turn: Turn): Promise<string> {
  const { deps, personId, t } = turn;
  const bots = await deps.bots.listOwn(personId);
  if (bots.length === 0) return t('bot.say.noBots');
  const applications = await deps.applications.findForDelivery(bots.map(({ appId }) => appId));
  const applicationOf = new Map(applications.map((application) => [application.appId, application]));
  const length = bots.length <= FEW ? SHOWN_URL_LENGTH.ofFew : SHOWN_URL_LENGTH.ofMany;
  const shown: string[] = [];
  for (const bot of bots) {
    const url = describeUrl(applicationOf.get(bot.appId), length, t);
    shown.push(await describe(turn, bot, url ?? t('bot.say.none')));
  }
  return t('bot.say.myBots', { list: shown.join('\n\n') });
}

async function describe({ deps, at, t }: Turn, bot: OwnBot, webhook: string): Promise<string> {
  const event = await deps.webhooks.findLastEvent(bot.appId, deps.db);
  return t('bot.say.bot', {
    name: shorten(bot.name, SHOWN_NAME_LENGTH),
    username: bot.username,
    state: t(`operate.applicationState.${bot.state}`),
    webhook,
    lastEvent: event
      ? `${t(`console.eventState.${event.state}`)}, ${timeAgo(t, at - event.createdAt)}`
      : t('bot.say.noEvent'),
  });
}

function timeAgo(t: Translate, ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return t('bot.say.justNow');
  if (minutes < 60) return t('bot.say.minutesAgo', { count: minutes });
  const hours = Math.floor(minutes / 60);
  return hours < 48
    ? t('bot.say.hoursAgo', { count: hours })
    : t('bot.say.daysAgo', { count: Math.floor(hours / 24) });
}

/** Text after the bot's name in the command answers the next question in advance. */
const TASKS: Record<BotTask, (turn: Turn, bot: OwnBot, rest: string) => Promise<Reply>> = {
  token: async (turn, bot) => askRenewal(turn, bot),
  setdescription: takeDescription,
  setcommands: takeCommands,
  setwebhook: takeWebhook,
};

/**
 * The management bot's answer to a message.
 *
 * @param written undefined for anything that is not text
 * @throws ApiError when a service refuses the request; {@link explainRefusal} then gives the answer
 */
export async function answer(turn: Turn, written: string | undefined): Promise<Reply> {
  const { t } = turn;
  const { step } = turn.dialogue;
  if (written === undefined) return stay(turn, t('bot.say.onlyText'));
  const input = readInput(written);
  const isList = step?.kind === 'commands' && isCommandList(input.text);
  if (input.command !== undefined && !isList) return runCommand(turn, input.command, input);
  if (step) return continueDialogue(turn, step, input.text);
  // Outside of a dialogue the slash may be left out, and a secret may still be shown.
  const { first, rest } = splitFirst(input.text);
  const isCommand = rest === '' && COMMANDS.some((command) => command === first.toLowerCase());
  if (isCommand) return runCommand(turn, first.toLowerCase(), { ...input, argument: '' });
  if (says('done', input.text)) return removeSecrets(turn);
  return { text: t('bot.say.unknown') };
}

/** The answer after a refusal, and the input to wait for next. */
export function explainRefusal(error: ApiError, turn: Turn): Reply {
  const {
    dialogue: { step },
    serverUrl,
    language,
    t,
  } = turn;
  switch (error.code) {
    case 'resource-exhausted':
      return {
        text: t('bot.say.tooManyApplications', {
          limit: LIMITS.applicationsPerAccount,
          consoleUrl: consoleOf(serverUrl),
        }),
      };
    case 'already-exists':
      return { text: t('bot.say.conflict'), next: step };
    case 'not-found':
      return { text: t('bot.say.botGone') };
    default:
      return stay(turn, t('bot.say.refused', { message: messageIn(language, error.said) }));
  }
}

async function runCommand(turn: Turn, command: string, { argument }: Input): Promise<Reply> {
  const { t } = turn;
  const { step } = turn.dialogue;
  switch (command) {
    case 'start':
      return { text: t('bot.say.start') };
    case 'help':
      return stay(turn, t('bot.say.help', { lines: listCommands(t) }));
    case 'cancel':
      return { text: step ? t('bot.say.cancelled') : t('bot.say.nothingToCancel') };
    case 'newbot':
      return startNewBot(turn, argument);
    case 'mybots':
      // Commands that only show something do not cancel the dialogue.
      return stay(turn, await showMyBots(turn));
    case 'token':
    case 'setdescription':
    case 'setcommands':
    case 'setwebhook':
      return chooseBot(turn, command, argument);
    default:
      return stay(turn, t('bot.say.unknownCommand', { command: command.slice(0, 32) }));
  }
}

function listCommands(t: Translate): string {
  return describeCommands(t)
    .map(({ command, description }) => `/${command} - ${description}`)
    .join('\n');
}

async function chooseBot(turn: Turn, task: BotTask, argument: string): Promise<Reply> {
  const { t } = turn;
  const bots = await turn.deps.bots.listOwn(turn.personId);
  const [only, ...others] = bots;
  if (!only) return { text: t('bot.say.noBots') };
  const { first, rest } = splitFirst(argument);
  if (first !== '') {
    const named = findNamed(bots, first);
    if (named) return TASKS[task](turn, named, rest);
    const list = askWhich(turn, bots, task);
    return {
      ...list,
      text: `${t('bot.say.notYours', { name: shorten(first, SHOWN_NAME_LENGTH) })} ${list.text}`,
    };
  }
  return others.length === 0 ? TASKS[task](turn, only, '') : askWhich(turn, bots, task);
}

function askWhich({ t }: Turn, bots: OwnBot[], task: BotTask): Reply {
  const list = numbered(bots.map(({ username, name }) => `@${username} (${name})`));
  const appIds = bots.map(({ appId }) => appId);
  return { text: t('bot.say.which', { list }), next: { kind: 'choice', task, appIds } };
}

function findNamed(bots: OwnBot[], text: string): OwnBot | undefined {
  const username = readUsername(text);
  return bots.find((bot) => bot.username === username);
}

async function continueDialogue(turn: Turn, step: Step, text: string): Promise<Reply> {
  switch (step.kind) {
    case 'name':
      return takeName(turn, text);
    case 'username':
      return takeUsername(turn, step, text);
    case 'choice':
      return takeChoice(turn, step, text);
    case 'done':
      return says('done', text) ? removeSecrets(turn) : askDone(turn);
    default:
      return continueWithBot(turn, step, text);
  }
}

async function takeChoice(turn: Turn, step: Extract<Step, { kind: 'choice' }>, text: string): Promise<Reply> {
  const bots = await turn.deps.bots.listOwn(turn.personId);
  const number = readNumber(text);
  const appId = number === undefined ? undefined : step.appIds[number];
  const chosen =
    appId === undefined
      ? (findNamed(bots, text) ?? bots.find(({ name }) => name.toLowerCase() === text.toLowerCase()))
      : bots.find((bot) => bot.appId === appId);
  if (chosen) return TASKS[step.task](turn, chosen, '');
  if (appId !== undefined) return { text: turn.t('bot.say.botGone') };
  return { text: turn.t('bot.expect.choice'), next: step };
}

/** A step with the bot that was chosen. */
type BotStep = Exclude<Step, { kind: 'name' | 'username' | 'choice' | 'done' }>;

const ANSWERS: Record<BotStep['kind'], (turn: Turn, bot: OwnBot, text: string) => Promise<Reply>> = {
  renewal: takeRenewal,
  description: takeDescription,
  commands: takeCommands,
  webhook: takeWebhook,
  'webhook-secret': takeSecretWish,
};

/** The bot may have been deleted since it was chosen. */
async function continueWithBot(turn: Turn, step: BotStep, text: string): Promise<Reply> {
  const bots = await turn.deps.bots.listOwn(turn.personId);
  const bot = bots.find(({ appId }) => appId === step.appId);
  return bot ? ANSWERS[step.kind](turn, bot, text) : { text: turn.t('bot.say.botGone') };
}

async function removeSecrets(turn: Turn): Promise<Reply> {
  const replaced = await turn.removeSecrets();
  if (!replaced) return askDone(turn);
  return replaced.length > 0
    ? { text: turn.t('bot.say.removed'), replaced }
    : { text: turn.t('bot.say.nothingToRemove') };
}

function askDone({ t }: Turn): Reply {
  return { text: t('bot.say.askDone'), next: { kind: 'done' } };
}

/** An answer after which the bot still waits for what it waited for. */
function stay({ dialogue: { step }, t }: Turn, text: string): Reply {
  return { text: step ? `${text}\n\n${t(`bot.expect.${step.kind}`)}` : text, next: step };
}

function askRenewal(turn: Turn, { appId, username }: OwnBot): Reply {
  const refusal = refuseToMake(turn, 'secrets');
  if (refusal !== undefined) return { text: refusal };
  return { text: turn.t('bot.say.askRenew', { username }), next: { kind: 'renewal', appId } };
}

/** The old key is invalid once this answer commits. */
async function takeRenewal(turn: Turn, bot: OwnBot, text: string): Promise<Reply> {
  const { t } = turn;
  const { appId, username, state } = bot;
  if (says('no', text)) return { text: t('bot.say.kept') };
  const refusal = refuseToMake(turn, 'secrets');
  if (!says('yes', text) || refusal !== undefined)
    return { text: refusal ?? t('bot.say.askRenew', { username }), next: { kind: 'renewal', appId } };
  const apiKey = await turn.deps.applications.regenerateApiKey(ownOf(turn, appId));
  noteMade(turn, 'secrets');
  const renewed = t('bot.say.renewed', { username, apiKey, curl: curlOf(turn, apiKey) });
  return {
    text:
      state === 'active'
        ? renewed
        : `${renewed}\n\n${t('bot.say.asleep', { state: t(`operate.applicationState.${state}`) })}`,
    next: { kind: 'done' },
    isSecret: true,
    afterCommit: (committed) => committed.applications.announceRevocation(appId),
  };
}
