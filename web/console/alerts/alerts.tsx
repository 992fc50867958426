import { Screen } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { DeveloperOnly } from '../application/developer-only.tsx';
import { Contacts } from './contacts.tsx';
import { PastAlerts } from './past-alerts.tsx';
import { alertsTexts } from './texts.ts';

/** Contacts for alerts about abandoned events, and past alerts. */
export function Component() {
  const t = useTexts(alertsTexts);
  return (
    <Screen title={t.title} lead={t.lead}>
      <DeveloperOnly>
        <Contacts />
      </DeveloperOnly>
      <PastAlerts />
    </Screen>
  );
}
