import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ServerHealth } from '#contract/operate/health.ts';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Screen } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { healthQuery } from '../parts/queries.ts';
import { sectionTexts } from '../parts/section-texts.ts';
import { Checks } from './checks.tsx';
import { Errors, Processes } from './processes.tsx';
import { Queue } from './queue.tsx';
import { Settings } from './settings.tsx';
import { healthTexts } from './texts.ts';

/** The current health of the server. */
export function Component() {
  const t = useTexts(healthTexts);
  const health = useQuery(healthQuery);
  return (
    <Screen title={useTexts(sectionTexts).health} lead={t.lead} size="lg">
      <QueryView query={health}>
        {(found) => (
          <>
            <Summary health={found} />
            <Checks findings={found.findings} />
            <Queue queue={found.queue} />
            <Processes processes={found.processes} />
            <Errors errors={found.errors} />
            <Settings settings={found.settings} />
          </>
        )}
      </QueryView>
    </Screen>
  );
}

function Summary({ health: { findings } }: { health: ServerHealth }) {
  const t = useTexts(healthTexts);
  const count = (wanted: string) => findings.filter(({ state }) => state === wanted).length;
  const [faults, warnings] = [count('fault'), count('warning')];
  const isWell = faults + warnings === 0;
  return (
    <Alert
      color={faults > 0 ? 'red' : isWell ? 'teal' : 'yellow'}
      icon={isWell ? <IconCheck /> : <IconAlertTriangle />}
      title={isWell ? t.allWell : `${t.faults(faults)}, ${t.warnings(warnings)}`}
    />
  );
}
