import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '#platform/config/settings.ts';
import { type Config, ConfigError, readConfig } from '#platform/config.ts';
import { loadKeyring } from '#platform/crypto/master-keys.ts';
import type { Database, Db } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { guardOf } from '#platform/safe-fetch/guard.ts';
import { type Outcome, UsageError } from '../../sdk/cli/kit.ts';
import { checkBackup, checkDatabase } from '../health/database.ts';
import { checkDisk } from '../health/disk.ts';
import { type DoctorDeps, type Finding, fault, ok, reasonOf, warning } from '../health/finding.ts';
import { checkHosts, namesOfHosts } from '../health/hosts.ts';
import { checkKeyFile, checkKeys } from '../health/keys.ts';
import { checkEgress, checkServices } from '../health/network.ts';
import { checkProviders } from '../health/providers.ts';
import { checkSettings } from '../health/settings.ts';
import type { Command, CommandDeps } from './command.ts';
import { openServerDatabase } from './database.ts';
import { SEALED_COLUMNS, type SealedColumn } from './keys/sealed-columns.ts';
import { contextOf, sealedRows } from './keys/sealed-rows.ts';

const NAMED_ROWS = 5;
/** Variables with names as short as `HOST` and `PORT` belong to other programs as well. */
const SHORTEST_COMPARED = 7;

/** That what is stored sealed can be read: in each table so many rows, in the order of its primary key. */
async function checkStoredRows(
  deps: Pick<DoctorDeps, 'config' | 'clock' | 'random' | 'maxRows'>,
  db: Database,
): Promise<Finding[]> {
  const keyring = await loadKeyring(deps.config, { ...deps, log: createLog('silent') });
  const findings: Finding[] = [];
  let isCut = false;
  for (const column of SEALED_COLUMNS) {
    const unreadable: string[] = [];
    let looked = 0;
    for await (const rows of sealedRows(db, column, { keyId: 'is not null', maxRows: deps.maxRows })) {
      looked += rows.length;
      for (const row of rows) {
        const context = contextOf(column, row);
        if (!keyring.openIfReadable(context, row)) unreadable.push(context.rowId);
      }
    }
    isCut ||= looked === deps.maxRows;
    if (unreadable.length > 0) findings.push(findingOf(column, looked, unreadable));
  }
  if (findings.length > 0) return findings;
  return [ok('stored rows', `${isCut ? `the first ${deps.maxRows} of each table` : 'all'} can be read`)];
}

function findingOf({ table, column }: SealedColumn, looked: number, unreadable: string[]): Finding {
  const named = unreadable.slice(0, NAMED_ROWS).join(', ');
  const more = unreadable.length > NAMED_ROWS ? ', …' : '';
  return fault(
    'stored rows',
    `${unreadable.length} of ${looked} rows of ${table} cannot be read, in ${column}: ${named}${more}`,
    'restore the missing encryption key, or the rows from a backup; until then people see a placeholder',
  );
}

const GIB = 2 ** 30;
const MAX_ROWS = 10_000;
const MARKS = { ok: '✓', warning: '!', fault: '✗' } as const;

export const doctorCommand: Command = {
  name: 'doctor',
  about: 'find faults in settings, database, keys, clock, disk and network, and say how to fix them',
  details: 'Changes nothing. Exits with code 1 if there are faults, and 0 if there are only warnings.',
  options: {
    'min-free-gb': 'how many GiB of disk space must be free (1)',
    rows: `how many rows of each table to open (${MAX_ROWS})`,
    webhook: 'a webhook URL to try in addition to those of the applications',
  },
  async run(deps, { options }) {
    const minFreeBytes = Number(options['min-free-gb'] ?? 1) * GIB;
    if (!(minFreeBytes >= 0)) throw new UsageError('--min-free-gb must be a number');
    const maxRows = Number(options['rows'] ?? MAX_ROWS);
    if (!Number.isInteger(maxRows) || maxRows < 1)
      throw new UsageError('--rows must be a whole number, at least 1');
    return report(await examine(deps, { minFreeBytes, maxRows, webhookUrl: options['webhook'] }));
  },
};

