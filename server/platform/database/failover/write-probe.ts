import type { Clock } from '../../clock.ts';
import type { Database } from '../../database.ts';

/** The interval between probes, because anybody may request the readiness check. */
const VALID_MS = 5_000;

/**
 * Checks whether the database takes writes, and rejects with its error: on a full disk, as a standby or set to read-only, it still
 * answers reads. Each probe creates a table of one page that is dropped with its transaction, so that it needs disk space.
 */
export function createWriteProbe(db: Database, clock: Clock): () => Promise<unknown> {
  let tried: { at: number; answer: Promise<unknown> } | undefined;
  return () => {
    const at = clock.now();
    if (!tried || Math.abs(at - tried.at) >= VALID_MS)
      tried = {
        at,
        answer: Promise.resolve(db`create temporary table write_probe on commit drop as select 1 as one`),
      };
    return tried.answer;
  };
}
