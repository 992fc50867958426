import { openDatabase } from '#platform/database.ts';
import { convert } from '../../server/distribution/convert.ts';

/** A process of its own that distributes the database of DATABASE_URL, to be killed half-way. */
const url = process.env['DATABASE_URL'] ?? '';
const db = openDatabase({ url, poolSize: 1 });
await convert(db, url);
await db.end({ timeout: 5 });
