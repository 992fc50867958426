import type { BotCommand } from '#contract/bots.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Translate } from '#contract/texts.ts';
import type { OwnBot } from '#features/bots/index.ts';
import { lengthOf, says, shorten } from './input.ts';
import { ownOf, type Reply, type Turn } from './turn.ts';

const SHOWN_FAULTS = 8;
const SHOWN_LINE_LENGTH = 60;
const SHOWN_COMMANDS_LENGTH = 2_000;

function askDescription({ t }: Turn, { appId, username, description }: OwnBot): Reply {
  const asked = t('bot.say.askDescription', { username, limit: LIMITS.botDescriptionLength });
  const current = description && `\n\n${t('bot.say.currentDescription', { description })}`;
  return { text: asked + current, next: { kind: 'description', appId } };
}

export async function takeDescription(turn: Turn, bot: OwnBot, text: string): Promise<Reply> {
  const { t } = turn;
  const { appId, username } = bot;
  if (text === '') return askDescription(turn, bot);
  const description = says('empty', text) ? '' : text;
  const length = lengthOf(description);
  if (length > LIMITS.botDescriptionLength)
    return {
      text: t('bot.say.descriptionTooLong', { length, limit: LIMITS.botDescriptionLength }),
      next: { kind: 'description', appId },
    };
  await turn.deps.bots.change(ownOf(turn, appId), { description });
  return {
    text: description === '' ? t('bot.say.undescribed', { username }) : t('bot.say.described', { username }),
  };
}

function askCommands({ t }: Turn, { appId, username, commands }: OwnBot): Reply {
  const lines = commands.map(({ command, description }) => `${command} - ${description}`).join('\n');
  const asked = t('bot.say.askCommands', { username, limit: LIMITS.botCommands });
  const current =
    lines && `\n\n${t('bot.say.currentCommands', { commands: shorten(lines, SHOWN_COMMANDS_LENGTH) })}`;
  return { text: asked + current, next: { kind: 'commands', appId } };
}

/** Replaces all commands. A single wrong line leaves all unchanged. */
export async function takeCommands(turn: Turn, bot: OwnBot, text: string): Promise<Reply> {
  const { t } = turn;
  const { appId, username } = bot;
  if (text === '') return askCommands(turn, bot);
  const next = { kind: 'commands' as const, appId };
  const { commands, faults, lowered } = says('empty', text)
    ? { commands: [], faults: [], lowered: [] }
    : readCommands(text, t);
  if (faults.length > 0) {
    const shown = faults.slice(0, SHOWN_FAULTS);
    if (faults.length > shown.length)
      shown.push(t('bot.say.moreFaults', { count: faults.length - shown.length }));
    return { text: t('bot.say.commandsFaulty', { faults: shown.join('\n') }), next };
  }
  if (commands.length > LIMITS.botCommands)
    return {
      text: t('bot.say.tooManyCommands', { count: commands.length, limit: LIMITS.botCommands }),
      next,
    };
  await turn.deps.bots.change(ownOf(turn, appId), { commands });
  if (commands.length === 0) return { text: t('bot.say.uncommanded', { username }) };
  return {
    text: `${t('bot.say.commanded', { username, count: commands.length })}\n\n${describeChanges(t, bot.commands, commands, lowered)}`,
  };
}

/** The result for each command, and the parts of a name that were changed. */
function describeChanges(
  t: Translate,
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
    added.length > 0 && t('bot.say.commandsAdded', { names: list(added) }),
    changed.length > 0 && t('bot.say.commandsChanged', { names: list(changed) }),
    removed.length > 0 && t('bot.say.commandsRemoved', { names: list(removed) }),
    kept.length > 0 && t('bot.say.commandsKept', { names: list(kept) }),
    lowered.length > 0 &&
      t('bot.say.commandsLowered', { names: shorten(lowered.join(', '), SHOWN_COMMANDS_LENGTH) }),
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
export function readCommands(text: string, t: Translate): ReadCommands {
  const commands: BotCommand[] = [];
  const faults: string[] = [];
  const lowered: string[] = [];
  const seen = new Set<string>();
  for (const [i, line] of text.split(/\r\n|\r|\n/).entries()) {
    const trimmed = line.trim();
    if (trimmed === '') continue;
    const [, name, description] = LINE.exec(trimmed) ?? [];
    const command = name?.toLowerCase() ?? '';
    const fault =
      description === undefined ? t('bot.say.lineForm') : checkCommand({ command, description }, seen, t);
    if (fault !== undefined)
      faults.push(
        t('bot.say.faultyLine', { number: i + 1, line: shorten(trimmed, SHOWN_LINE_LENGTH), fault }),
      );
    seen.add(command);
    if (name !== undefined && name !== command) lowered.push(`${name} → ${command}`);
    commands.push({ command, description: description ?? '' });
  }
  return { commands, faults, lowered };
}

function checkCommand(
  { command, description }: BotCommand,
  seen: ReadonlySet<string>,
  t: Translate,
): string | undefined {
  if (!/^[a-z0-9_]+$/.test(command)) return t('bot.say.lineName');
  if (command.length > LIMITS.botCommandNameLength)
    return t('bot.say.lineNameLength', { length: command.length, limit: LIMITS.botCommandNameLength });
  const length = lengthOf(description);
  if (length > LIMITS.botCommandDescriptionLength)
    return t('bot.say.lineDescriptionLength', { length, limit: LIMITS.botCommandDescriptionLength });
  return seen.has(command) ? t('bot.say.lineTwice') : undefined;
}
