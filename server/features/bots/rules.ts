import type { BotCommand } from '#contract/bots.ts';

/** The first duplicate command: people could not tell which of the two they choose. */
export function findRepeatedCommand(commands: readonly BotCommand[]): string | undefined {
  const seen = new Set<string>();
  for (const { command } of commands) {
    if (seen.has(command)) return command;
    seen.add(command);
  }
  return undefined;
}
