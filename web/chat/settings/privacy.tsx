import { Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OwnProfile } from '#contract/accounts/profiles.ts';
import { WHO_MAY_ADD } from '#contract/choices.ts';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { RadioList } from '../../ui/parts/radio-list.tsx';
import { useTexts } from '../../ui/texts.ts';
import { ownProfileQuery } from '../conversations/queries.ts';
import { Page } from '../parts/page.tsx';
import { useProfileSettings } from './queries.ts';

const ACTIVITIES = [
  ['readReceipts', 'receipts'],
  ['typingIndicators', 'typing'],
  ['lastSeen', 'lastSeen'],
] as const;

/** Which activity in the chat others see, the person sees only the same of them; and who may add the person to groups. */
export function Component() {
  const t = useTexts();
  const profile = useQuery(ownProfileQuery);
  return (
    <Page title={t('chat.settings.privacy')} back="/settings">
      <QueryView query={profile}>{(found) => <Choices profile={found} />}</QueryView>
    </Page>
  );
}

function Choices({ profile }: { profile: OwnProfile }) {
  const t = useTexts();
  const [shown, choose] = useProfileSettings(profile);
  return (
    <Stack>
      <Text c="dimmed">{t('chat.privacy.lead')}</Text>
      {ACTIVITIES.map(([field, name]) => (
        <Switch
          key={field}
          label={t(`chat.privacy.${name}`)}
          description={t(`chat.privacy.${name}Text`)}
          checked={shown[field]}
          onChange={({ currentTarget }) => choose({ [field]: currentTarget.checked })}
        />
      ))}
      <RadioList
        label={t('chat.privacy.whoMayAdd')}
        mt="md"
        value={shown.whoMayAddMe}
        options={WHO_MAY_ADD.map((value) => ({ value, label: t(`chat.whoMayAdd.${value}`) }))}
        onChange={(whoMayAddMe) => choose({ whoMayAddMe })}
      />
    </Stack>
  );
}
