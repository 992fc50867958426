import type { Database } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import type * as kit from '../../sdk/cli/kit.ts';

/** The dependencies of a command. */
export interface CommandDeps extends Pick<Platform, 'clock' | 'random' | 'newId' | 'live'> {
  /** Opens the database that the server works on; it is closed after the command. */
  openDatabase(): Promise<Database>;
  environment: Record<string, string | undefined>;
  /** Shows a line while the command runs. */
  print(line: string): void;
  /** The same on standard error. */
  printError(line: string): void;
  /** Aborted when the command has to stop. */
  signal: AbortSignal;
}

/** A command of the operator's `parley`. */
export type Command = kit.Command<CommandDeps>;
