import type { BotCommand } from '#contract/bots.ts';
import { LIMITS } from '#contract/limits.ts';
import type { OwnBot } from '#features/bots/index.ts';
import { lengthOf, says, shorten } from './input.ts';
import { TEXTS } from './texts.ts';
import { ownOf, type Reply, type Turn } from './turn.ts';

const SHOWN_FAULTS = 8;
const SHOWN_LINE_LENGTH = 60;
const SHOWN_COMMANDS_LENGTH = 2_000;

function askDescription({ appId, username, description }: OwnBot): Reply {
  return { text: TEXTS.askDescription(username, description), next: { kind: 'description', appId } };
}

export async function takeDescription(turn: Turn, bot: OwnBot, text: string): Promise<Reply> {
  const { appId, username } = bot;
  if (text === '') return askDescription(bot);
  const description = says('empty', text) ? '' : text;
  const length = lengthOf(description);
  if (length > LIMITS.botDescriptionLength)
    return { text: TEXTS.descriptionTooLong(length), next: { kind: 'description', appId } };
  await turn.deps.bots.change(ownOf(turn, appId), { description });
  return { text: description === '' ? TEXTS.undescribed(username) : TEXTS.described(username) };
}

function askCommands({ appId, username, commands }: OwnBot): Reply {
  const current = commands.map(({ command, description }) => `${command} - ${description}`).join('\n');
  const text = TEXTS.askCommands(username, shorten(current, SHOWN_COMMANDS_LENGTH));
  return { text, next: { kind: 'commands', appId } };
}

/** Replaces all commands. A single wrong line leaves all unchanged. */
export async function takeCommands(turn: Turn, bot: OwnBot, text: string): Promise<Reply> {
  const { appId, username } = bot;
  if (text === '') return askCommands(bot);
  const next = { kind: 'commands' as const, appId };
  const { commands, faults, lowered } = says('empty', text)
    ? { commands: [], faults: [], lowered: [] }
    : readCommands(text);
  if (faults.length > 0) {
    const shown = faults.slice(0, SHOWN_FAULTS);
    if (faults.length > shown.length) shown.push(TEXTS.moreFaults(faults.length - shown.length));
    return { text: TEXTS.commandsFaulty(shown.join('\n')), next };
  }
  if (commands.length > LIMITS.botCommands) return { text: TEXTS.tooManyCommands(commands.length), next };
  await turn.deps.bots.change(ownOf(turn, appId), { commands });
  if (commands.length === 0) return { text: TEXTS.uncommanded(username) };
  return {
    text: TEXTS.commanded(username, commands.length, describeChanges(bot.commands, commands, lowered)),
  };
}

/** The result for each command, and the parts of a name that were changed. */
function describeChanges(
  before: readonly BotCommand[],
  after: readonly BotCommand[],
  lowered: readonly string[],
): string {
  const old = new Map(before.map(({ command, description }) => [command, description]));
  const fresh = new Set(after.map(({ command }) => command));
  const added = after.filter(({ command }) => !old.has(command));
  const changed = after.filter(
    ({ command, description }) => old.has(command) && old.get(command) !== description,
  );
  const kept = after.filter(({ command, description }) => old.get(command) === description);
  const removed = before.filter(({ command }) => !fresh.has(command));
  const list = (commands: readonly BotCommand[]) =>
    shorten(commands.map(({ command }) => `/${command}`).join(' '), SHOWN_COMMANDS_LENGTH);
  return [
    added.length > 0 && TEXTS.commandsAdded(list(added)),
    changed.length > 0 && TEXTS.commandsChanged(list(changed)),
    removed.length > 0 && TEXTS.commandsRemoved(list(removed)),
    kept.length > 0 && TEXTS.commandsKept(list(kept)),
    lowered.length > 0 && TEXTS.commandsLowered(shorten(lowered.join(', '), SHOWN_COMMANDS_LENGTH)),
  ]
    .filter((line) => line !== false)
    .join('\n');
}

const LINE = /^\/?(\S+)\s*[-–—:]\s*(.*\S)$/;

/** Whether a text is a list of commands, although it begins with a slash. */
export function isCommandList(text: string): boolean {
  return /^\/?[a-z0-9_]+\s*[-–—]\s*\S/i.test(text);
}

interface ReadCommands {
  commands: BotCommand[];
  faults: string[];
  /** Names that were written with capitals, and how they are stored. */
  lowered: string[];
}

/** One command per line: `name - description`, with or without a slash, with any number of spaces. */
export function readCommands(text: string): ReadCommands {
  const commands: BotCommand[] = [];
  const faults: string[] = [];
  const lowered: string[] = [];
  const seen = new Set<string>();
  for (const [i, line] of text.split(/\r\n|\r|\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === '') continue;
    const [, name, description] = LINE.exec(trimmed) ?? [];
    const command = name?.toLowerCase() ?? '';
    const fault = description === undefined ? TEXTS.lineForm : checkCommand({ command, description }, seen);
    if (fault !== undefined) faults.push(`line ${i + 1}, “${shorten(trimmed, SHOWN_LINE_LENGTH)}”: ${fault}`);
    seen.add(command);
    if (name !== undefined && name !== command) lowered.push(`${name} → ${command}`);
    commands.push({ command, description: description ?? '' });
  }
  return { commands, faults, lowered };
}

function checkCommand({ command, description }: BotCommand, seen: ReadonlySet<string>): string | undefined {
  if (!/^[a-z0-9_]+$/.test(command)) return TEXTS.lineName;
  if (command.length > LIMITS.botCommandNameLength) return TEXTS.lineNameLength(command.length);
  const length = lengthOf(description);
  if (length > LIMITS.botCommandDescriptionLength) return TEXTS.lineDescriptionLength(length);
  return seen.has(command) ? TEXTS.lineTwice : undefined;
}
