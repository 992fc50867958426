import { Radio, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OwnProfile } from '#contract/accounts/profiles.ts';
import { WHO_MAY_ADD } from '#contract/choices.ts';
import { profileQuery, useAccountChange } from '../../ui/account/queries.ts';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Page } from '../parts/page.tsx';

type Choices = Pick<OwnProfile, 'readReceipts' | 'typingIndicators' | 'lastSeen'>;

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
              key={`receipts ${shown.readReceipts}`}
              shown={shown}
              field="readReceipts"
              label={t('chat.privacy.receipts')}
              about={t('chat.privacy.receiptsText')}
            />
            <Choice
              key={`typing ${shown.typingIndicators}`}
              shown={shown}
              field="typingIndicators"
              label={t('chat.privacy.typing')}
              about={t('chat.privacy.typingText')}
            />
            <Choice
              key={`last seen ${shown.lastSeen}`}
              shown={shown}
              field="lastSeen"
              label={t('chat.privacy.lastSeen')}
              about={t('chat.privacy.lastSeenText')}
            />
            <WhoMayAdd key={shown.whoMayAddMe} stored={shown.whoMayAddMe} />
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}

function Choice({
  shown,
  field,
  label,
  about,
}: {
  shown: Choices;
  field: keyof Choices;
  label: string;
  about: string;
}) {
  const t = useTexts();
  // The choice changes at once and is reverted if the server refuses.
  const [isOn, setOn] = useState(shown[field]);
  const change = useAccountChange('PATCH /profile', {
    done: t('ui.common.saved'),
  });
  return (
    <Switch
      label={label}
      description={about}
      checked={isOn}
      onChange={({ currentTarget: { checked } }) => {
        setOn(checked);
        change.mutate({ body: { [field]: checked } }, { onError: () => setOn(!checked) });
      }}
    />
  );
}

function WhoMayAdd({ stored }: { stored: OwnProfile['whoMayAddMe'] }) {
  const t = useTexts();
  const [chosen, setChosen] = useState(stored);
  const change = useAccountChange('PATCH /profile', { done: t('ui.common.saved') });
  return (
    <Radio.Group
      label={t('chat.privacy.whoMayAdd')}
      mt="md"
      value={chosen}
      onChange={(value) => {
        const whoMayAddMe = value as OwnProfile['whoMayAddMe'];
        setChosen(whoMayAddMe);
        change.mutate({ body: { whoMayAddMe } }, { onError: () => setChosen(stored) });
      }}
    >
      <Stack gap={6} mt={6}>
        {WHO_MAY_ADD.map((value) => (
          <Radio key={value} value={value} label={t(`chat.whoMayAdd.${value}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
