import { type Database, openDatabase } from '#platform/database.ts';
import { PATIENT } from './waits.ts';

/** A connection to a database beside those of the code under test. */
export class Connection implements AsyncDisposable {
  readonly db: Database;

  constructor(url: string) {
    this.db = openDatabase({ url, poolSize: 1, ...PATIENT });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.db.end({ timeout: 5 });
  }
}
