import { OPERATE } from '#contract/api/operate.ts';
import type { StartMaintenance } from '#contract/operate/notices.ts';
import { failedPrecondition, invalidArgument } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import { recordAct } from '../acts.ts';
import type { OperatorCommandDeps, OperatorDeps } from '../deps.ts';
import type { By } from './announce.ts';
import { tellNotices } from './current.ts';
import { deleteMaintenance, upsertMaintenance } from './queries.ts';

const MOST_DAYS = 7;
const DAY_MS = 86_400_000;
/** For the audit trail: there is one server. */
const SUBJECT = 'server';

/**
 * Refuses all writes until operators end it (docs/decisions/0077-announcements.md). A repeated call changes the
 * time and the text.
 *
 * @throws ApiError 400
 */
export async function startMaintenance(
  deps: OperatorCommandDeps,
  { operatorId }: By,
  { until, text }: StartMaintenance,
): Promise<void> {
  const startedAt = deps.clock.now();
  if (until <= startedAt) throw invalidArgument('until', 'in-the-past');
  if (until > startedAt + MOST_DAYS * DAY_MS)
    throw invalidArgument('until', 'too-far-away', { days: MOST_DAYS });
  await deps.db.begin(async (tx) => {
    await upsertMaintenance(tx, { startedAt, until, ...(text && { text }) });
    const details = { until, ...text };
    await recordAct(tx, deps, { operatorId, act: 'maintenance.started', subject: SUBJECT, details });
  });
  await tellNotices(deps);
}

/** @throws ApiError 400 if there is none */
export async function endMaintenance(deps: OperatorCommandDeps, { operatorId }: By): Promise<void> {
  await deps.db.begin(async (tx) => {
    if (!(await deleteMaintenance(tx))) throw failedPrecondition('maintenance.none');
    await recordAct(tx, deps, { operatorId, act: 'maintenance.ended', subject: SUBJECT });
  });
  await tellNotices(deps);
}

/** Maintenance. */
export function maintenanceRoutes(deps: OperatorDeps) {
  const state = () => ({ ...(deps.notices.maintenance && { maintenance: deps.notices.maintenance }) });
  return serve(OPERATE, {
    'PUT /maintenance': async ({ operator, body }) => {
      await startMaintenance(deps, { operatorId: operator.accountId }, body);
      return state();
    },
    'DELETE /maintenance': async ({ operator }) => {
      await endMaintenance(deps, { operatorId: operator.accountId });
      return state();
    },
  });
}
