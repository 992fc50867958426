import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Bot } from '../bot.ts';
import { ParleyError } from '../error.ts';
import type { ServiceRequest } from '../service.ts';
import { callApi, findAccess, requireApiKey, requireWebhookSecret, serverOf } from './access.ts';
import { ACCESS_OPTIONS, type Command, type CommandTerminal, type Terminal } from './command.ts';
import { completionCommand } from './commands/completion.ts';
import { deadLettersCommand, eventsCommand, replayCommand } from './commands/events.ts';
import { listenCommand } from './commands/listen.ts';
import { logsCommand } from './commands/logs.ts';
import { triggerCommand } from './commands/trigger.ts';
import { readConfig, writeConfig } from './config-file.ts';
import { runProgram, UsageError } from './kit.ts';

const loginCommand: Command = {
  name: 'login',
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
    requireApiKey(key);
    if (options['secret']) requireWebhookSecret(options['secret']);
    const { name, username, appId } = await new Bot({ baseUrl: server, apiKey: key, retries: 0 }).getMe();
    const secret = options['secret'] ?? (key === earlier.key ? earlier.secret : undefined);
    const path = await writeConfig(environment, { server, key, ...(secret && { secret }) });
    return {
      text: `You act as ${name} (@${username}) at ${server}. Stored in ${path}, which only you can read.`,
      data: { server, appId, name, username, path },
    };
  },
};

const sendCommand: Command = {
  name: 'send',
  parameters: ['<to>', '<text>'],
  options: ACCESS_OPTIONS,
  flags: { group: '<to> is a group' },
  about: 'send a text as the bot, to a userId or, with --group, a groupId',
  async run(terminal, typed) {
    const [to = '', content = ''] = typed.args;
    if (content.trim() === '') throw new UsageError('there is no text to send');
    const { bot } = await findAccess(terminal, typed);
    const { signal } = terminal;
    const sent = typed.flags.has('group')
      ? await bot.sendGroupMessage({ groupId: to, type: 'text', content }, { signal })
      : await bot.sendMessage({ to, type: 'text', content }, { signal });
    return { text: `sent ${sent.msgId}`, data: sent };
  },
};

const METHODS: readonly ServiceRequest['method'][] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const apiCommand: Command = {
  name: 'api',
  parameters: ['<method>', '<path>'],
  choices: { '<method>': METHODS },
  options: { data: 'JSON body; @file reads it from a file', ...ACCESS_OPTIONS },
  about: 'call the API as the bot, such as "parley api GET /v1/me", and print the answer',
  async run(terminal, typed) {
    const [method, path = ''] = typed.args as [ServiceRequest['method'], string];
    if (!path.startsWith('/')) throw new UsageError('the path must begin with /, such as /v1/me');
    if (method === 'GET' && typed.options['data'] !== undefined)
      throw new UsageError(
        'a GET has no body: put the parameters into the path, as in "/v1/events?limit=10"',
      );
    const access = await findAccess(terminal, typed);
    const body = await bodyOf(typed.options['data']);
    const { signal } = terminal;
    const answer = await callApi(access, { method, path, body, signal });
    return { text: JSON.stringify(answer, undefined, 2), data: answer };
  },
};

async function bodyOf(data: string | undefined): Promise<unknown> {
  if (data === undefined) return undefined;
  const text = data.startsWith('@') ? await readFile(data.slice(1), 'utf8') : data;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`--data is not valid JSON: ${(error as Error).message}`);
  }
}

/** In the order of the help. */
const COMMANDS: readonly Command[] = [
  loginCommand,
  listenCommand,
  triggerCommand,
  sendCommand,
  eventsCommand,
  deadLettersCommand,
  replayCommand,
  logsCommand,
  apiCommand,
];

/** Runs the command in the arguments; returns the exit code. */
export async function runCommandLine(given: readonly string[], terminal: Terminal): Promise<number> {
  const commands = [...COMMANDS, completionCommand(COMMANDS)];
  const group = { words: commands.map(({ name }) => name), load: async () => commands };
  return runProgram<CommandTerminal>(
    {
      call: 'parley',
      groups: [group],
      notes: ['"parley --version" prints the version. Exit codes: 0 done; 1 failed; 2 wrong usage.'],
      version: readVersion,
      run: (command, typed, isJson) => command.run(terminalFor(terminal, isJson), typed),
      explain,
    },
    given,
    terminal,
  );
}

/** With --json, only results go to the standard output. */
function terminalFor(terminal: Terminal, isJson: boolean): CommandTerminal {
  return {
    ...terminal,
    print: isJson ? terminal.printError : terminal.print,
    report: (text, data) => terminal.print(isJson ? JSON.stringify(data) : text),
  };
}

function readVersion(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

function explain(error: unknown): string {
  if (!(error instanceof ParleyError)) return error instanceof Error ? error.message : String(error);
  if (error.code === 'unreachable') return `Parley cannot be reached: ${error.message}`;
  return `Parley answered ${error.status} ${error.code}: ${error.message}`;
}
