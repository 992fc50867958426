import type { Tx } from '#platform/database.ts';
import type { AccountDeps } from '../deps.ts';
import type { Login } from '../queries.ts';
import type { AuthenticationMethod } from '../rules.ts';
import { type DeviceMark, markDevice } from '../sessions/devices.ts';
import { deleteSession } from '../sessions/queries.ts';
import { announceEnd, parseCredential, startSession } from '../sessions/session.ts';
import type { Visitor } from '../throttle/visitor.ts';

export interface SignedIn {
  account: Pick<Login, 'accountId' | 'name' | 'email'>;
  credential: string;
  device: DeviceMark;
}

/** The calling browser, and the cookies to set in it. */
export interface Browser extends Visitor {
  keep(signedIn: Pick<SignedIn, 'credential' | 'device'>): void;
  forget(): void;
}

/**
 * Begins a session for an authenticated person, which replaces the browser's current one.
 *
 * @param methods of the authentication
 * @param admit checks and writes in the same transaction; false refuses the sign-in
 */
export async function enter(
  deps: AccountDeps,
  visitor: Visitor,
  { accountId, name, email }: SignedIn['account'],
  methods: AuthenticationMethod[],
  admit: (tx: Tx) => Promise<boolean>,
): Promise<SignedIn | undefined> {
  const { db, clock, live } = deps;
  const entered = await db.begin(async (tx) => {
    if (!(await admit(tx))) return undefined;
    const replaced = parseCredential(visitor.credential);
    const ended = replaced ? await deleteSession(tx, replaced) : [];
    const signInId = ended.find((session) => session.accountId === accountId)?.signInId;
    const session = { accountId, userAgent: visitor.userAgent, methods, signInId, now: clock.now() };
    const credential = await startSession(tx, deps, session);
    return { ended, credential, device: await markDevice(tx, deps, accountId) };
  });
  if (!entered) return undefined;
  const { ended, ...session } = entered;
  announceEnd(live, ended);
  return { account: { accountId, name, email }, ...session };
}
