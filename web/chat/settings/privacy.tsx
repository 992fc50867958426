import { Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OwnProfile } from '#contract/accounts/profiles.ts';
import { profileQuery, useAccountChange } from '../../ui/account/queries.ts';
import { callAuth } from '../../ui/api.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Page } from '../parts/page.tsx';
import { privacyTexts, settingsTexts } from './texts.ts';

type Choices = Pick<OwnProfile, 'readReceipts' | 'typingIndicators' | 'lastSeen'>;

/** Which activity in the chat others see; the person sees only the same of them. */
export function Component() {
  const t = { ...useTexts(settingsTexts), ...useTexts(privacyTexts) };
  const profile = useQuery(profileQuery);
  return (
    <Page title={t.privacy} lead={t.lead} back="/settings">
      <QueryView query={profile}>
        {(shown) => (
          <Stack>
            <Choice
              key={`receipts ${shown.readReceipts}`}
              shown={shown}
              field="readReceipts"
              label={t.receipts}
              about={t.receiptsText}
            />
            <Choice
              key={`typing ${shown.typingIndicators}`}
              shown={shown}
              field="typingIndicators"
              label={t.typing}
              about={t.typingText}
            />
            <Choice
              key={`last seen ${shown.lastSeen}`}
              shown={shown}
              field="lastSeen"
              label={t.lastSeen}
              about={t.lastSeenText}
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
  const t = useTexts(commonTexts);
  // The choice changes at once and is reverted if the server refuses.
  const [isOn, setOn] = useState(shown[field]);
  const change = useAccountChange(
    (isOn: boolean) => callAuth('PATCH /profile', { body: { [field]: isOn } }),
    {
      done: t.saved,
    },
  );
  return (
    <Switch
      label={label}
      description={about}
      checked={isOn}
      onChange={({ currentTarget: { checked } }) => {
        setOn(checked);
        change.mutate(checked, { onError: () => setOn(!checked) });
      }}
    />
  );
}
