import type { Platform } from '#platform/platform.ts';
import { selectUnsent } from './queries.ts';

/** Whether there is maintenance, and how many people an announcement has not reached yet. */
export function watchNotices({ metrics, db, notices }: Pick<Platform, 'metrics' | 'db' | 'notices'>): void {
  metrics.gauge('parley_maintenance', '1 while there is maintenance: nothing is written.', () =>
    Number(notices.maintenance !== undefined),
  );
  metrics.gauge(
    'parley_announcement_people_waiting',
    'People to whom the message of an announcement is still to be sent.',
    async () => (await selectUnsent(db)).reduce((sum, { people, told }) => sum + people - told, 0),
  );
}
