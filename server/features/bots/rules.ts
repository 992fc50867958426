import type { BotCommand } from '#contract/bots.ts';

/** Whether a username contains the service's own name, in whatever case the operator wrote it (contract §2, Bot). */
export function isServiceImpostor(username: string, serviceName: string | undefined): boolean {
  return serviceName !== undefined && username.includes(serviceName.toLowerCase());
}

/** The first command that comes twice: people could not tell which of the two they choose. */
export function findRepeatedCommand(commands: readonly BotCommand[]): string | undefined {
  const seen = new Set<string>();
  for (const { command } of commands) {
    if (seen.has(command)) return command;
    seen.add(command);
  }
  return undefined;
}
