import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHistogram } from 'node:perf_hooks';
import type { LoadOptions, LoadResult } from './load.ts';
import { print } from './program.ts';

/** As PostgreSQL receives it, with `$1` and so on for its parameters. */
export interface Sent {
  text: string;
  parameters: readonly unknown[];
}

/** A value that differs between clients: its text in the recorded statements, and a pgbench expression. */
export interface OwnValue {
  recorded: string;
  expression: string;
}

/** A pgbench script: the statements of each request in a transaction, the requests in turn. */
export function toScript(requests: Sent[][], own: OwnValue[]): string {
  const turns = requests.flatMap((statements, turn) => [
    `\\${turn === 0 ? 'if' : 'elif'} :turn = ${turn}`,
    'begin;',
    ...statements.map((statement) => toLine(statement, own)),
    'commit;',
  ]);
  return [`\\set turn (:turn + 1) % ${requests.length}`, ...turns, '\\endif', ''].join('\n');
}

function toLine({ text, parameters }: Sent, own: OwnValue[]): string {
  const filled = text.replace(/\$(\d+)/g, (_, number) => toSql(parameters[Number(number) - 1], own));
  return `${filled.replace(/\s+/g, ' ').trim()};`;
}

/** A literal of the required type; an expression if it contains a value that differs between clients. */
function toSql(value: unknown, own: OwnValue[]): string {
  if (value === null || value === undefined) return 'null';
  const constant = `'${toText(value).replaceAll("'", "''")}'`;
  const made = own.reduce(
    (sql, { recorded, expression }) => sql.replaceAll(recorded, `' || ${expression} || '`),
    constant,
  );
  return made === constant ? constant : `(${made})::${Array.isArray(value) ? 'text[]' : 'text'}`;
}

function toText(value: unknown): string {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  if (!Array.isArray(value)) return String(value);
  const elements = value.map((element) =>
    element === null ? 'null' : `"${toText(element).replace(/[\\"]/g, '\\$&')}"`,
  );
  return `{${elements.join()}}`;
}

/** Runs a script with that many clients and prepared statements. */
export async function runPgbench(
  databaseUrl: string,
  script: string,
  { connections, seconds }: LoadOptions,
): Promise<LoadResult> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-pgbench-'));
  try {
    const file = join(directory, 'transaction.sql');
    await writeFile(file, script);
    const options = [
      ...[
        '--no-vacuum',
        '--protocol=prepared',
        '--jobs=2',
        '--log',
        `--log-prefix=${join(directory, 'log')}`,
      ],
      ...[`--client=${connections}`, `--time=${seconds}`, `--file=${file}`, '--define=turn=-1', databaseUrl],
    ];
    const printed = await print('pgbench', options, 'postgresql-contrib');
    const rate = /^tps = ([\d.]+)/m.exec(printed)?.[1];
    if (rate === undefined) throw new Error(`pgbench printed no rate:\n${printed}`);
    const failed = /^number of failed transactions: (\d+)/m.exec(printed)?.[1] ?? 0;
    const latencies = await readLatencies(directory);
    return {
      requestsPerSecond: Number(rate),
      p50Ms: latencies.percentile(50) / 1000,
      p99Ms: latencies.percentile(99) / 1000,
      failures: Number(failed),
    };
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** In microseconds: the third column of its log. */
async function readLatencies(directory: string) {
  const latencies = createHistogram();
  for (const name of await readdir(directory)) {
    if (!name.startsWith('log')) continue;
    for (const line of (await readFile(join(directory, name), 'utf8')).split('\n')) {
      const microseconds = Number(line.split(' ')[2]);
      if (microseconds > 0) latencies.record(microseconds);
    }
  }
  return latencies;
}
