import { openDatabase } from '#platform/database.ts';
import { convert } from '../../server/distribution/convert.ts';

/** Distributes the database at DATABASE_URL in a process of its own, which the scenario kills half-way. */
const url = process.env['DATABASE_URL'] ?? '';
const db = openDatabase({ url, poolSize: 1 });
await convert(db, url);
await db.end({ timeout: 5 });
