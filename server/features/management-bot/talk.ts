import type { OwnBot } from '#features/bots/index.ts';
import type { ApiError } from '#platform/errors.ts';
import type { BotTask, Step } from './dialogue.ts';
import { COMMANDS } from './identity.ts';
import { type Input, numbered, readInput, readNumber, readUsername, says, splitFirst } from './input.ts';
import { showMyBots } from './my-bots.ts';
import { startNewBot, takeName, takeUsername } from './new-bot.ts';
import { isCommandList, takeCommands, takeDescription } from './profile.ts';
import { askRenewal, takeRenewal } from './renew-key.ts';
import { TEXTS } from './texts.ts';
import { consoleOf, type Reply, type Turn } from './turn.ts';
import { takeSecretWish, takeWebhook } from './webhook.ts';

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
  const { step } = turn.dialogue;
  if (written === undefined) return { text: withExpectation(TEXTS.onlyText, step), next: step };
  const input = readInput(written);
  const isList = step?.kind === 'commands' && isCommandList(input.text);
  if (input.command !== undefined && !isList) return obey(turn, input.command, input);
  if (step) return goOn(turn, step, input.text);
  // Outside of a dialogue the slash may be left out, and a secret may still be shown.
  const { first, rest } = splitFirst(input.text);
  const isCommand = rest === '' && COMMANDS.some(({ command }) => command === first.toLowerCase());
  if (isCommand) return obey(turn, first.toLowerCase(), { ...input, argument: '' });
  if (says('done', input.text)) return removeSecrets(turn);
  return { text: TEXTS.unknown };
}

/** The answer after a refusal, and the input to wait for next. */
export function explainRefusal({ code, message }: ApiError, { dialogue: { step }, serverUrl }: Turn): Reply {
  switch (code) {
    case 'resource-exhausted':
      return { text: TEXTS.tooManyApplications(consoleOf(serverUrl)) };
    case 'already-exists':
      return { text: TEXTS.conflict, next: step };
    case 'not-found':
      return { text: TEXTS.botGone };
    default:
      return { text: withExpectation(TEXTS.refused(message), step), next: step };
  }
}

async function obey(turn: Turn, command: string, { argument }: Input): Promise<Reply> {
  const { step } = turn.dialogue;
  switch (command) {
    case 'start':
      return { text: TEXTS.start };
    case 'help':
      return { text: withExpectation(TEXTS.help(listCommands()), step), next: step };
    case 'cancel':
      return { text: step ? TEXTS.cancelled : TEXTS.nothingToCancel };
    case 'newbot':
      return startNewBot(turn, argument);
    case 'mybots':
      // Commands that only show something do not cancel the dialogue.
      return { text: withExpectation(await showMyBots(turn), step), next: step };
    case 'token':
    case 'setdescription':
    case 'setcommands':
    case 'setwebhook':
      return chooseBot(turn, command, argument);
    default:
      return { text: withExpectation(TEXTS.unknownCommand(command.slice(0, 32)), step), next: step };
  }
}

function listCommands(): string {
  return COMMANDS.map(({ command, description }) => `/${command} - ${description}`).join('\n');
}

async function chooseBot(turn: Turn, task: BotTask, argument: string): Promise<Reply> {
  const bots = await turn.deps.bots.listOwn(turn.personId);
  const [only, ...others] = bots;
  if (!only) return { text: TEXTS.noBots };
  const { first, rest } = splitFirst(argument);
  if (first !== '') {
    const named = findNamed(bots, first);
    if (named) return begin(turn, task, named, rest);
    const list = askWhich(bots, task);
    return { ...list, text: `${TEXTS.notYours(first.slice(0, 64))} ${list.text}` };
  }
  return others.length === 0 ? begin(turn, task, only, '') : askWhich(bots, task);
}

function askWhich(bots: OwnBot[], task: BotTask): Reply {
  const list = numbered(bots.map(({ username, name }) => `@${username} (${name})`));
  const appIds = bots.map(({ appId }) => appId);
  return { text: TEXTS.which(list), next: { kind: 'choice', task, appIds } };
}

function findNamed(bots: OwnBot[], text: string): OwnBot | undefined {
  const username = readUsername(text);
  return bots.find((bot) => bot.username === username);
}

/** Text after the bot's name in the command answers the next question in advance. */
async function begin(turn: Turn, task: BotTask, bot: OwnBot, rest: string): Promise<Reply> {
  return TASKS[task](turn, bot, rest);
}

async function goOn(turn: Turn, step: Step, text: string): Promise<Reply> {
  switch (step.kind) {
    case 'name':
      return takeName(turn, text);
    case 'username':
      return takeUsername(turn, step, text);
    case 'choice':
      return takeChoice(turn, step, text);
    case 'done':
      return says('done', text) ? removeSecrets(turn) : { text: TEXTS.askDone, next: step };
    default:
      return goOnWithBot(turn, step, text);
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
  if (chosen) return begin(turn, step.task, chosen, '');
  if (appId !== undefined) return { text: TEXTS.botGone };
  return { text: TEXTS.expects.choice, next: step };
}

/** The bot may have been deleted since it was chosen. */
async function goOnWithBot(
  turn: Turn,
  step: Exclude<Step, { kind: 'name' | 'username' | 'choice' | 'done' }>,
  text: string,
): Promise<Reply> {
  const bots = await turn.deps.bots.listOwn(turn.personId);
  const bot = bots.find(({ appId }) => appId === step.appId);
  if (!bot) return { text: TEXTS.botGone };
  switch (step.kind) {
    case 'renewal':
      return takeRenewal(turn, bot, text);
    case 'description':
      return takeDescription(turn, bot, text);
    case 'commands':
      return takeCommands(turn, bot, text);
    case 'webhook':
      return takeWebhook(turn, bot, text);
    case 'webhook-secret':
      return takeSecretWish(turn, bot, text);
    default:
      return step satisfies never;
  }
}

async function removeSecrets(turn: Turn): Promise<Reply> {
  const replaced = await turn.removeSecrets();
  return replaced.length > 0 ? { text: TEXTS.removed, replaced } : { text: TEXTS.nothingToRemove };
}

function withExpectation(text: string, step: Step | undefined): string {
  return step ? `${text}\n\n${TEXTS.expects[step.kind]}` : text;
}
