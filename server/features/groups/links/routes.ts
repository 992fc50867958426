import { SIGN_IN } from '#contract/api/auth.ts';
import { CHAT } from '#contract/api/chat.ts';
import { say } from '#contract/reasons.ts';
import { networkOf } from '#platform/http/client-address.ts';
import { serve } from '#platform/http/serve.ts';
import { RateLimit } from '#platform/rate-limits.ts';
import type { GroupDeps } from '../service.ts';
import {
  decideJoinRequest,
  joinByLink,
  listJoinRequests,
  showLinkedGroup,
  showLinkedGroupTo,
} from './join.ts';
import { listLinks, makeLink, revokeLink } from './links.ts';

/** As many as wrong passwords of a network: a link that has ended may be opened by many people. */
const WRONG_LINKS = { limit: 50, windowMs: 15 * 60_000 };

/** Invitation links of groups and broadcast lists: for administrators, and for those who open one. */
export function linkRoutes(given: GroupDeps) {
  const refusal = say('sign-in.too-many-attempts');
  const deps = {
    ...given,
    wrongLinks: new RateLimit(given, { name: 'wrong-group-links', ...WRONG_LINKS, refusal }),
  };
  return [
    serve(SIGN_IN, {
      'POST /group-links/show': ({ browser, body }) =>
        showLinkedGroup(deps, networkOf(browser.address), body.token),
    }),
    serve(CHAT, {
      'GET /groups/links': ({ person, query }) => listLinks(deps, person.accountId, query.groupId),
      'POST /groups/links': ({ person, body }) => makeLink(deps, person.accountId, body),
      'POST /groups/links/revoke': ({ person, body }) => revokeLink(deps, person.accountId, body),
      'POST /groups/links/show': ({ person, body }) => showLinkedGroupTo(deps, person.accountId, body.token),
      'POST /groups/links/join': ({ person, body }) => joinByLink(deps, person.accountId, body.token),
      'GET /groups/join-requests': ({ person, query }) =>
        listJoinRequests(deps, person.accountId, query.groupId),
      'POST /groups/join-requests/decide': ({ person, body }) =>
        decideJoinRequest(deps, person.accountId, body),
    }),
  ];
}
