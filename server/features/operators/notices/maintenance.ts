import type { StartMaintenance } from '#contract/operate/notices.ts';
import { failedPrecondition, invalidArgument } from '#platform/errors.ts';
import type { Acts } from '../acts.ts';
import type { OperatorCommandDeps } from '../deps.ts';
import { tellNotices } from './current.ts';

const MOST_DAYS = 7;
const DAY_MS = 86_400_000;

const stateOf = ({ notices: { maintenance } }: OperatorCommandDeps) => ({
  ...(maintenance && { maintenance }),
});

/** Maintenance: all writes are refused until operators end it (docs/decisions/0077-announcements.md). */
export const maintenanceActs = {
  /** A repeated call changes the time and the text. */
  'maintenance.started': async (deps, _, { until, text }: StartMaintenance, record) => {
    const startedAt = deps.clock.now();
    if (until <= startedAt) throw invalidArgument('until', 'in-the-past');
    if (until > startedAt + MOST_DAYS * DAY_MS)
      throw invalidArgument('until', 'too-far-away', { days: MOST_DAYS });
    await deps.db.begin(async (tx) => {
      await tx`
        insert into maintenance (id, started_at, until, text)
        values (1, ${startedAt}, ${until}, ${text ? tx.json(text) : null})
        on conflict (id) do update set until = excluded.until, text = excluded.text`;
      await record({ until, ...text })(tx);
    });
    await tellNotices(deps);
    return stateOf(deps);
  },
  'maintenance.ended': async (deps, _, __, record) => {
    await deps.db.begin(async (tx) => {
      const ended = await tx`delete from maintenance where id = 1 returning id`;
      if (ended.length === 0) throw failedPrecondition('maintenance.none');
      await record()(tx);
    });
    await tellNotices(deps);
    return stateOf(deps);
  },
} satisfies Acts<OperatorCommandDeps>;
