import { Readable } from 'node:stream';
import { Type } from 'typebox';
import {
  ChangeLanguage,
  ChangeProfile,
  CurrentInviteLink,
  DeleteAccount,
  InviteLink,
  InviteParams,
  OwnProfile,
} from '#contract/accounts/profiles.ts';
import { Peer } from '#contract/chat.ts';
import type { AccountHook } from '../hook.ts';
import type { Accounts, OwnAccountRoutes } from '../index.ts';

const Done = Type.Object({});
const recent = { needsRecentSignIn: true } as const;

/** How others see and find a person. */
export function profileRoutes(
  routes: OwnAccountRoutes,
  accounts: Accounts,
  hooks: readonly AccountHook[],
): void {
  routes.get('/profile', { reply: OwnProfile, message: 'your profile' }, ({ person }) =>
    accounts.showProfile(person.accountId),
  );

  routes.patch(
    '/profile',
    { body: ChangeProfile, reply: OwnProfile, message: 'profile changed' },
    ({ person, body }) => accounts.changeProfile(person.accountId, { ...body, hooks }),
  );

  routes.put(
    '/language',
    { body: ChangeLanguage, reply: Done, message: 'language noted' },
    async ({ person, body }) => {
      await accounts.changeLanguage(person.accountId, body.language);
      return {};
    },
  );

  routes.get(
    '/invite-link',
    { reply: CurrentInviteLink, message: 'your invite link' },
    async ({ person }) => {
      const inviteLink = await accounts.findInviteLink(person.accountId);
      return { ...(inviteLink && { inviteLink }) };
    },
  );

  routes.post('/invite-link', { reply: InviteLink, message: 'new invite link', status: 201 }, ({ person }) =>
    accounts.renewInviteLink(person.accountId),
  );

  routes.delete('/invite-link', { reply: Done, message: 'invite link removed' }, async ({ person }) => {
    await accounts.removeInviteLink(person.accountId);
    return {};
  });

  routes.get(
    '/invites/:token',
    { params: InviteParams, reply: Peer, message: 'who is invited to write to' },
    ({ params }) => accounts.resolveInvite(params.token),
  );
}

/** The export of a person's data, and the deletion of the account. */
export function departureRoutes(
  routes: OwnAccountRoutes,
  accounts: Accounts,
  hooks: readonly AccountHook[],
): void {
  routes.raw('/export', recent, ({ person, reply }) =>
    reply
      .type('application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="my-data.json"')
      .send(Readable.from(accounts.writeOwnData(person, hooks))),
  );

  routes.post(
    '/account/delete',
    { ...recent, body: DeleteAccount, reply: Done, message: 'account deleted' },
    async ({ person, browser, body }) => {
      await accounts.deleteAccount(person, { ...body, hooks });
      browser.forget();
      return {};
    },
  );
}
