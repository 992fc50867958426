import { Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OwnProfile } from '#contract/accounts/profiles.ts';
import { profileQuery, useAccountChange } from '../../ui/account/queries.ts';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Page } from '../parts/page.tsx';

type Choices = Pick<OwnProfile, 'readReceipts' | 'typingIndicators' | 'lastSeen'>;

/** Which activity in the chat others see; the person sees only the same of them. */
export function Component() {
  const t = useTexts();
  const profile = useQuery(profileQuery);
  return (
    <Page title={t('chat.settings.privacy')} lead={t('chat.privacy.lead')} back="/settings">
      <QueryView query={profile}>
        {(shown) => (
          <Stack>
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
