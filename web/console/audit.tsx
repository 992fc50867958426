import { IconHistory } from '@tabler/icons-react';
import type { AuditDetails } from '#contract/applications/audit.ts';
import type { Translate } from '#contract/texts.ts';
import { Empty } from '../ui/parts/empty.tsx';
import { Pages } from '../ui/parts/pages.tsx';
import { Screen } from '../ui/parts/screen.tsx';
import { Trail, type TrailEntry } from '../ui/parts/trail.tsx';
import { formatNumber, useTexts } from '../ui/texts.ts';
import { fullTime } from '../ui/times.ts';
import { useOwnPages } from './application/queries.ts';

/** Who changed what, newest first. */
export function Component() {
  const t = useTexts();
  return (
    <Screen title={t('console.application.audit')} lead={t('console.audit.lead')}>
      <Pages
        query={useOwnPages('GET /applications/:appId/audit')}
        items={({ entries }) => entries}
        empty={<Empty icon={<IconHistory />} title={t('console.audit.none')} />}
      >
        {(entries) => (
          <Trail
            entries={entries.map(({ entryId, actor, action, at, channel, details }) => ({
              id: entryId,
              who:
                actor.kind === 'operator' ? t('console.audit.operator') : (actor.name ?? actor.userId ?? ''),
              what: t(`console.auditAction.${action}`),
              at,
              channel: t(`console.auditChannel.${channel}`),
              details: describeDetails(t, details),
            }))}
          />
        )}
      </Pages>
    </Screen>
  );
}

type Value = AuditDetails[keyof AuditDetails];

/** The details of a change, each by its name and as people read it; what the change is says what it leads from and to. */
function describeDetails(t: Translate, { from, to, ...details }: AuditDetails): TrailEntry['details'] {
  const say = (name: string, value: Value) =>
    [value ?? '']
      .flat()
      .map((one) => sayValue(t, name, one))
      .join(', ');
  const others = Object.entries(details).map(([name, value]) => ({
    name: t.find(`console.auditDetail.${name}`) ?? name,
    value: say(name, value),
  }));
  if (to === undefined) return others;
  return [{ value: t('ui.common.fromTo', { from: say('from', from), to: say('to', to) }) }, ...others];
}

/** Words have their texts; ids and addresses are shown as they are. */
function sayValue(t: Translate, name: string, value: string | number): string {
  switch (name) {
    case 'until':
    case 'since':
      return fullTime(Number(value));
    case 'role':
      return t.find(`console.role.${value}`) ?? String(value);
    case 'kind':
      return t.find(`console.contactKind.${value}`) ?? String(value);
    case 'fields':
      return t.find(`console.auditField.${value}`) ?? String(value);
  }
  return typeof value === 'number' ? formatNumber(value) : value;
}
