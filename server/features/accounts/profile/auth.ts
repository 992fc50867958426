import { Readable } from 'node:stream';
import { ACCOUNT } from '#contract/api/auth.ts';
import { serve } from '#platform/http/serve.ts';
import type { AccountHook } from '../hook.ts';
import type { Accounts } from '../index.ts';

/** How others see and find a person. */
export function profileRoutes(accounts: Accounts, hooks: readonly AccountHook[]) {
  return [
    serve(ACCOUNT, {
      'GET /profile': ({ person }) => accounts.showProfile(person.accountId),
      'PATCH /profile': ({ person, body }) => accounts.changeProfile(person.accountId, { ...body, hooks }),
      'PUT /language': async ({ person, body }) => {
        await accounts.changeLanguage(person.accountId, body.language);
        return {};
      },
      'GET /invite-link': async ({ person }) => {
        const inviteLink = await accounts.findInviteLink(person.accountId);
        return { ...(inviteLink && { inviteLink }) };
      },
      'POST /invite-link': ({ person }) => accounts.renewInviteLink(person.accountId),
      'DELETE /invite-link': async ({ person }) => {
        await accounts.removeInviteLink(person.accountId);
        return {};
      },
      'GET /invites/:token': ({ params }) => accounts.resolveInvite(params.token),
    }),
  ];
}

/** The export of a person's data, and the deletion of the account. */
export function departureRoutes(accounts: Accounts, hooks: readonly AccountHook[]) {
  return [
    serve(ACCOUNT, {
      'GET /export': ({ person, reply }) =>
        reply
          .type('application/json; charset=utf-8')
          .header('content-disposition', 'attachment; filename="my-data.json"')
          .send(Readable.from(accounts.writeOwnData(person, hooks))),
      'POST /account/delete': async ({ person, browser, body }) => {
        await accounts.deleteAccount(person, { ...body, hooks });
        browser.forget();
        return {};
      },
    }),
  ];
}
