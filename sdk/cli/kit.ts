import { parseArgs } from 'node:util';

/** The arguments typed after the name of a command. */
export interface Typed {
  args: readonly string[];
  options: Readonly<Record<string, string>>;
  flags: ReadonlySet<string>;
}

/** The result of a command: for people, for programs (`--json`), and for the shell. */
export interface Outcome {
  text: string;
  data: unknown;
  /** 0, unless the command itself has found a fault. */
  exitCode?: number;
}

/** A command; the message of what it throws is shown as one line. */
export interface Command<Context> {
  /** One or more words: `backup verify` is a different command from `backup`. */
  name: string;
  /** Positional arguments as shown in the help: `<userId>`, or `<id…>`, which takes several. All are required. */
  parameters?: readonly string[];
  /** Options given as `--name value`, with their descriptions. */
  options?: Readonly<Record<string, string>>;
  /** Flags given as `--name`, with their descriptions. */
  flags?: Readonly<Record<string, string>>;
  /** The allowed values of a parameter or an option, by its name as shown in the help: `<event>`, `--type`. */
  choices?: Readonly<Record<string, readonly string[]>>;
  about: string;
  /** More about the command, shown by its `--help`. */
  details?: string;
  /** A text is also its own data. */
  run(context: Context, typed: Typed): Promise<string | Outcome>;
}

/** Commands of one module, and their first words. */
export interface Group<Context> {
  words: readonly string[];
  load(): Promise<readonly Command<Context>[]>;
}

/** Where results and errors are shown. */
export interface Output {
  print(line: string): void;
  printError(line: string): void;
}

/** A program of commands. */
export interface Program<Context> {
  /** How it is called, such as `parley`. */
  call: string;
  /** In the order of the help. Only those are loaded whose words were typed. */
  groups: readonly Group<Context>[];
  /** Below the list of commands. */
  notes: readonly string[];
  version?: () => string;
  /** Runs a command in its context. */
  run(command: Command<Context>, typed: Typed, isJson: boolean): Promise<string | Outcome>;
  explain(error: unknown): string;
}

/** The input is not a valid command; it is shown with a hint. */
export class UsageError extends Error {}

/**
 * Runs the command that the words name.
 *
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage, or that of the outcome
 */
export async function runProgram<Context>(
  program: Program<Context>,
  given: readonly string[],
  output: Output,
): Promise<number> {
  const words = given[0] === 'help' ? [...given.slice(1), '--help'] : given;
  const command = await findCommand(program, words);
  try {
    const typed = await readTyped(program, words, command);
    if (typed === 'help') output.print(command ? usage(program, command) : await overview(program));
    else if (typed === 'version') output.print(program.version?.() ?? '');
    else if (command) return await show(program, command, typed, output);
    return 0;
  } catch (error) {
    output.printError(`parley: ${program.explain(error)}`);
    if (!(error instanceof UsageError)) return 1;
    output.printError(`See "${[program.call, ...(command ? [command.name] : []), '--help'].join(' ')}".`);
    return 2;
  }
}

export async function loadCommands<Context>(
  groups: readonly Group<Context>[],
): Promise<readonly Command<Context>[]> {
  return (await Promise.all(groups.map((group) => group.load()))).flat();
}

/** The longest name with which the words begin, apart from flags. */
async function findCommand<Context>(
  { groups }: Program<Context>,
  words: readonly string[],
): Promise<Command<Context> | undefined> {
  const first = words.findIndex((word) => !word.startsWith('-'));
  if (first < 0) return undefined;
  const typed = `${words.slice(first).join(' ')} `;
  const wanted = groups.filter((group) => group.words.some((word) => typed.startsWith(`${word} `)));
  const commands = await loadCommands(wanted);
  const named = commands.filter(({ name }) => typed.startsWith(`${name} `));
  return named.toSorted((a, b) => b.name.length - a.name.length)[0];
}

async function show<Context>(
  program: Program<Context>,
  command: Command<Context>,
  typed: Typed,
  { print }: Output,
): Promise<number> {
  const isJson = typed.flags.has('json');
  const outcome = await program.run(command, typed, isJson);
  const {
    text,
    data,
    exitCode = 0,
  } = typeof outcome === 'string' ? { text: outcome, data: { message: outcome } } : outcome;
  const shown = isJson ? JSON.stringify(data, undefined, 2) : text;
  if (shown) print(shown);
  return exitCode;
}

