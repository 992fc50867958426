import type { OwnProfile } from '#contract/accounts/profiles.ts';
import { accountKeys } from '../../ui/account/queries.ts';
import { callAuth } from '../../ui/api.ts';
import { useChangeOf, useSettings } from '../../ui/parts/change.ts';
import { chatPages, chatQuery } from '../../ui/parts/query.ts';
import { accountQuery } from '../../ui/session/means.ts';
import { useTexts } from '../../ui/texts.ts';
import { chatKey } from '../live/feed.ts';

export const inviteLinkQuery = accountQuery('GET /invite-link');

export const blockedQuery = chatQuery([...chatKey, 'blocks'], 'GET /blocks');

export const connectionsKey = ['connected-applications'] as const;

export const connectionsQuery = chatPages([...connectionsKey, 'list'], 'GET /connected-applications');

export const callsQuery = (appId: string) =>
  chatPages([...connectionsKey, 'calls', appId], 'GET /application-calls', { query: { appId } });

/** The choices of the person that stand in the profile, and how they are changed. */
export function useProfileSettings(profile: OwnProfile) {
  const t = useTexts();
  const change = useChangeOf(
    accountKeys,
    (chosen: Partial<OwnProfile>) => callAuth('PATCH /profile', { body: chosen }),
    { done: t('ui.common.saved') },
  );
  return useSettings(profile, change.mutateAsync);
}
