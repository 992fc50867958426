import type { CommandDeps } from '../cli/command.ts';
import type { TestPlatform } from './platform.ts';

/** The dependencies of a `parley` command, on the database of a test. */
export function commandDeps(
  platform: Pick<TestPlatform, 'db' | 'clock' | 'random' | 'newId' | 'live'>,
  environment: Record<string, string | undefined>,
): CommandDeps & { printed: string[] } {
  const printed: string[] = [];
  return {
    ...platform,
    openDatabase: async () => platform.db,
    environment,
    print: (line) => void printed.push(line),
    printError: (line) => void printed.push(line),
    signal: new AbortController().signal,
    printed,
  };
}
