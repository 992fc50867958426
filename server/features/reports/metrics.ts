import type { Platform } from '#platform/platform.ts';
import { selectWaiting } from './queries.ts';

/** How many reports wait for the operator, and for how long. */
export function watchReports({ metrics, db, clock }: Platform): void {
  metrics.gauge(
    'parley_reports_open',
    'Reports that wait for a decision of the operator.',
    async () => (await selectWaiting(db)).open,
  );
  metrics.gauge('parley_reports_age_seconds', 'For how long the oldest open report has waited.', async () => {
    const now = clock.now();
    return (now - ((await selectWaiting(db)).oldestAt ?? now)) / 1000;
  });
}
