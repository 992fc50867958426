import { Readable } from 'node:stream';
import { ACCOUNT } from '#contract/api/auth.ts';
import { serve } from '#platform/http/serve.ts';
import type { AccountDeps } from './deps.ts';
import { deleteAccount } from './own-data/delete-account.ts';
import { writeOwnData } from './own-data/own-data.ts';
import { findInviteLink, removeInviteLink, renewInviteLink, resolveInvite } from './profile/invite-link.ts';
import { changeLanguage } from './profile/language.ts';
import { changeProfile, showProfile } from './profile/profile.ts';

/** How others see and find a person. */
export function profileRoutes(deps: AccountDeps) {
  return [
    serve(ACCOUNT, {
      'GET /profile': ({ person }) => showProfile(deps, person.accountId),
      'PATCH /profile': ({ person, body }) =>
        changeProfile(deps, person.accountId, { ...body, hooks: deps.hooks }),
      'PUT /language': async ({ person, body }) => {
        await changeLanguage(deps, person.accountId, body.language);
        return {};
      },
      'GET /invite-link': async ({ person }) => {
        const inviteLink = await findInviteLink(deps, person.accountId);
        return { ...(inviteLink && { inviteLink }) };
      },
      'POST /invite-link': ({ person }) => renewInviteLink(deps, person.accountId),
      'DELETE /invite-link': async ({ person }) => {
        await removeInviteLink(deps, person.accountId);
        return {};
      },
      'GET /invites/:token': ({ params }) => resolveInvite(deps, params.token),
    }),
  ];
}

/** The export of a person's data, and the deletion of the account. */
export function departureRoutes(deps: AccountDeps) {
  return [
    serve(ACCOUNT, {
      'GET /export': ({ person, reply }) =>
        reply
          .type('application/json; charset=utf-8')
          .header('content-disposition', 'attachment; filename="my-data.json"')
          .send(Readable.from(writeOwnData(deps, person, deps.hooks))),
      'POST /account/delete': async ({ person, browser, body }) => {
        await deleteAccount(deps, person, { ...body, hooks: deps.hooks });
        browser.forget();
        return {};
      },
    }),
  ];
}
