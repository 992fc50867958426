import { Radio, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type LoadRemoteMedia, REMOTE_MEDIA } from '#contract/choices.ts';
import { profileQuery, useAccountChange } from '../../ui/account/queries.ts';
import { callAuth } from '../../ui/api.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { agreeToMap, useMap } from '../map/consent.ts';
import { mapTexts } from '../map/texts.ts';
import { loadTexts } from '../media/texts.ts';
import { Page } from '../parts/page.tsx';
import { settingsTexts } from './texts.ts';

/** Whose media on other servers load automatically, on all of the person's devices. */
export function Component() {
  const t = useTexts(settingsTexts);
  const profile = useQuery(profileQuery);
  return (
    <Page title={t.media} lead={t.mediaAbout} back="/settings">
      <QueryView query={profile}>
        {({ remoteMedia }) => <Choice key={remoteMedia} chosen={remoteMedia} />}
      </QueryView>
      <Maps />
    </Page>
  );
}

function Maps() {
  const t = useTexts(mapTexts);
  const map = useMap();
  if (!map) return null;
  return (
    <Switch
      mt="xl"
      label={t.setting(map.host)}
      description={t.settingAbout}
      checked={map.isAgreed}
      onChange={(event) => agreeToMap(event.currentTarget.checked ? map.host : undefined)}
    />
  );
}

function Choice({ chosen }: { chosen: LoadRemoteMedia }) {
  const t = { ...useTexts(commonTexts), ...useTexts(settingsTexts) };
  const choices = useTexts(loadTexts);
  // The choice changes at once and is reverted if the server refuses.
  const [shown, setShown] = useState(chosen);
  const change = useAccountChange(
    (remoteMedia: LoadRemoteMedia) => callAuth('PATCH /profile', { body: { remoteMedia } }),
    {
      done: t.saved,
    },
  );
  const choose = (wanted: LoadRemoteMedia) => {
    setShown(wanted);
    change.mutate(wanted, { onError: () => setShown(chosen) });
  };
  return (
    <Radio.Group
      label={t.mediaLoad}
      description={t.mediaKnown}
      value={shown}
      onChange={(wanted) => choose(wanted as LoadRemoteMedia)}
    >
      <Stack gap="xs" mt="sm">
        {REMOTE_MEDIA.map((value) => (
          <Radio key={value} value={value} label={choices[value]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
