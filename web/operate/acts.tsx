import { Anchor, Button } from '@mantine/core';
import { IconDownload, IconHistory } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { OperatorAct } from '#contract/operate/acts.ts';
import type { Translate } from '#contract/texts.ts';
import { download } from '../ui/download.ts';
import { runs, useChangeOf } from '../ui/parts/change.ts';
import { Empty } from '../ui/parts/empty.tsx';
import { Pages } from '../ui/parts/pages.tsx';
import { Screen } from '../ui/parts/screen.tsx';
import { Trail } from '../ui/parts/trail.tsx';
import { useTexts } from '../ui/texts.ts';
import { describeDetails } from './parts/act-details.ts';
import { actsQuery } from './parts/queries.ts';

/** The operators' log, newest first. */
export function Component() {
  const t = useTexts();
  const pages = useInfiniteQuery(actsQuery);
  const exported = useChangeOf([actsQuery.queryKey], () =>
    download('/api/operate/acts/export', 'operators.ndjson'),
  );
  return (
    <Screen
      title={t('operate.section.acts')}
      lead={t('operate.act.lead')}
      action={
        <Button variant="default" leftSection={<IconDownload size={16} />} {...runs(exported)}>
          {t('operate.act.export')}
        </Button>
      }
    >
      <Pages
        query={pages}
        items={({ acts }) => acts}
        empty={<Empty icon={<IconHistory />} title={t('operate.act.none')} />}
      >
        {(acts) => (
          <Trail
            entries={acts.map((act) => ({
              id: act.actId,
              who: (act.operator ?? act.provider)?.name ?? t('operate.act.commandLine'),
              what: t(`operate.actName.${act.act}`),
              at: act.at,
              subject: subjectOf(t, act),
              details: describeDetails(t, act),
            }))}
          />
        )}
      </Pages>
    </Screen>
  );
}

const SCREENS: Readonly<Record<string, string>> = { usr: 'people', app: 'applications', rpt: 'reports' };

/** The name of the subject of an act, if it has one, leading to its screen. */
function subjectOf(t: Translate, { subject, subjectName, operator }: OperatorAct): ReactNode {
  if (subject === operator?.accountId) return undefined;
  const screen = SCREENS[subject.slice(0, 3)];
  const name = subject.startsWith('rpt') ? t('operate.act.report') : subjectName;
  return name && screen ? (
    <Anchor component={Link} to={`/${screen}/${subject}`} inherit underline="always">
      {name}
    </Anchor>
  ) : (
    (name ?? (screen && subject))
  );
}
