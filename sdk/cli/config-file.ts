import { homedir } from 'node:os';
import { join } from 'node:path';
import { readJson, writeText } from '../node/files.ts';

/** The file written by `parley login`. */
export interface Config {
  server?: string;
  key?: string;
  secret?: string;
}

type Environment = Record<string, string | undefined>;

export function pathInConfig(environment: Environment, file: string): string {
  const directory = environment['XDG_CONFIG_HOME'] || join(environment['HOME'] ?? homedir(), '.config');
  return join(directory, 'parley', file);
}

export function readConfig(environment: Environment): Promise<Config> {
  return readJsonFile(pathInConfig(environment, 'config.json'), 'run "parley login" again');
}

/** It contains secrets: only its owner may read it. */
export async function writeConfig(environment: Environment, config: Config): Promise<string> {
  const path = pathInConfig(environment, 'config.json');
  await writeJsonFile(path, config);
  return path;
}

/** The object in a file; empty if there is none. @param remedy for a damaged file */
export async function readJsonFile<T extends object>(path: string, remedy: string): Promise<Partial<T>> {
  return (await readJson(path, `remove it and ${remedy}`)) ?? {};
}

/** Writes atomically; readable only by its owner. */
export async function writeJsonFile(path: string, value: object): Promise<void> {
  await writeText(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
