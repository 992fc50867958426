import type { AddPasskey, Passkey, PasskeyQuestion } from '#contract/accounts/second-factors.ts';
import { withoutAbsent } from '#platform/absent.ts';
import {
  alreadyExists,
  failedPrecondition,
  invalidArgument,
  notFound,
  resourceExhausted,
} from '#platform/errors.ts';
import type { AccountDeps } from '../deps.ts';
import { hasNoMeans } from '../means.ts';
import { lockAccount, selectLogin } from '../queries.ts';
import { PASSKEY_TICKET_MS } from '../rules.ts';
import { type Person, sessionEnded } from '../sessions/session.ts';
import type { Visitor } from '../throttle/throttle.ts';
import { issueTicket, openTicket, redeemTicket } from '../tickets.ts';
import { findRelyingParty, loadWebauthn, type RelyingParty } from './prove-passkey.ts';
import {
  deletePasskey,
  insertPasskey,
  type PasskeyRow,
  selectPasskeys,
  updatePasskeyName,
} from './two-factor-queries.ts';

const PASSKEYS_PER_PERSON = 20;
const CHALLENGE_BYTES = 32;
/**
 * EdDSA, ES256, RS256: supported by existing authenticators. Listing them excludes Node's experimental ones.
 */
const ALGORITHMS = [-8, -7, -257];

/** Options with which the browser creates a passkey for this person. */
export async function askForNewPasskey(
  deps: AccountDeps,
  person: Person,
  { site }: Visitor,
): Promise<PasskeyQuestion> {
  const party = findRelyingParty(deps.config, site);
  const { db, random } = deps;
  const [login, present] = await Promise.all([
    selectLogin(db, person.accountId),
    selectPasskeys(db, person.accountId),
  ]);
  if (!login) throw sessionEnded();
  const { generateRegistrationOptions } = await loadWebauthn();
  const options = await generateRegistrationOptions({
    rpName: party.name,
    rpID: party.rpId,
    userID: new Uint8Array(Buffer.from(person.accountId)),
    userName: login.email,
    userDisplayName: login.name,
    challenge: new Uint8Array(random.bytes(CHALLENGE_BYTES)),
    timeout: PASSKEY_TICKET_MS,
    excludeCredentials: present.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const ticketKind = {
    purpose: 'passkey-registration',
    holder: person,
    lifetimeMs: PASSKEY_TICKET_MS,
  } as const;
  return { ...issueTicket(deps, ticketKind, { challenge: options.challenge }), options };
}

/**
 * Stores the passkey that the browser created.
 *
 * @throws ApiError 400 for an invalid answer, 409 for a passkey that is already stored, 429 for too many
 */
export async function addPasskey(
  deps: AccountDeps,
  person: Person,
  { site }: Visitor,
  { ticket: text, name, response }: AddPasskey,
): Promise<Passkey> {
  const party = findRelyingParty(deps.config, site);
  const { db, clock } = deps;
  const { accountId } = person;
  const ticketKind = { purpose: 'passkey-registration', holder: person } as const;
  const ticket = openTicket<{ challenge: string }>(deps, ticketKind, text);
  if (!ticket) throw invalidArgument('ticket', 'stale-ticket');
  const made = await verify(party, response, ticket.content.challenge);
  const row: PasskeyRow = {
    accountId,
    credentialId: made.credential.id,
    publicKey: Buffer.from(made.credential.publicKey),
    counter: made.credential.counter,
    transports: response.response.transports ?? [],
    isSynced: made.credentialBackedUp,
    name,
    createdAt: clock.now(),
    lastUsedAt: null,
  };
  await db.begin(async (tx) => {
    if (!(await lockAccount(tx, accountId))) throw sessionEnded();
    if (!(await redeemTicket(tx, accountId, ticket))) throw invalidArgument('ticket', 'used-ticket');
    if (!(await insertPasskey(tx, row))) throw alreadyExists('passkey.known');
    if ((await selectPasskeys(tx, accountId)).length > PASSKEYS_PER_PERSON) {
      throw resourceExhausted('passkey.too-many', { count: PASSKEYS_PER_PERSON });
    }
  });
  return viewPasskey(row);
}

async function verify(party: RelyingParty, response: AddPasskey['response'], challenge: string) {
  const { verifyRegistrationResponse } = await loadWebauthn();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (registrationInfo) return registrationInfo;
  } catch {
    // The library explains errors to developers; people only learn which field is wrong.
  }
  throw invalidArgument('response', 'foreign-passkey');
}

export async function listPasskeys({ db }: AccountDeps, { accountId }: Person): Promise<Passkey[]> {
  return (await selectPasskeys(db, accountId)).map(viewPasskey);
}

/** @throws ApiError 404 */
export async function renamePasskey(
  { db }: AccountDeps,
  { accountId }: Person,
  { passkeyId: credentialId, name }: { passkeyId: string; name: string },
): Promise<Passkey> {
  const row = await db.begin((tx) => updatePasskeyName(tx, { accountId, credentialId }, name));
  if (!row) throw passkeyNotFound();
  return viewPasskey(row);
}

/** @throws ApiError 404; 400 for the last means of sign-in */
export async function removePasskey(
  { db, takesPasswords }: AccountDeps,
  { accountId }: Person,
  credentialId: string,
): Promise<void> {
  const countsPassword = await takesPasswords();
  await db.begin(async (tx) => {
    if (!(await lockAccount(tx, accountId))) throw sessionEnded();
    if (!(await deletePasskey(tx, { accountId, credentialId }))) throw passkeyNotFound();
    if (await hasNoMeans(tx, accountId, countsPassword)) throw failedPrecondition('identity.last-means');
  });
}

function passkeyNotFound() {
  return notFound('passkey.unknown');
}

function viewPasskey({ credentialId, name, createdAt, lastUsedAt, isSynced }: PasskeyRow): Passkey {
  return withoutAbsent({ passkeyId: credentialId, name, createdAt, lastUsedAt, isSynced });
}
