import { createHash } from 'node:crypto';
import sodium from 'sodium-native';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { CreateBot } from '#contract/bots.ts';
import { KEY_SCOPES } from '#contract/scopes.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import type { Random } from '#platform/random.ts';
import { keyFromPassphrase } from '../backup/sealed-stream.ts';

const Bytes = Type.String({ pattern: '^[0-9a-f]+$' });
const WebhookUrl = Type.Union([Type.String({ maxLength: 2048 }), Type.Null()]);

/** Fields of the file that are not encrypted. */
const Shown = Type.Object({
  appId: Type.String({ pattern: '^app_[0-9a-hjkmnp-tv-z]{24}$' }),
  name: Type.String({ minLength: 1, maxLength: 200 }),
  /** Of a file from before version 2; since then it is sealed. */
  webhookUrl: Type.Optional(WebhookUrl),
  redirectUris: Type.Array(Type.String({ maxLength: 2048 }), { maxItems: 100 }),
  bot: Type.Union([
    Type.Interface([CreateBot], { userId: Type.String({ pattern: '^usr_[0-9a-hjkmnp-tv-z]{24}$' }) }),
    Type.Null(),
  ]),
});

/** Fields of the file that are encrypted: the webhook's URL and secret, and the hashes of credentials. */
const Secrets = Type.Object({
  webhookUrl: Type.Optional(WebhookUrl),
  webhookSecret: Type.String(),
  clientSecretHash: Type.Union([Bytes, Type.Null()]),
  apiKeys: Type.Array(
    // Bundles of the previous version have no names.
    Type.Object({
      hash: Bytes,
      name: Type.Optional(Type.String()),
      scopes: Type.Array(Type.Enum(KEY_SCOPES)),
    }),
  ),
});

const Payload = Type.Object({
  exportedAt: Type.Integer(),
  shown: Shown,
  secrets: Type.Object({ salt: Bytes, sealed: Bytes }),
});

const Bundle = Type.Object({
  format: Type.Literal('parley-application'),
  version: Type.Enum([1, 2]),
  /** The text of a payload: what is signed is this very text. */
  payload: Type.String(),
  publicKey: Bytes,
  signature: Bytes,
});

export interface Portable {
  shown: Static<typeof Shown>;
  secrets: Static<typeof Secrets>;
}

const NONCE_BYTES = sodium.crypto_secretbox_NONCEBYTES;
const SALT_BYTES = 16;

/** Signs for this installation, with a key of its own that comes of the active encryption key. */
export async function signBundle(
  { shown, secrets }: Portable,
  {
    passphrase,
    keyring,
    random,
    exportedAt,
  }: { passphrase: string; keyring: Keyring; random: Random; exportedAt: number },
): Promise<{ text: string; signer: string }> {
  const salt = random.bytes(SALT_BYTES);
  const plaintext = Buffer.from(JSON.stringify(secrets));
  const sealed = Buffer.alloc(NONCE_BYTES + plaintext.length + sodium.crypto_secretbox_MACBYTES);
  const nonce = sealed.subarray(0, NONCE_BYTES);
  random.bytes(NONCE_BYTES).copy(nonce);
  sodium.crypto_secretbox_easy(
    sealed.subarray(NONCE_BYTES),
    plaintext,
    nonce,
    await keyFromPassphrase(passphrase, salt),
  );
  const payload = JSON.stringify({
    exportedAt,
    shown,
    secrets: { salt: salt.toString('hex'), sealed: sealed.toString('hex') },
  });
  const publicKey = Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES);
  const secretKey = sodium.sodium_malloc(sodium.crypto_sign_SECRETKEYBYTES);
  sodium.crypto_sign_seed_keypair(publicKey, secretKey, keyring.derive('application export'));
  const signature = Buffer.alloc(sodium.crypto_sign_BYTES);
  sodium.crypto_sign_detached(signature, Buffer.from(payload), secretKey);
  const bundle = {
    format: 'parley-application',
    version: 2,
    payload,
    publicKey: publicKey.toString('hex'),
    signature: signature.toString('hex'),
  };
  return { text: `${JSON.stringify(bundle, undefined, 2)}\n`, signer: fingerprint(publicKey) };
}

/**
 * Reads what {@link signBundle} wrote.
 *
 * @param signer the fingerprint that the export printed, come by another way than the file
 * @throws when the file is none, was changed, is signed by somebody else, or the passphrase is another
 */
export async function openBundle(
  text: string,
  { signer, passphrase }: { signer: string; passphrase: string },
): Promise<Portable> {
  const bundle = parse(text, 'this is not an exported application');
  if (!Value.Check(Bundle, bundle)) throw new Error('this is not an exported application');
  const publicKey = Buffer.from(bundle.publicKey, 'hex');
  const actual = fingerprint(publicKey);
  if (actual !== signer.toLowerCase()) throw new Error(`the file is signed by ${actual}, not by ${signer}`);
  const isWhole =
    publicKey.length === sodium.crypto_sign_PUBLICKEYBYTES &&
    bundle.signature.length === 2 * sodium.crypto_sign_BYTES &&
    sodium.crypto_sign_verify_detached(
      Buffer.from(bundle.signature, 'hex'),
      Buffer.from(bundle.payload),
      publicKey,
    );
  if (!isWhole) throw new Error('the signature is wrong: the file has been changed');
  const payload = parse(bundle.payload, 'the file is damaged');
  if (!Value.Check(Payload, payload)) throw new Error('the file was written by another version of Parley');
  const secrets = parse(await openSecrets(payload.secrets, passphrase), 'the file is damaged');
  if (!Value.Check(Secrets, secrets)) throw new Error('the file was written by another version of Parley');
  return { shown: payload.shown, secrets };
}

async function openSecrets(
  { salt, sealed }: Static<typeof Payload>['secrets'],
  passphrase: string,
): Promise<string> {
  const bytes = Buffer.from(sealed, 'hex');
  const plaintext = Buffer.alloc(Math.max(0, bytes.length - NONCE_BYTES - sodium.crypto_secretbox_MACBYTES));
  const isOpen = sodium.crypto_secretbox_open_easy(
    plaintext,
    bytes.subarray(NONCE_BYTES),
    bytes.subarray(0, NONCE_BYTES),
    await keyFromPassphrase(passphrase, Buffer.from(salt, 'hex')),
  );
  if (!isOpen) throw new Error('the passphrase is wrong');
  return plaintext.toString();
}

function parse(text: string, fault: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(fault);
  }
}

function fingerprint(publicKey: Buffer): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 40);
}
