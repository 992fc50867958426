import { isIP } from 'node:net';
import type {
  PasskeyAssertion,
  PasskeyQuestion,
  SignInByPasskey,
} from '#contract/accounts/second-factors.ts';
import type { Config } from '#platform/config.ts';
import type { Tx } from '#platform/database.ts';
import { failedPrecondition } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { AccountDeps } from '../deps.ts';
import { PASSKEY_TICKET_MS } from '../rules.ts';
import { type Holder, issueTicket, openTicket, redeemTicket, type Ticket } from '../tickets.ts';
import { type PasskeyRow, selectPasskey, updatePasskeyUse } from './two-factor-queries.ts';

/** The library for passkeys is loaded on first use: it would take a seventh of every start. */
export const loadWebauthn = () => import('@simplewebauthn/server');

/** The relying party of WebAuthn: the site for which a passkey works. */
export interface RelyingParty {
  rpId: string;
  origin: string;
  name: string;
}

/**
 * The site of `PUBLIC_URL`; without it the one that the browser calls, if that is localhost. No other host is
 * trusted: a passkey is bound to its site forever.
 *
 * @throws ApiError 400 where browsers have no passkeys: over plain http, and at an IP address
 */
export function findRelyingParty(
  { publicUrl, serviceName = 'Parley' }: Pick<Config, 'publicUrl' | 'serviceName'>,
  { protocol, host }: { protocol: string; host: string },
): RelyingParty {
  const url = URL.parse(publicUrl ?? `${protocol}://${host}`);
  const isLocal = url !== null && /^(?:[^.]+\.)?localhost$/.test(url.hostname);
  const isPublic = publicUrl !== undefined && url?.protocol === 'https:' && isName(url.hostname);
  if (!url || !(isLocal || isPublic)) {
    throw failedPrecondition('passkey.no-site');
  }
  return { rpId: url.hostname, origin: url.origin, name: serviceName };
}

function isName(hostname: string): boolean {
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0;
}

/** To sign in, or to confirm one's identity in an existing session. */
type Purpose = 'passkey-sign-in' | 'passkey-confirmation';

const CHALLENGE_BYTES = 32;

/** Asks for a passkey: any of this site's, or one of those given. */
export async function askForPasskey(
  deps: AccountDeps,
  party: RelyingParty,
  { purpose, holder, among = [] }: { purpose: Purpose; holder: Holder; among?: PasskeyRow[] },
): Promise<PasskeyQuestion> {
  const { generateAuthenticationOptions } = await loadWebauthn();
  const options = await generateAuthenticationOptions({
    rpID: party.rpId,
    challenge: new Uint8Array(deps.random.bytes(CHALLENGE_BYTES)),
    timeout: PASSKEY_TICKET_MS,
    userVerification: 'required',
    allowCredentials: among.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  });
  const ticketKind = { purpose, holder, lifetimeMs: PASSKEY_TICKET_MS };
  return { ...issueTicket(deps, ticketKind, { challenge: options.challenge }), options };
}

/** A passkey with a valid answer; it counts once {@link redeemPasskey} has accepted it. */
export interface ProvenPasskey {
  accountId: string;
  credentialId: string;
  counter: number;
  isSynced: boolean;
  ticket: Ticket<unknown>;
}

/** The owner of the passkey that answered; undefined unless the answer is valid. */
export async function provePasskey(
  deps: AccountDeps,
  party: RelyingParty,
  { ticket: text, response }: SignInByPasskey,
  { purpose, holder }: { purpose: Purpose; holder: Holder },
): Promise<ProvenPasskey | undefined> {
  const ticket = openTicket<{ challenge: string }>(deps, { purpose, holder }, text);
  const accountId = readUserHandle(response) ?? holder?.accountId ?? '';
  if (!ticket || !isId('usr', accountId) || (holder && holder.accountId !== accountId)) return undefined;
  const passkey = await selectPasskey(deps.db, { accountId, credentialId: response.id });
  if (!passkey) return undefined;
  const { credentialId, publicKey, counter } = passkey;
  const { verifyAuthenticationResponse } = await loadWebauthn();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
      expectedChallenge: ticket.content.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.rpId,
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter },
      requireUserVerification: true,
    });
    if (!verified) return undefined;
    const { newCounter, credentialBackedUp } = authenticationInfo;
    return { accountId, credentialId, counter: newCounter, isSynced: credentialBackedUp, ticket };
  } catch {
    // The library throws for every failed check; which one it was is not reported.
    return undefined;
  }
}

/** Marks the answer as used. False if it was already used, or the passkey was removed or copied meanwhile. */
export async function redeemPasskey(tx: Tx, proven: ProvenPasskey, at: number): Promise<boolean> {
  return (
    (await redeemTicket(tx, proven.accountId, proven.ticket)) &&
    (await updatePasskeyUse(tx, proven, { counter: proven.counter, isSynced: proven.isSynced, at }))
  );
}

/** The account that the passkey was created for, as stored by the authenticator. */
function readUserHandle({ response: { userHandle } }: PasskeyAssertion): string | undefined {
  return userHandle === undefined ? undefined : Buffer.from(userHandle, 'base64url').toString();
}
