import type { Platform } from '#platform/platform.ts';
import type { AccountHook } from '../hook.ts';
import { showProfile } from '../profile/profile.ts';
import { listPasskeys } from '../second-factor/passkeys.ts';
import { showTwoFactor } from '../second-factor/two-factor.ts';
import { listSessions } from '../sessions/own-sessions.ts';
import type { Person } from '../sessions/session.ts';

type Deps = Pick<Platform, 'db' | 'clock'>;

/**
 * All data about a person as one JSON document, streamed: the longest history takes no more memory than one
 * page of it. It contains no secrets.
 */
export async function* writeOwnData(
  deps: Deps,
  person: Person,
  hooks: readonly AccountHook[],
): AsyncGenerator<string> {
  const { accountId } = person;
  const [profile, twoFactor, passkeys, sessions] = await Promise.all([
    showProfile(deps, accountId),
    showTwoFactor(deps, person),
    listPasskeys(deps, person),
    listSessions(deps, person),
  ]);
  const begin = { exportedAt: deps.clock.now(), profile, twoFactor, passkeys, sessions };
  yield JSON.stringify(begin).slice(0, -1);
  for (const { sections = {} } of hooks) {
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
