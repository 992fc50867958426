import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Bot } from '../bot.ts';
import { ParleyError } from '../error.ts';
import type { ServiceRequest } from '../service.ts';
import { findAccess, isApiKey, serverOf } from './access.ts';
import { callApi } from './call-api.ts';
import {
  ACCESS_OPTIONS,
  type Command,
  type CommandTerminal,
  type Outcome,
  type Terminal,
  type Typed,
  UsageError,
} from './command.ts';
import { completionCommand } from './commands/completion.ts';
import { deadLettersCommand, eventsCommand, replayCommand } from './commands/events.ts';
import { listenCommand } from './commands/listen.ts';
import { logsCommand } from './commands/logs.ts';
import { triggerCommand } from './commands/trigger.ts';
import { readConfig, writeConfig } from './config-file.ts';

const loginCommand: Command = {
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

const METHODS: readonly ServiceRequest['method'][] = ['GET', 'POST', 'PATCH', 'DELETE'];

const apiCommand: Command = {
  name: 'api',
  parameters: ['<method>', '<path>'],
  choices: { '<method>': METHODS },
  options: { data: 'JSON body; @file reads it from a file', ...ACCESS_OPTIONS },
  about: 'call the API as the bot, such as "parley api GET /v1/me", and print the answer',
  async run(terminal, typed) {
    const [method, path = ''] = typed.args as [ServiceRequest['method'], string];
    if (!path.startsWith('/')) throw new UsageError('the path must begin with /, such as /v1/me');
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
  const words = given[0] === 'help' ? [...given.slice(1), '--help'] : given;
  const commands = [...COMMANDS, completionCommand(COMMANDS)];
  const command = commands.find(({ name }) => name === words.find((word) => !word.startsWith('-')));
  try {
    const typed = readTyped(words, command, commands);
    if (typed === 'help') {
      terminal.print(command ? usage(command) : overview(commands));
      return 0;
    }
    if (typed === 'version') {
      terminal.print(readVersion());
      return 0;
    }
    const isJson = typed.flags.has('json');
    const outcome = await (command as Command).run(terminalFor(terminal, isJson), typed);
    return show(outcome, isJson, terminal);
  } catch (error) {
    terminal.printError(`parley: ${explain(error)}`);
    if (!(error instanceof UsageError)) return 1;
    terminal.printError(command ? `See "parley ${command.name} --help".` : 'See "parley --help".');
    return 2;
  }
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

function readTyped(
  words: readonly string[],
  command: Command | undefined,
  commands: readonly Command[],
): Typed | 'help' | 'version' {
  const { values, positionals } = parse(words, command);
  if (values['help']) return 'help';
  if (values['version']) return 'version';
  const [name, ...args] = positionals;
  if (name === undefined) throw new UsageError('no command given');
  if (!command) {
    const names = commands.map((one) => one.name);
    throw new UsageError(`there is no command "${name}"${hint(name, names)}`);
  }
  checkArguments(command, args);
  const given = Object.entries(values);
  const options = given.filter((one): one is [string, string] => typeof one[1] === 'string');
  return {
    args: args.map((value, i) => choose(command, command.parameters[i] ?? '', value)),
    options: Object.fromEntries(
      options.map(([option, value]) => [option, choose(command, `--${option}`, value)]),
    ),
    flags: new Set(given.filter(([, value]) => value === true).map(([flag]) => flag)),
  };
}

function parse(words: readonly string[], command: Command | undefined) {
  const texts = Object.keys(command?.options ?? {}).map((name) => [name, { type: 'string' }] as const);
  const flags = [...Object.keys(command?.flags ?? {}), 'json'].map(
    (name) => [name, { type: 'boolean' }] as const,
  );
  const help = { type: 'boolean', short: 'h' } as const;
  const known: Record<string, { type: 'string' | 'boolean'; short?: string }> = {
    ...Object.fromEntries([...texts, ...flags]),
    help,
    ...(!command && { version: { type: 'boolean' } }),
  };
  try {
    return parseArgs({ args: [...words], allowPositionals: true, options: known });
  } catch (error) {
    const [, wrong = ''] = /Unknown option '--([\w-]+)'/.exec((error as Error).message) ?? [];
    if (!wrong) throw new UsageError((error as Error).message);
    const options = Object.keys(known).map((name) => `--${name}`);
    throw new UsageError(`there is no option "--${wrong}"${hint(`--${wrong}`, options)}`);
  }
}

function hint(typed: string, words: readonly string[]): string {
  const meant = suggest(typed, words);
  return meant ? `; did you mean "${meant}"?` : '';
}

/** The canonical spelling of the value, ignoring case. @throws UsageError for a value that is not allowed */
function choose({ choices = {} }: Command, name: string, value: string): string {
  const known = choices[name];
  const chosen = known?.find((one) => one.toLowerCase() === value.toLowerCase());
  if (!known || chosen) return chosen ?? value;
  const what = name.startsWith('-') ? name : `the ${name.slice(1, -1)}`;
  throw new UsageError(`${what} must be one of ${known.join(', ')}${hint(value, known)}`);
}

function checkArguments({ name, parameters }: Command, args: readonly string[]): void {
  const least = parameters.filter((parameter) => parameter.startsWith('<')).length;
  const most = parameters.some((parameter) => parameter.includes('…'))
    ? Number.POSITIVE_INFINITY
    : parameters.length;
  if (args.length >= least && args.length <= most) return;
  throw new UsageError(`${name} takes ${parameters.join(' ') || 'nothing else'}`);
}

function show({ text, data, exitCode = 0 }: Outcome, isJson: boolean, { print }: Terminal): number {
  const shown = isJson ? JSON.stringify(data, undefined, 2) : text;
  if (shown) print(shown);
  return exitCode;
}

function explain(error: unknown): string {
  if (!(error instanceof ParleyError)) return error instanceof Error ? error.message : String(error);
  if (error.code === 'unreachable') return `Parley cannot be reached: ${error.message}`;
  return `Parley answered ${error.status} ${error.code}: ${error.message}`;
}

function overview(commands: readonly Command[]): string {
  const rows = commands.map(
    ({ name, parameters, about }) => [[name, ...parameters].join(' '), about] as const,
  );
  return [
    'Usage: parley <command>',
    '',
    ...table(rows),
    '',
    'Every command has --help, which lists its options, and --json, which prints the result as JSON.',
    '"parley --version" prints the version. Exit codes: 0 done; 1 failed; 2 wrong usage.',
  ].join('\n');
}

function usage({ name, parameters, options = {}, flags = {}, about }: Command): string {
  const rows = [
    ...Object.entries(options).map(([option, what]) => [`--${option} <value>`, what] as const),
    ...Object.entries({ ...flags, json: 'print as JSON', help: 'print this' }).map(
      ([flag, what]) => [`--${flag}`, what] as const,
    ),
  ];
  return [
    `Usage: parley ${[name, ...parameters].join(' ')} [options]`,
    '',
    `${about[0]?.toUpperCase()}${about.slice(1)}.`,
    '',
    ...table(rows),
  ].join('\n');
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([call]) => call.length));
  return rows.map(([call, what]) => `  ${call.padEnd(width)}   ${what}`);
}

/** The closest of the words, if one is similar enough. */
function suggest(typed: string, words: readonly string[]): string | undefined {
  const [nearest] = words
    .map((word) => ({ word, distance: distance(typed, word) }))
    .sort((a, b) => a.distance - b.distance);
  return nearest && nearest.distance <= Math.max(1, Math.floor(typed.length / 3)) ? nearest.word : undefined;
}

/** The edit distance: letters to insert, delete, replace or swap with their neighbour. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
          isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
