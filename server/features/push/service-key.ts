import webPush from 'web-push';
import { insertServiceKey, selectServiceKeys, serviceKeyContext } from '#platform/crypto/service-keys.ts';
import type { Platform } from '#platform/platform.ts';

const NAME = 'vapid';
const CONTEXT = serviceKeyContext(NAME);

/** Both halves in base64url, the format of `web-push`. */
export interface ServiceKey {
  publicKey: string;
  privateKey: string;
}

/** The key that identifies this installation to push services (RFC 8292); created when first needed. */
export function createServiceKey(deps: Platform): () => Promise<ServiceKey> {
  let key: Promise<ServiceKey> | undefined;
  return () => {
    key ??= findOrMake(deps).catch((error) => {
      key = undefined;
      throw error;
    });
    return key;
  };
}

async function findOrMake({ db, clock, keyring }: Platform): Promise<ServiceKey> {
  if ((await selectServiceKeys(db, NAME)).length === 0) {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    const { ciphertext, keyId } = keyring.seal(CONTEXT, Buffer.from(privateKey));
    const row = { name: NAME, publicKey, secret: ciphertext, secretKeyId: keyId, createdAt: clock.now() };
    await db.write((tx) => insertServiceKey(tx, row));
  }
  // Another process may have been first.
  const [row] = await selectServiceKeys(db, NAME);
  if (!row) throw new Error('the key for push services is gone');
  const secret = keyring.open(CONTEXT, { ciphertext: row.secret, keyId: row.secretKeyId });
  return { publicKey: row.publicKey, privateKey: secret.toString() };
}
