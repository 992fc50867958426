import { Screen } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { sectionTexts } from '../parts/section-texts.ts';
import { Holds } from './holds.tsx';
import { Invitations } from './invitations.tsx';
import { policyTexts } from './texts.ts';

/** Sign-up invitations and legal holds. */
export function Component() {
  return (
    <Screen title={useTexts(sectionTexts).policy} lead={useTexts(policyTexts).lead} size="lg">
      <Invitations />
      <Holds />
    </Screen>
  );
}
