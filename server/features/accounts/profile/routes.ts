import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { Peer } from '#contract/chat.ts';
import { Success } from '#contract/envelope.ts';
import {
  ChangeProfile,
  CurrentInviteLink,
  DeleteAccount,
  InviteLink,
  InviteParams,
  OwnProfile,
} from '#contract/profiles.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import type { Platform } from '#platform/platform.ts';
import type { AccountFollower } from '../follower.ts';
import { deleteAccount } from '../own-data/delete-account.ts';
import { writeOwnData } from '../own-data/own-data.ts';
import type { SessionCookie } from '../sessions/session-cookie.ts';
import { findInviteLink, removeInviteLink, renewInviteLink, resolveInvite } from './invite-link.ts';
import { changeProfile, showProfile } from './profile.ts';

type Deps = Platform & { cookie: SessionCookie };

const Done = Success(Type.Object({}));

/** How a person is seen, and found. */
export function profileRoutes(app: App, deps: Deps): void {
  const { db, clock } = deps;

  app.get('/profile', { schema: { response: { 200: Success(OwnProfile) } } }, async ({ person }) =>
    success(clock.now(), 'your profile', await showProfile(db, person.accountId)),
  );

  app.patch(
    '/profile',
    { schema: { body: ChangeProfile, response: { 200: Success(OwnProfile) } } },
    async ({ person, body }) =>
      success(clock.now(), 'profile changed', await changeProfile(deps, person.accountId, body)),
  );

  app.get(
    '/invite-link',
    { schema: { response: { 200: Success(CurrentInviteLink) } } },
    async ({ person }) => {
      const inviteLink = await findInviteLink(deps, person.accountId);
      return success(clock.now(), 'your invite link', { ...(inviteLink && { inviteLink }) });
    },
  );

  app.post(
    '/invite-link',
    { schema: { response: { 201: Success(InviteLink) } } },
    async ({ person }, reply) => {
      const inviteLink = await renewInviteLink(deps, person.accountId);
      return reply.code(201).send(success(clock.now(), 'new invite link', inviteLink));
    },
  );

  app.delete('/invite-link', { schema: { response: { 200: Done } } }, async ({ person }) => {
    await removeInviteLink(deps, person.accountId);
    return success(clock.now(), 'invite link removed', {});
  });

  app.get(
    '/invites/:token',
    { schema: { params: InviteParams, response: { 200: Success(Peer) } } },
    async ({ params }) =>
      success(clock.now(), 'who is invited to write to', await resolveInvite(deps, params.token)),
  );
}

/** What a person takes along, and how a person goes. */
export function departureRoutes(app: App, deps: Deps, followers: readonly AccountFollower[]): void {
  const { clock, cookie } = deps;

  app.get('/export', { config: { needsRecentSignIn: true } }, async ({ person }, reply) =>
    reply
      .type('application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="my-data.json"')
      .send(Readable.from(writeOwnData(deps, person, followers))),
  );

  app.post(
    '/account/delete',
    { config: { needsRecentSignIn: true }, schema: { body: DeleteAccount, response: { 200: Done } } },
    async ({ person, body }, reply) => {
      await deleteAccount(deps, person, { ...body, followers });
      reply.header('set-cookie', cookie.clear());
      return success(clock.now(), 'account deleted', {});
    },
  );
}
