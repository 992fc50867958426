import { Radio, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OwnProfile } from '#contract/accounts/profiles.ts';
import { WHO_MAY_ADD } from '#contract/choices.ts';
import { profileQuery } from '../../ui/account/queries.ts';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Page } from '../parts/page.tsx';
import { useProfileSettings } from './queries.ts';

/** Which activity in the chat others see, the person sees only the same of them; and who may add the person to groups. */
export function Component() {
  const t = useTexts();
  const profile = useQuery(profileQuery);
  return (
    <Page title={t('chat.settings.privacy')} back="/settings">
      <QueryView query={profile}>
        {(shown) => (
          <Stack>
            <Text c="dimmed">{t('chat.privacy.lead')}</Text>
            <Choice
              profile={shown}
              field="readReceipts"
              label={t('chat.privacy.receipts')}
              about={t('chat.privacy.receiptsText')}
            />
            <Choice
              profile={shown}
              field="typingIndicators"
              label={t('chat.privacy.typing')}
              about={t('chat.privacy.typingText')}
            />
            <Choice
              profile={shown}
              field="lastSeen"
              label={t('chat.privacy.lastSeen')}
              about={t('chat.privacy.lastSeenText')}
            />
            <WhoMayAdd profile={shown} />
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}

function Choice({
  profile,
  field,
  label,
  about,
}: {
  profile: OwnProfile;
  field: 'readReceipts' | 'typingIndicators' | 'lastSeen';
  label: string;
  about: string;
}) {
  const [shown, choose] = useProfileSettings(profile);
  return (
    <Switch
      label={label}
      description={about}
      checked={shown[field]}
      onChange={({ currentTarget }) => choose({ [field]: currentTarget.checked })}
    />
  );
}

function WhoMayAdd({ profile }: { profile: OwnProfile }) {
  const t = useTexts();
  const [{ whoMayAddMe }, choose] = useProfileSettings(profile);
  return (
    <Radio.Group
      label={t('chat.privacy.whoMayAdd')}
      mt="md"
      value={whoMayAddMe}
      onChange={(value) => choose({ whoMayAddMe: value as OwnProfile['whoMayAddMe'] })}
    >
      <Stack gap={6} mt={6}>
        {WHO_MAY_ADD.map((value) => (
          <Radio key={value} value={value} label={t(`chat.whoMayAdd.${value}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