async function readTyped<Context>(
  program: Program<Context>,
  words: readonly string[],
  command: Command<Context> | undefined,
): Promise<Typed | 'help' | 'version'> {
  const { values, positionals } = parse(program, words, command);
  if (values['help']) return 'help';
  if (values['version']) return 'version';
  if (positionals.length === 0) throw new UsageError('no command given');
  if (!command) {
    const typed = positionals.join(' ');
    const names = (await loadCommands(program.groups)).map(({ name }) => name);
    const further = names.filter((name) => name.startsWith(`${typed} `));
    if (further.length > 0) throw new UsageError(`${typed} needs one of: ${nextWords(further, typed)}`);
    throw new UsageError(`there is no command "${typed}"${hint(typed, names)}`);
  }
  const args = positionals.slice(command.name.split(' ').length);
  checkArguments(command, args);
  const given = Object.entries(values);
  const options = given.filter((one): one is [string, string] => typeof one[1] === 'string');
  return {
    args: args.map((value, i) => choose(command, command.parameters?.[i] ?? '', value)),
    options: Object.fromEntries(
      options.map(([option, value]) => [option, choose(command, `--${option}`, value)]),
    ),
    flags: new Set(given.filter(([, value]) => value === true).map(([flag]) => flag)),
  };
}

function parse<Context>(
  { version }: Program<Context>,
  words: readonly string[],
  command: Command<Context> | undefined,
) {
  const texts = Object.keys(command?.options ?? {}).map((name) => [name, { type: 'string' }] as const);
  const flags = [...Object.keys(command?.flags ?? {}), 'json'].map(
    (name) => [name, { type: 'boolean' }] as const,
  );
  const known: Record<string, { type: 'string' | 'boolean'; short?: string }> = {
    ...Object.fromEntries([...texts, ...flags]),
    help: { type: 'boolean', short: 'h' },
    ...(version && !command && { version: { type: 'boolean' } }),
  };
  try {
    return parseArgs({ args: [...words], allowPositionals: true, options: known });
  } catch (error) {
    const [, wrong = ''] = /Unknown option '--([\w-]+)'/.exec((error as Error).message) ?? [];
    if (!wrong) throw new UsageError((error as Error).message.replaceAll('\n', ' '));
    const options = Object.keys(known).map((name) => `--${name}`);
    throw new UsageError(`there is no option "--${wrong}"${hint(`--${wrong}`, options)}`);
  }
}

/** The canonical spelling of the value, ignoring case. @throws UsageError for a value that is not allowed */
function choose<Context>({ choices = {} }: Command<Context>, name: string, value: string): string {
  const known = choices[name];
  const chosen = known?.find((one) => one.toLowerCase() === value.toLowerCase());
  if (!known || chosen) return chosen ?? value;
  const what = name.startsWith('-') ? name : `the ${name.slice(1, -1)}`;
  throw new UsageError(`${what} must be one of ${known.join(', ')}${hint(value, known)}`);
}

function checkArguments<Context>({ name, parameters = [] }: Command<Context>, args: readonly string[]): void {
  const takesMore = parameters.some((parameter) => parameter.includes('…'));
  if (takesMore ? args.length >= parameters.length : args.length === parameters.length) return;
  throw new UsageError(`${name} takes ${parameters.join(' ') || 'nothing else'}`);
}

/** All commands, one per line. */
async function overview<Context>({ call, groups, notes }: Program<Context>): Promise<string> {
  const commands = await loadCommands(groups);
  return [
    `Usage: ${call} <command>`,
    '',
    ...table(commands.map(({ name, parameters = [], about }) => [[name, ...parameters].join(' '), about])),
    '',
    'Every command has --help, which lists its options, and --json, which prints the result as JSON.',
    ...notes,
  ].join('\n');
}

/** All about one command. */
function usage<Context>(
  { call }: Program<Context>,
  { name, parameters = [], options = {}, flags = {}, about, details }: Command<Context>,
): string {
  const flagRows = Object.entries({ ...flags, json: 'print as JSON', help: 'print this' });
  return [
    `Usage: ${[call, name, ...parameters].join(' ')} [options]`,
    '',
    `${about[0]?.toUpperCase()}${about.slice(1)}.`,
    ...(details ? ['', details] : []),
    '',
    ...table([
      ...Object.entries(options).map(([option, what]) => [`--${option} <value>`, what] as const),
      ...flagRows.map(([flag, what]) => [`--${flag}`, what] as const),
    ]),
  ].join('\n');
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([call]) => call.length));
  return rows.map(([call, what]) => `  ${call.padEnd(width)}   ${what}`);
}

/** The words that may follow what was typed. */
function nextWords(names: readonly string[], typed: string): string {
  return [...new Set(names.map((name) => name.slice(typed.length + 1).split(' ', 1)[0]))].join(', ');
}

function hint(typed: string, words: readonly string[]): string {
  const meant = suggest(typed, words);
  return meant ? `; did you mean "${meant}"?` : '';
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
