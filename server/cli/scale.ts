import { readConfig } from '#platform/config.ts';
import { findCoordinator } from '#platform/database/coordinator.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { convert, findObstacles } from '../distribution/convert.ts';
import { type Rehearsal, rehearse } from '../distribution/rehearse.ts';
import type { Command, CommandDeps, Outcome } from './command.ts';

/** Until everything is served on Citus: undefined lets the conversion run. */
const REFUSED: string | undefined =
  'not yet: this version does not serve everything on Citus (docs/operate/scaling.md lists what is missing), and the database would have to be restored from a backup. Nothing has changed.';

/** For installations that outgrow one PostgreSQL. */
export const scaleCommands: readonly Command[] = [
  {
    name: 'scale distribute',
    parameters: [],
    about: 'distribute the tables over the workers of a Citus cluster',
    details: [
      'Refuses for now: this version does not serve everything on Citus yet. See docs/operate/scaling.md for what is missing.',
      '--dry-run changes nothing: it names what is in the way, does the same to empty tables and a sample of the messages, and',
      'undoes it. Servers may run meanwhile, before and after.',
    ].join('\n'),
    flags: {
      'dry-run': 'rehearse: what would be distributed, what is in the way, and how long it would take',
    },
    async run(deps, _args, _options, flags) {
      const isRehearsal = flags.has('dry-run');
      if (!isRehearsal && REFUSED !== undefined) throw new Error(REFUSED);
      return withCoordinator(deps, (db, url) => (isRehearsal ? tryOut(db) : distribute(db, url)));
    },
  },
];

async function distribute(db: Database, url: string): Promise<Outcome> {
  const converted = await convert(db, url);
  const { tables, workers, pausedMs } = converted;
  const text =
    tables.length === 0
      ? `all tables were distributed already, over ${workers} workers`
      : `distributed ${tables.length} tables over ${workers} workers; nobody was served for ${seconds(pausedMs)}`;
  return { text, data: converted };
}

async function tryOut(db: Database): Promise<Outcome> {
  const obstacles = await findObstacles(db);
  const rehearsal = await rehearse(db).catch((error: Error) => {
    obstacles.push(`Citus refuses: ${error.message}`);
    return undefined;
  });
  const text = [
    ...(rehearsal ? describe(rehearsal) : []),
    ...(obstacles.length > 0 ? ['In the way:', ...obstacles.map((obstacle) => `  ${obstacle}`)] : []),
    'Nothing has changed.',
  ];
  return {
    text: text.join('\n'),
    data: { ...rehearsal, obstacles },
    exitCode: obstacles.length > 0 ? 1 : 0,
  };
}

function describe({ tables, bytes, emptyMs, bytesPerSecond, estimatedMs }: Rehearsal): string[] {
  if (tables.length === 0) return ['Every table is distributed already.'];
  const largest = tables.slice(0, 5).map((table) => `  ${table.table}: ${megabytes(table.bytes)}`);
  const rate =
    bytesPerSecond === undefined
      ? 'there are too few messages to measure how fast rows are copied'
      : `rows were copied at ${megabytes(bytesPerSecond)} a second`;
  return [
    `${tables.length} tables with ${megabytes(bytes)} would be distributed, the largest:`,
    ...largest,
    `Empty tables of the same form took ${seconds(emptyMs)}; ${rate}.`,
    `Nobody would be served for about ${seconds(estimatedMs)}: requests are answered with 503.`,
  ];
}

async function withCoordinator<T>(
  { environment }: CommandDeps,
  work: (db: Database, url: string) => Promise<T>,
): Promise<T> {
  const { databaseUrl } = readConfig(environment);
  if (databaseUrl === undefined)
    throw new Error('the embedded PostgreSQL has no Citus: set DATABASE_URL to the coordinator of a cluster');
  const { url } = await findCoordinator(databaseUrl);
  const db = openDatabase({ url, poolSize: 2, waitTimeoutMs: 20_000 });
  try {
    return await work(db, url);
  } finally {
    await db.end({ timeout: 5 });
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
