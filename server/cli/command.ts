import type { Database } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';

/** What a command stands on. */
export interface CommandDeps extends Pick<Platform, 'clock' | 'random' | 'newId' | 'live'> {
  /** Opens the database that the server works on; it is closed after the command. */
  openDatabase(): Promise<Database>;
  environment: Record<string, string | undefined>;
  /** Shows a line while the command goes on. */
  print(line: string): void;
  /** Aborted when the command has to stop. */
  signal: AbortSignal;
}

/** What a command has to say: for people, for programs (`--json`), and to the shell. */
export interface Outcome {
  text: string;
  data: unknown;
  /** 0 unless something is wrong that the command itself has found out. */
  exitCode?: number;
}

/** A command of `parley`; what it throws is shown to the operator as one line. */
export interface Command {
  name: string;
  /** What has to follow the name, as shown in the help: `<appId>`. */
  parameters: readonly string[];
  /** What may follow as `--name value`, and what each is for. */
  options?: Readonly<Record<string, string>>;
  /** What may follow as `--name`, and what each changes. */
  flags?: Readonly<Record<string, string>>;
  about: string;
  /** What somebody needs to know before the first use; shown by the command's own `--help`. */
  details?: string;
  run(
    deps: CommandDeps,
    args: readonly string[],
    options: Record<string, string>,
    flags: ReadonlySet<string>,
  ): Promise<string | Outcome>;
}

/** The operator typed something that is no command; the help is shown with it. */
export class UsageError extends Error {}
