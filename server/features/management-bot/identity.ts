import type { BotCommand } from '#contract/bots.ts';
import { type BuiltInBot, type BuiltInBotDeps, installBuiltInBot } from '#features/bots/index.ts';
import type { Platform } from '#platform/platform.ts';
import { TEXTS } from './texts.ts';

/** The same on every installation, so that no process has to look it up (docs/decisions/0014). */
export const MANAGEMENT_BOT_ID = 'usr_000000000000000000000000';

export const COMMANDS: readonly BotCommand[] = [
  { command: 'newbot', description: TEXTS.commands.newbot },
  { command: 'mybots', description: TEXTS.commands.mybots },
  { command: 'token', description: TEXTS.commands.token },
  { command: 'setdescription', description: TEXTS.commands.setdescription },
  { command: 'setcommands', description: TEXTS.commands.setcommands },
  { command: 'setwebhook', description: TEXTS.commands.setwebhook },
  { command: 'cancel', description: TEXTS.commands.cancel },
  { command: 'help', description: TEXTS.commands.help },
];

/**
 * Creates the management bot, or renames it according to the settings; at every start.
 *
 * @throws if the username in the settings belongs to somebody else
 */
export async function installManagementBot(deps: BuiltInBotDeps & Pick<Platform, 'config'>): Promise<void> {
  const { managementBotUsername: username } = deps.config;
  const bot: BuiltInBot = {
    accountId: MANAGEMENT_BOT_ID,
    name: TEXTS.name,
    username,
    description: TEXTS.description,
    commands: [...COMMANDS],
  };
  if (await installBuiltInBot(deps, bot)) return;
  throw new Error(
    `a bot of somebody on this server is called ${username}: set MANAGEMENT_BOT_USERNAME to a name that is free`,
  );
}
