import type * as kit from './kit.ts';

/** The terminal of a command line. */
export interface Terminal extends kit.Output {
  environment: Record<string, string | undefined>;
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

/** A command of `parley`. */
export type Command = kit.Command<CommandTerminal>;

/** Options of every command that calls the service. */
export const ACCESS_OPTIONS = {
  key: 'API key of the bot (or PARLEY_API_KEY, or "parley login")',
  server: 'address of Parley (or PARLEY_URL, or "parley login"; http://localhost:3000)',
} as const;
