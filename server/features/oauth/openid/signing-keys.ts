import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from 'jose';
import { OPENID_LIMITS } from '#contract/openid.ts';
import {
  deleteServiceKeys,
  insertServiceKey,
  type ServiceKeyRow,
  selectServiceKeys,
  serviceKeyContext,
} from '#platform/crypto/service-keys.ts';
import type { Platform } from '#platform/platform.ts';

/** After this time every process and every cache of the published keys has a new key. */
const SETTLING_MS = 10 * 60_000;

export const SIGNING_ALGORITHM = 'ES256';

const NAMES = 'openid:';
/** How long a process may be unaware of a key that another one has created. */
const READ_AGAIN_MS = 10_000;

type Deps = Pick<Platform, 'db' | 'clock' | 'keyring'>;

export interface PublicKey extends JWK {
  kid: string;
}

interface SigningKey {
  kid: string;
  privateKey: CryptoKey | Uint8Array;
}

/**
 * The keys that sign ID tokens and logout tokens. The first one is created on first use, later ones by the
 * operator.
 */
export class SigningKeys {
  readonly #deps: Deps;
  readonly #opened = new Map<string, SigningKey>();
  #rows: { readAt: number; keys: Promise<ServiceKeyRow[]> } | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Those that verify unexpired tokens, including the one that will sign next. */
  async listPublic(): Promise<PublicKey[]> {
    return (await this.#read()).map(({ publicKey }) => JSON.parse(publicKey));
  }

  /** The key that signs now: the newest one that all caches contain by now, or the first. */
  async findActive(): Promise<SigningKey> {
    const keys = await this.#read();
    const now = this.#deps.clock.now();
    const row = keys.findLast(({ createdAt }) => now - createdAt >= SETTLING_MS) ?? keys[0];
    if (!row) throw new Error('the key that signs tokens is gone');
    const known = this.#opened.get(row.name);
    if (known) return known;
    const { keyring } = this.#deps;
    const secret = keyring.open(serviceKeyContext(row.name), {
      ciphertext: row.secret,
      keyId: row.secretKeyId,
    });
    const key = {
      kid: (JSON.parse(row.publicKey) as PublicKey).kid,
      privateKey: await importJWK(JSON.parse(secret.toString()), SIGNING_ALGORITHM),
    };
    this.#opened.set(row.name, key);
    return key;
  }

  #read(): Promise<ServiceKeyRow[]> {
    const now = this.#deps.clock.now();
    if (!this.#rows || Math.abs(now - this.#rows.readAt) >= READ_AGAIN_MS) {
      const keys = this.#readOrMake();
      this.#rows = { readAt: now, keys };
      keys.catch(() => {
        this.#rows = undefined;
      });
    }
    return this.#rows.keys;
  }

  async #readOrMake(): Promise<ServiceKeyRow[]> {
    const { db } = this.#deps;
    const rows = await selectServiceKeys(db, NAMES);
    if (rows.length > 0) return rows;
    await insertNext(this.#deps, []);
    return selectServiceKeys(db, NAMES);
  }
}

/**
 * Adds a key, which signs as soon as all caches can have it; earlier keys stay published until every token that
 * they signed has expired.
 *
 * @param isAtOnce for keys that may have leaked: earlier keys are removed, so that every token that they signed
 * becomes invalid
 * @returns the id of the new key
 * @throws Error when somebody else adds one at the same time
 */
export async function rotateSigningKeys(
  deps: Deps,
  { isAtOnce }: { isAtOnce: boolean },
): Promise<{ kid: string; removed: number }> {
  const { db } = deps;
  const rows = await selectServiceKeys(db, NAMES);
  const kid = await insertNext(deps, rows);
  if (kid === undefined)
    throw new Error('a key was added at the same time: look again before you add another');
  const old = rows.map(({ name }) => name);
  if (isAtOnce) await db.write((tx) => deleteServiceKeys(tx, old));
  return { kid, removed: isAtOnce ? old.length : 0 };
}

/** One step of the expiry worker: removes keys when every token that they signed has expired. */
export async function removeExpiredSigningKeys({ db, clock }: Pick<Platform, 'db' | 'clock'>): Promise<void> {
  const keys = await selectServiceKeys(db, NAMES);
  const longest = 2 * SETTLING_MS + OPENID_LIMITS.idTokenSeconds * 1000;
  const names = keys.flatMap(({ name }, i) => {
    const next = keys[i + 1];
    return next !== undefined && clock.now() - next.createdAt > longest ? name : [];
  });
  if (names.length > 0) await db.write((tx) => deleteServiceKeys(tx, names));
}

/** Numbered, so that only one of several concurrent ones is kept. */
async function insertNext(
  { db, clock, keyring }: Deps,
  rows: readonly ServiceKeyRow[],
): Promise<string | undefined> {
  const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const open = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(open);
  const published: PublicKey = { ...open, kid, use: 'sig', alg: SIGNING_ALGORITHM };
  const number = Math.max(0, ...rows.map(({ name }) => Number(name.slice(NAMES.length)))) + 1;
  const name = `${NAMES}${number}`;
  const secret = Buffer.from(JSON.stringify(await exportJWK(privateKey)));
  const { ciphertext, keyId } = keyring.seal(serviceKeyContext(name), secret);
  const isFirst = await db.write((tx) =>
    insertServiceKey(tx, {
      name,
      publicKey: JSON.stringify(published),
      secret: ciphertext,
      secretKeyId: keyId,
      createdAt: clock.now(),
    }),
  );
  return isFirst ? kid : undefined;
}
