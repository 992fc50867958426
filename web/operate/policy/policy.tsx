import { Screen } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Holds } from './holds.tsx';
import { Invitations } from './invitations.tsx';

/** Sign-up invitations and legal holds. */
export function Component() {
  return (
    <Screen title={useTexts()('operate.section.policy')} lead={useTexts()('operate.policy.lead')} size="lg">
      <Invitations />
      <Holds />
    </Screen>
  );
}
