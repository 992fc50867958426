/** The terminal of a command line. */
export interface Terminal {
  environment: Record<string, string | undefined>;
  print(line: string): void;
  printError(line: string): void;
  /** Prompts for input. */
  ask(question: string, options?: { isSecret?: boolean }): Promise<string>;
  /** Aborted when the command must stop. */
  signal: AbortSignal;
}

/** The same, with a way to report results. */
export interface CommandTerminal extends Terminal {
  /** Prints one of several results as it arrives: the text, or with `--json` the data as one line. */
  report(text: string, data: unknown): void;
}

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
  /** 0 by default. */
  exitCode?: number;
}

/** A command of `parley`. */
export interface Command {
  name: string;
  /** Positional arguments as shown in the help: `<userId>` is required, `[userId]` optional, `<id…>` takes several. */
  parameters: readonly string[];
  /** Options given as `--name value`, with their descriptions. */
  options?: Readonly<Record<string, string>>;
  /** Flags given as `--name`, with their descriptions. */
  flags?: Readonly<Record<string, string>>;
  /** The allowed values of a parameter or an option, by its name as shown in the help: `<event>`, `--type`. */
  choices?: Readonly<Record<string, readonly string[]>>;
  about: string;
  run(terminal: CommandTerminal, typed: Typed): Promise<Outcome>;
}

/** The input is not a valid command; it is shown with a hint. */
export class UsageError extends Error {}

/** Options of every command that calls the service. */
export const ACCESS_OPTIONS = {
  key: 'API key of the bot (or PARLEY_API_KEY, or "parley login")',
  server: 'address of Parley (or PARLEY_URL, or "parley login"; http://localhost:3000)',
} as const;
