import type { OwnBot } from '#features/bots/index.ts';
import type { ApiError } from '#platform/errors.ts';
import type { BotTask, Step } from './dialogue.ts';
import { COMMANDS } from './identity.ts';
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
import { TEXTS } from './texts.ts';
import { consoleOf, noteMade, ownOf, type Reply, refuseToMake, type Turn } from './turn.ts';
import { describeUrl, takeSecretWish, takeWebhook } from './webhook.ts';

/** So that 20 bots fit into one message. */
const SHOWN_NAME_LENGTH = 40;
const SHOWN_URL_LENGTH = { ofFew: 120, ofMany: 30 };
const FEW = 5;

async function showMyBots(turn: Turn): Promise<string> {
  const { deps, personId } = turn;
  const bots = await deps.bots.listOwn(personId);
  if (bots.length === 0) return TEXTS.noBots;
  const applications = await deps.applications.findForDelivery(bots.map(({ appId }) => appId));
  const applicationOf = new Map(applications.map((application) => [application.appId, application]));
  const length = bots.length <= FEW ? SHOWN_URL_LENGTH.ofFew : SHOWN_URL_LENGTH.ofMany;
  const shown: string[] = [];
  for (const bot of bots) {
    const url = describeUrl(applicationOf.get(bot.appId), length);
    shown.push(await describe(turn, bot, url ?? TEXTS.none));
  }
  return TEXTS.myBots(shown.join('\n\n'));
}

async function describe({ deps, at }: Turn, bot: OwnBot, webhook: string): Promise<string> {
  const event = await deps.webhooks.findLastEvent(bot.appId, deps.db);
  return TEXTS.bot({
    ...bot,
    name: shorten(bot.name, SHOWN_NAME_LENGTH),
    webhook,
    lastEvent: event ? `${event.state}, ${TEXTS.ago(at - event.createdAt)}` : TEXTS.none,
  });
}

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
  if (input.command !== undefined && !isList) return runCommand(turn, input.command, input);
  if (step) return continueDialogue(turn, step, input.text);
  // Outside of a dialogue the slash may be left out, and a secret may still be shown.
  const { first, rest } = splitFirst(input.text);
  const isCommand = rest === '' && COMMANDS.some(({ command }) => command === first.toLowerCase());
  if (isCommand) return runCommand(turn, first.toLowerCase(), { ...input, argument: '' });
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

async function runCommand(turn: Turn, command: string, { argument }: Input): Promise<Reply> {
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

async function continueDialogue(turn: Turn, step: Step, text: string): Promise<Reply> {
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

function askRenewal(turn: Turn, { appId, username }: OwnBot): Reply {
  const refusal = refuseToMake(turn, 'secrets');
  if (refusal !== undefined) return { text: refusal };
  return { text: TEXTS.askRenew(username), next: { kind: 'renewal', appId } };
}

/** The old key is invalid once this answer commits. */
async function takeRenewal(turn: Turn, bot: OwnBot, text: string): Promise<Reply> {
  const { appId, username, state } = bot;
  if (says('no', text)) return { text: TEXTS.kept };
  const refusal = refuseToMake(turn, 'secrets');
  if (!says('yes', text) || refusal !== undefined)
    return { text: refusal ?? TEXTS.askRenew(username), next: { kind: 'renewal', appId } };
  const apiKey = await turn.deps.applications.regenerateApiKey(ownOf(turn, appId));
  noteMade(turn, 'secrets');
  const renewed = TEXTS.renewed({ username, apiKey, url: turn.serverUrl });
  return {
    text: state === 'active' ? renewed : renewed + TEXTS.asleep(state),
    next: { kind: 'done' },
    isSecret: true,
    afterCommit: (committed) => committed.applications.announceRevocation(appId),
  };
}
