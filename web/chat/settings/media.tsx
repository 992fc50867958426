import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { OwnProfile } from '#contract/accounts/profiles.ts';
import { REMOTE_MEDIA } from '#contract/choices.ts';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { RadioList } from '../../ui/parts/radio-list.tsx';
import { useTexts } from '../../ui/texts.ts';
import { ownProfileQuery } from '../conversations/queries.ts';
import { agreeToMap, useMap } from '../map/consent.ts';
import { Page } from '../parts/page.tsx';
import { useProfileSettings } from './queries.ts';

/** Whose media on other servers load automatically, on all of the person's devices. */
export function Component() {
  const t = useTexts();
  const profile = useQuery(ownProfileQuery);
  const map = useMap();
  return (
    <Page title={t('chat.settings.media')} lead={t('chat.settings.mediaAbout')} back="/settings">
      <QueryView query={profile}>{(shown) => <Choice profile={shown} />}</QueryView>
      {map && (
        <Switch
          mt="xl"
          label={t('chat.map.setting', { host: map.host })}
          description={t('chat.map.settingAbout')}
          checked={map.isAgreed}
          onChange={(event) => agreeToMap(event.currentTarget.checked ? map.host : undefined)}
        />
      )}
    </Page>
  );
}

function Choice({ profile }: { profile: OwnProfile }) {
  const t = useTexts();
  const [{ remoteMedia }, choose] = useProfileSettings(profile);
  return (
    <RadioList
      label={t('chat.settings.mediaLoad')}
      description={t('chat.settings.mediaKnown')}
      value={remoteMedia}
      options={REMOTE_MEDIA.map((value) => ({ value, label: t(`chat.load.${value}`) }))}
      onChange={(wanted) => choose({ remoteMedia: wanted })}
    />
  );
}
