import { hkdfSync } from 'node:crypto';
import sodium from 'sodium-native';
import { say } from '#contract/reasons.ts';
import { ApiError } from '../errors.ts';
import type { Random } from '../random.ts';

/** The context that a ciphertext is bound to: in another row or table it cannot be decrypted. */
export interface SealingContext {
  table: string;
  rowId: string;
}

/** A ciphertext (nonce, then the sealed bytes) and the id of the key that opens it. */
export interface Sealed {
  keyId: number;
  ciphertext: Buffer;
}

/**
 * A stored value that cannot be decrypted: it is damaged, or its key is missing. Requests that need it fail
 * with this error; values that are only shown go through {@link Keyring.openIfReadable}.
 */
export class UnreadableError extends ApiError {
  readonly table: string;
  readonly rowId: string;
  readonly keyId: number;

  constructor({ table, rowId }: SealingContext, keyId: number, reason: string) {
    super(500, 'INTERNAL_ERROR', say('service.unreadable'));
    this.name = 'UnreadableError';
    this.cause = reason;
    this.table = table;
    this.rowId = rowId;
    this.keyId = keyId;
  }
}

export interface KeyringOptions {
  /** The current keys, for when another process has sealed with one that is new here. */
  reread?: () => ReadonlyMap<number, Buffer>;
  /** Called for each value to be shown that cannot be decrypted. */
  onUnreadable?: (error: UnreadableError) => void;
}

const NONCE_BYTES = sodium.crypto_aead_xchacha20poly1305_ietf_NPUBBYTES;
const TAG_BYTES = sodium.crypto_aead_xchacha20poly1305_ietf_ABYTES;
export const KEY_BYTES = sodium.crypto_aead_xchacha20poly1305_ietf_KEYBYTES;

/**
 * Encryption at rest: XChaCha20-Poly1305, whose 192-bit random nonces do not collide. The key with the highest ID encrypts;
 * every key decrypts what it encrypted.
 */
export class Keyring {
  readonly #keys: Map<number, Buffer>;
  readonly #random: Random;
  readonly #options: KeyringOptions;
  /** IDs not found when the keys were last reread, so that not every row rereads the file. */
  readonly #missing = new Set<number>();
  #activeKeyId: number;

  constructor(keys: ReadonlyMap<number, Buffer>, random: Random, options: KeyringOptions = {}) {
    if (keys.size === 0) throw new Error('a keyring needs at least one key');
    this.#keys = new Map(keys);
    this.#random = random;
    this.#options = options;
    this.#activeKeyId = Math.max(...keys.keys());
  }

  get activeKeyId(): number {
    return this.#activeKeyId;
  }

  /**
   * Adds new keys; existing ones do not change.
   *
   * @returns the ids that are new
   */
  refresh(): number[] {
    this.#missing.clear();
    const added = [...(this.#options.reread?.() ?? [])].filter(([id]) => !this.#keys.has(id));
    for (const [id, key] of added) this.#keys.set(id, key);
    this.#activeKeyId = Math.max(...this.#keys.keys());
    return added.map(([id]) => id);
  }

  /** A derived key for another purpose, from which the keys of the ring cannot be computed. */
  derive(purpose: string): Buffer {
    const key = this.#key(this.activeKeyId);
    return Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `parley ${purpose}`, KEY_BYTES));
  }

  get keyIds(): number[] {
    return [...this.#keys.keys()];
  }

  seal(context: SealingContext, plaintext: Buffer): Sealed {
    const ciphertext = Buffer.allocUnsafe(NONCE_BYTES + plaintext.length + TAG_BYTES);
    const nonce = this.#random.bytes(NONCE_BYTES);
    nonce.copy(ciphertext);
    sodium.crypto_aead_xchacha20poly1305_ietf_encrypt(
      ciphertext.subarray(NONCE_BYTES),
      plaintext,
      additionalData(context, this.activeKeyId),
      null,
      nonce,
      this.#key(this.activeKeyId),
    );
    return { keyId: this.activeKeyId, ciphertext };
  }

  /** @throws UnreadableError when the key is not in the ring, or when the ciphertext or its context was changed */
  open(context: SealingContext, { keyId, ciphertext }: Sealed): Buffer {
    const key = this.#find(keyId);
    if (!key) throw new UnreadableError(context, keyId, `encryption key ${keyId} is not in the keyring`);
    const plaintext = Buffer.allocUnsafe(Math.max(0, ciphertext.length - NONCE_BYTES - TAG_BYTES));
    try {
      sodium.crypto_aead_xchacha20poly1305_ietf_decrypt(
        plaintext,
        null,
        ciphertext.subarray(NONCE_BYTES),
        additionalData(context, keyId),
        ciphertext.subarray(0, NONCE_BYTES),
        key,
      );
    } catch {
      throw new UnreadableError(context, keyId, 'the ciphertext is damaged or belongs to another row');
    }
    return plaintext;
  }

  /** For display: undefined where {@link open} throws, so that one bad row affects only itself. */
  openIfReadable(context: SealingContext, sealed: Sealed): Buffer | undefined {
    try {
      return this.open(context, sealed);
    } catch (error) {
      if (!(error instanceof UnreadableError)) throw error;
      this.#options.onUnreadable?.(error);
      return undefined;
    }
  }

  #find(keyId: number): Buffer | undefined {
    if (this.#keys.has(keyId) || this.#missing.has(keyId)) return this.#keys.get(keyId);
    this.refresh();
    if (!this.#keys.has(keyId)) this.#missing.add(keyId);
    return this.#keys.get(keyId);
  }

  #key(keyId: number): Buffer {
    const key = this.#keys.get(keyId);
    if (!key) throw new Error(`encryption key ${keyId} is not in the keyring`);
    return key;
  }
}

function additionalData(context: SealingContext, keyId: number): Buffer {
  return Buffer.from(`${context.table}:${context.rowId}:${keyId}`);
}

/**
 * Reads keys from their text form, one `<id>:<64 hexadecimal digits>` per line or comma.
 *
 * @throws when an entry is malformed or an ID is repeated
 */
export function parseKeys(text: string): Map<number, Buffer> {
  const keys = new Map<number, Buffer>();
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const match = /^(\d{1,4}):([0-9a-f]{64})$/i.exec(part);
    if (!match) throw new Error('each key must have the form <id>:<64 hexadecimal digits>');
    const id = Number(match[1]);
    if (keys.has(id)) throw new Error(`key id ${id} comes twice`);
    keys.set(id, Buffer.from(match[2] as string, 'hex'));
  }
  if (keys.size === 0) throw new Error('there is no key in it');
  return keys;
}

/** The text form that {@link parseKeys} reads. */
export function formatKey(id: number, key: Buffer): string {
  return `${id}:${key.toString('hex')}\n`;
}
