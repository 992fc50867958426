import { readConfig } from '#platform/config.ts';
import { findCoordinator } from '#platform/database/coordinator.ts';
import { type Database, openPatiently } from '#platform/database.ts';
import type { Outcome } from '../../sdk/cli/kit.ts';
import { convert, findObstacles } from '../distribution/convert.ts';
import { type Rehearsal, rehearse } from '../distribution/rehearse.ts';
import type { Command } from './command.ts';

/** Commands for installations that outgrow one PostgreSQL. */
export const scaleCommands: readonly Command[] = [
  {
    name: 'scale distribute',
    about: 'distribute the tables over the workers of a Citus cluster',
    details: [
      'DATABASE_URL must be that of the coordinator. Running servers answer 503 while it runs, then continue by themselves.',
      'It is a single transaction: if it fails, nothing has changed. Only a backup leads back: see docs/operate/scaling.md.',
      '--dry-run changes nothing: it lists obstacles, distributes empty tables and a sample of the messages, and rolls back.',
      'Servers may be running.',
    ].join('\n'),
    flags: {
      'dry-run': 'only show which tables would be distributed, obstacles, and the expected time',
    },
    async run({ environment }, { flags }) {
      const { databaseUrl } = readConfig(environment);
      if (databaseUrl === undefined)
        throw new Error(
          'the embedded PostgreSQL has no Citus: set DATABASE_URL to the coordinator of a cluster',
        );
      const { url } = await findCoordinator(databaseUrl);
      const db = openPatiently(url, 2);
      try {
        return await (flags.has('dry-run') ? tryOut(db) : distribute(db, url));
      } finally {
        await db.end({ timeout: 5 });
      }
    },
  },
];

async function distribute(db: Database, url: string): Promise<Outcome> {
  const converted = await convert(db, url);
  const { tables, workers, pausedMs } = converted;
  const text =
    tables.length === 0
      ? `all tables are already distributed, over ${workers} workers`
      : `distributed ${tables.length} tables over ${workers} workers; requests were answered with 503 for ${seconds(pausedMs)}`;
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
    ...(obstacles.length > 0 ? ['Obstacles:', ...obstacles.map((obstacle) => `  ${obstacle}`)] : []),
    'Nothing has changed.',
  ];
  return {
    text: text.join('\n'),
    data: { ...rehearsal, obstacles },
    exitCode: obstacles.length > 0 ? 1 : 0,
  };
}

function describe({ tables, bytes, emptyMs, bytesPerSecond, estimatedMs }: Rehearsal): string[] {
  if (tables.length === 0) return ['All tables are already distributed.'];
  const largest = tables.slice(0, 5).map((table) => `  ${table.table}: ${megabytes(table.bytes)}`);
  const rate =
    bytesPerSecond === undefined
      ? 'there are too few messages to measure how fast rows are copied'
      : `rows were copied at ${megabytes(bytesPerSecond)} a second`;
  return [
    `${tables.length} tables with ${megabytes(bytes)} would be distributed, the largest:`,
    ...largest,
    `Distributing empty tables of the same form took ${seconds(emptyMs)}; ${rate}.`,
    `Requests would be answered with 503 for about ${seconds(estimatedMs)}.`,
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
