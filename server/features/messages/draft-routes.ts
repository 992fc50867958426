import { CHAT } from '#contract/api/chat.ts';
import type { Finding } from '#contract/chat/drafts.ts';
import type { Profile } from '#contract/chat.ts';
import { say } from '#contract/reasons.ts';
import { serve } from '#platform/http/serve.ts';
import { RateLimit } from '#platform/rate-limits.ts';
import { findInvitingProfile, findProfile } from './conversations/profiles.ts';
import type { MessageDeps } from './deps.ts';
import { keepDraft, listDrafts } from './drafts.ts';

/** Every second or so while somebody types; a person may have several pages. */
const DRAFTS_PER_MINUTE = 120;

/** A person's drafts are on all of their devices; nobody else sees them. */
export function draftChatRoutes(deps: MessageDeps) {
  const drafting = new RateLimit(deps, {
    name: 'draft',
    limit: DRAFTS_PER_MINUTE,
    windowMs: 60_000,
    refusal: say('person.drafting-fast'),
  });
  const find = async (
    accountId: string,
    { username, inviteToken }: Finding,
  ): Promise<Profile | undefined> => {
    if (username !== undefined) return findProfile(deps, accountId, username);
    return inviteToken === undefined ? undefined : findInvitingProfile(deps, accountId, inviteToken);
  };
  return [
    serve(CHAT, {
      'GET /drafts': ({ person }) => listDrafts(deps, person.accountId),
      'PUT /conversations/:conversationId/draft': ({ person: { accountId }, params, body }) =>
        keepDraft({ ...deps, drafting, find }, { accountId, ...params }, body),
    }),
  ];
}
