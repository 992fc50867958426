import type { BotCommand } from '#contract/bots.ts';
import type { Config } from '#platform/config.ts';

/**
 * The service's own name in a username, if it is there, in whatever case the operator wrote it (contract §2, Bot). Where no
 * name is set it is Parley.
 */
export function findServiceName(
  username: string,
  { serviceName = 'Parley' }: Pick<Config, 'serviceName'>,
): string | undefined {
  return username.includes(serviceName.toLowerCase()) ? serviceName : undefined;
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
