import type { BotCommand } from '#contract/bots.ts';
import type { Translate } from '#contract/texts.ts';
import { type BuiltInBot, type BuiltInBotDeps, installBuiltInBot } from '#features/bots/index.ts';
import type { Platform } from '#platform/platform.ts';
import { textsIn } from '#platform/texts.ts';

/** The same on every installation, so that no process has to look it up (docs/decisions/0014). */
export const MANAGEMENT_BOT_ID = 'usr_000000000000000000000000';

export const COMMANDS = [
  'newbot',
  'mybots',
  'token',
  'setdescription',
  'setcommands',
  'setwebhook',
  'cancel',
  'help',
] as const;

export function describeCommands(t: Translate): BotCommand[] {
  return COMMANDS.map((command) => ({ command, description: t(`bot.command.${command}`) }));
}

/**
 * Creates the management bot, or renames it according to the settings; at every start.
 *
 * @throws if the username in the settings belongs to somebody else
 */
export async function installManagementBot(deps: BuiltInBotDeps & Platform): Promise<void> {
  const { managementBotUsername: username } = deps.config;
  // Everybody sees the same profile.
  const t = textsIn('en');
  const bot: BuiltInBot = {
    accountId: MANAGEMENT_BOT_ID,
    name: t('bot.profile.name'),
    username,
    description: t('bot.profile.description'),
    commands: describeCommands(t),
  };
  if (await installBuiltInBot(deps, bot)) return;
  throw new Error(
    `a bot of somebody on this server is called ${username}: set MANAGEMENT_BOT_USERNAME to a name that is free`,
  );
}
