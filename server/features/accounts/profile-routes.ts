import { Readable } from 'node:stream';
import { ACCOUNT } from '#contract/api/auth.ts';
import { serve } from '#platform/http/serve.ts';
import type { AccountDeps } from './deps.ts';
import { deleteAccount } from './own-data.ts';
import { findInviteLink, removeInviteLink, renewInviteLink, resolveInvite } from './profile/invite-link.ts';
import { changeProfile, showProfile } from './profile/profile.ts';
import { updateLanguage } from './profile/queries.ts';
import { listPasskeys } from './second-factor/passkeys.ts';
import { showTwoFactor } from './second-factor/two-factor.ts';
import { listSessions } from './sessions/own-sessions.ts';
import type { Person } from './sessions/session.ts';

/** How others see and find a person, the export of a person's data, and the deletion of the account. */
export function profileRoutes(deps: AccountDeps) {
  return serve(ACCOUNT, {
    'GET /profile': ({ person }) => showProfile(deps, person.accountId),
    'PATCH /profile': ({ person, body }) => changeProfile(deps, person.accountId, body),
    /** In which the server writes to the person. */
    'PUT /language': ({ person, body }) =>
      deps.db.write((tx) => updateLanguage(tx, person.accountId, body.language)),
    'GET /invite-link': async ({ person }) => {
      const inviteLink = await findInviteLink(deps, person.accountId);
      return { ...(inviteLink && { inviteLink }) };
    },
    'POST /invite-link': ({ person }) => renewInviteLink(deps, person.accountId),
    'DELETE /invite-link': ({ person }) => removeInviteLink(deps, person.accountId),
    'GET /invites/:token': ({ params }) => resolveInvite(deps, params.token),
    'GET /export': ({ person, reply }) =>
      reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', 'attachment; filename="my-data.json"')
        .send(Readable.from(writeOwnData(deps, person))),
    'POST /account/delete': async ({ person, browser, body }) => {
      await deleteAccount(deps, person, body.email);
      browser.forget();
    },
  });
}

/**
 * All data about a person as one JSON document, streamed: the longest history takes no more memory than one
 * page of it. It contains no secrets.
 */
async function* writeOwnData(deps: AccountDeps, person: Person): AsyncGenerator<string> {
  const { accountId } = person;
  const [profile, twoFactor, passkeys, sessions] = await Promise.all([
    showProfile(deps, accountId),
    showTwoFactor(deps, person),
    listPasskeys(deps, person),
    listSessions(deps, person),
  ]);
  const begin = { exportedAt: deps.clock.now(), profile, twoFactor, passkeys, sessions };
  yield JSON.stringify(begin).slice(0, -1);
  for (const { sections = {} } of deps.hooks) {
    for (const [name, read] of Object.entries(sections)) {
      yield `,\n${JSON.stringify(name)}:[`;
      let separator = '\n';
      for await (const entry of read(accountId)) {
        yield separator + JSON.stringify(entry);
        separator = ',\n';
      }
      yield ']';
    }
  }
  yield '}\n';
}
