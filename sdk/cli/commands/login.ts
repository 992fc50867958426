import { Bot } from '../../bot.ts';
import { isApiKey, serverOf } from '../access.ts';
import { type Command, UsageError } from '../command.ts';
import { readConfig, writeConfig } from '../config-file.ts';

export const loginCommand: Command = {
  name: 'login',
  parameters: [],
  options: {
    server: 'address of Parley (http://localhost:3000)',
    key: 'API key of the bot; prompted for if omitted, so that it stays out of the shell’s history',
    secret: 'webhook secret of the application, for "parley listen"',
  },
  about: 'store the server and an API key for the other commands',
  async run({ environment, ask }, { options }) {
    const earlier = await readConfig(environment);
    const server = serverOf(options['server'] ?? environment['PARLEY_URL'] ?? earlier.server);
    const key = options['key'] ?? (await ask(`API key of the bot at ${server}: `, { isSecret: true }));
    if (!isApiKey(key)) throw new UsageError('an API key consists of xk_live_ and 64 hex digits');
    const { name, username, appId } = await new Bot({ baseUrl: server, apiKey: key, retries: 0 }).getMe();
    const secret = options['secret'] ?? (key === earlier.key ? earlier.secret : undefined);
    const path = await writeConfig(environment, { server, key, ...(secret && { secret }) });
    return {
      text: `You act as ${name} (@${username}) at ${server}. Stored in ${path}, which only you can read.`,
      data: { server, appId, name, username, path },
    };
  },
};
