import type { Platform } from '#platform/platform.ts';

/** What a command stands on: no keys, no settings of the HTTP server. */
export type CommandDeps = Pick<Platform, 'db' | 'clock' | 'random' | 'live'>;

/** A command of `parley`; what it throws is shown to the operator as one line. */
export interface Command {
  name: string;
  /** What has to follow the name, as shown in the help: `<appId>`. */
  parameters: readonly string[];
  about: string;
  /** Returns what to print. */
  run(deps: CommandDeps, args: readonly string[]): Promise<string>;
}

/** The operator typed something that is no command; the help is shown with it. */
export class UsageError extends Error {}
