import type { Database } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';

/** The dependencies of a command. */
export interface CommandDeps extends Pick<Platform, 'clock' | 'random' | 'newId' | 'live'> {
  /** Opens the database that the server works on; it is closed after the command. */
  openDatabase(): Promise<Database>;
  environment: Record<string, string | undefined>;
  /** Shows a line while the command runs. */
  print(line: string): void;
  /** Aborted when the command has to stop. */
  signal: AbortSignal;
}

/** The result of a command: for people, for programs (`--json`), and for the shell. */
export interface Outcome {
  text: string;
  data: unknown;
  /** 0, unless the command itself has found a fault. */
  exitCode?: number;
}

/** A command of `parley`; what it throws is shown to the operator as one line. */
export interface Command {
  name: string;
  /** Arguments after the name, as shown in the help: `<appId>`. */
  parameters: readonly string[];
  /** Options given as `--name value`, with their descriptions. */
  options?: Readonly<Record<string, string>>;
  /** Flags given as `--name`, with their descriptions. */
  flags?: Readonly<Record<string, string>>;
  about: string;
  /** More about the command, shown by its `--help`. */
  details?: string;
  run(
    deps: CommandDeps,
    args: readonly string[],
    options: Record<string, string>,
    flags: ReadonlySet<string>,
  ): Promise<string | Outcome>;
}

/** Wrong usage; the help is shown with the error. */
export class UsageError extends Error {}