/** Runs every check that is possible, whatever else is wrong. */
export async function examine(
  deps: Pick<CommandDeps, 'clock' | 'random' | 'environment'>,
  wanted: Pick<DoctorDeps, 'minFreeBytes' | 'maxRows' | 'webhookUrl'>,
): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(deps.environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults.map((what) =>
      fault('settings', what, 'correct it; docs/operate/configuration.md lists all settings'),
    );
  }
  const all = { ...deps, ...wanted, config };
  const [keyFile, disk, inDatabase, services] = await Promise.all([
    checkKeyFile(all),
    checkDisk(all),
    examineDatabase(all),
    checkServices(all),
  ]);
  return [
    findMisspelled(deps.environment) ?? ok('settings', 'all readable'),
    ...checkSettings(all),
    ...disk,
    keyFile,
    ...inDatabase,
    ...services,
  ];
}

/** A misspelled setting is just another variable of the environment, and its default applies in silence. */
function findMisspelled(environment: CommandDeps['environment']): Finding | undefined {
  const names = Object.keys(SETTINGS);
  const misspelled = Object.keys(environment).flatMap((name) => {
    if (names.includes(name)) return [];
    const meant = names.find((known) => known.length >= SHORTEST_COMPARED && isMisspelling(name, known));
    return meant === undefined ? [] : [`${name} is no setting: is ${meant} meant?`];
  });
  if (misspelled.length === 0) return undefined;
  return warning('settings', misspelled.join('; '), 'correct the name, or unset the variable');
}

/** Whether the difference is one character missing, added or replaced, or two neighbours exchanged. */
function isMisspelling(name: string, known: string): boolean {
  if (Math.abs(name.length - known.length) > 1) return false;
  let start = 0;
  while (start < known.length && name[start] === known[start]) start++;
  const [typed, meant] = [name.slice(start), known.slice(start)];
  return (
    typed.slice(1) === meant.slice(1) ||
    typed.slice(1) === meant ||
    typed === meant.slice(1) ||
    `${typed[1]}${typed[0]}${typed.slice(2)}` === meant
  );
}

async function examineDatabase(deps: DoctorDeps): Promise<Finding[]> {
  const { config } = deps;
  const isUnmade = config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres'));
  if (isUnmade) return [ok('database', 'the first start creates one'), await checkEgress(deps, undefined)];
  await using opened = new AsyncDisposableStack();
  let db: Database;
  try {
    ({ db } = opened.use(await openServerDatabase(config)));
    await db`select 1`;
  } catch (error) {
    const source = config.databaseUrl === undefined ? config.dataDir : namesOfHosts(config.databaseUrl);
    return [
      fault(
        'database',
        `the database of ${source} cannot be reached: ${reasonOf(error)}`,
        'start PostgreSQL; check host, port, user and password in DATABASE_URL, max_connections, and the firewall',
      ),
    ];
  }
  const hosts = await checkHosts(config.databaseUrl);
  const findings = [...hosts, ...(await checkDatabase(deps, db))];
  // The checks below read every node.
  if (findings.some(({ check, state }) => check === 'nodes' && state === 'fault')) return findings;
  const isFilled = findings.every(({ check, state }) => check !== 'schema' || state !== 'warning');
  if (!isFilled) return [...findings, await checkEgress(deps, undefined)];
  const isCurrent = findings.some(({ check, state }) => check === 'schema' && state === 'ok');
  const backup = isCurrent ? [await checkBackup(deps, db)] : [];
  const keys = await checkKeys(deps, db);
  const isReadable = isCurrent && keys.state === 'ok';
  const rows = isReadable ? [...(await checkStoredRows(deps, db)), ...(await tryProviders(deps, db))] : [];
  return [...findings, ...backup, keys, ...rows, await checkEgress(deps, isReadable ? db : undefined)];
}

async function tryProviders(deps: DoctorDeps, db: Db): Promise<Finding[]> {
  const { config } = deps;
  const keyring = await loadKeyring(config, { ...deps, log: createLog('silent') });
  return checkProviders({ ...deps, db, keyring, guard: guardOf(config) });
}

function report(findings: Finding[]): Outcome {
  const lines = findings.flatMap(({ check, state, what, remedy }) => [
    `${MARKS[state]} ${check}: ${what}`,
    ...(remedy === undefined ? [] : [`    → ${remedy}`]),
  ]);
  const count = (wanted: Finding['state']) => findings.filter(({ state }) => state === wanted).length;
  const faults = count('fault');
  const summary = `${counted(faults, 'fault')}; ${counted(count('warning'), 'warning')}`;
  return {
    text: [...lines, '', summary].join('\n'),
    data: { isHealthy: faults === 0, findings: findings.map(({ said: _, ...finding }) => finding) },
    exitCode: faults === 0 ? 0 : 1,
  };
}

function counted(count: number, noun: string): string {
  return `${count || 'no'} ${noun}${count === 1 ? '' : 's'}`;
}
