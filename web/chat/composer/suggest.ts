import type { ConversationCommands, Peer } from '#contract/chat.ts';
import { foldText } from '#contract/fold-text.ts';

/** The word at the cursor that can be completed. */
export type Query = { kind: 'command' | 'mention'; typed: string; start: number };

export interface Suggestion {
  key: string;
  /** The text after completion. */
  word: string;
  about: string;
  /** The person that a mention refers to. */
  person?: Peer;
}

const MOST_SHOWN = 50;

/** A command is the first word; a mention can be anywhere, and its name may contain spaces. */
export function queryAt(text: string, caret: number): Query | undefined {
  const before = text.slice(0, caret);
  const command = /^\/([a-z0-9_]*)$/i.exec(before);
  if (command) return { kind: 'command', typed: (command[1] ?? '').toLowerCase(), start: 0 };
  const mention = /(?:^|\s)@([^@\n]{0,40})$/.exec(before);
  if (!mention) return undefined;
  const typed = mention[1] ?? '';
  return { kind: 'mention', typed: typed.toLowerCase(), start: caret - typed.length - 1 };
}

/** With several bots in the conversation, a command names its bot. */
export function suggestCommands(bots: ConversationCommands, typed: string): Suggestion[] {
  return bots
    .flatMap(({ bot, commands }) =>
      commands.map(({ command, description }) => ({
        key: `${bot.userId}/${command}`,
        word: bots.length > 1 && bot.username ? `/${command}@${bot.username}` : `/${command}`,
        about: description,
      })),
    )
    .filter(({ word }) => word.startsWith(`/${typed}`));
}

/** All commands of these bots, as they can appear in a text. */
export function commandWords(bots: ConversationCommands): ReadonlySet<string> {
  const words = bots.flatMap(({ bot, commands }) =>
    commands.flatMap(({ command }) => [
      `/${command}`,
      ...(bot.username ? [`/${command}@${bot.username}`] : []),
    ]),
  );
  return new Set(words);
}

export function suggestMembers(members: readonly Peer[], typed: string, accountId: string): Suggestion[] {
  const beginning = ` ${foldText(typed)}`;
  return members
    .filter(
      ({ userId, name, username, isDeleted }) =>
        userId !== accountId &&
        !isDeleted &&
        (username?.startsWith(typed) || ` ${foldText(name)}`.includes(beginning)),
    )
    .slice(0, MOST_SHOWN)
    .map((person) => ({
      key: person.userId,
      word: `@${person.name}`,
      about: person.username ? `@${person.username}` : '',
      person,
    }));
}

/** Of the members whose names were completed, those that the text still mentions. A name may begin another's. */
export function mentionedIn(text: string, completed: Record<string, string>): string[] {
  const mentioned = new Set<string>();
  let rest = text;
  for (const [name, userId] of Object.entries(completed).sort(([a], [b]) => b.length - a.length)) {
    const parts = rest.split(`@${name}`);
    if (parts.length > 1) mentioned.add(userId);
    rest = parts.join('\n');
  }
  return [...mentioned];
}
