import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  type ECDH,
  randomBytes,
  verify,
} from 'node:crypto';
import type { PushDevice, PushNotification } from '#contract/chat/push.ts';
import { type ReceivedRequest, type Receiver, startReceiver } from './receiver.ts';

/** A push service on this machine; it can decrypt notifications, since it generates the browser's keys. */
export interface PushService extends AsyncDisposable {
  receiver: Receiver;
  /** The status of every response from now on. */
  answer: number | Promise<number>;
  subscribe(name: string, language?: PushDevice['language']): PushDevice;
  /** The notifications of a subscription, decrypted as a browser does (RFC 8291), with the sender verified (RFC 8292). */
  read(name: string, publicKey: string): PushNotification[];
}

interface Browser {
  ecdh: ECDH;
  secret: Buffer;
}

export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, Browser>();
  const service: Omit<PushService, 'receiver'> = {
    answer: 201,
    subscribe(name, language = 'en') {
      const ecdh = createECDH('prime256v1');
      const browser = { ecdh, secret: randomBytes(16) };
      const p256dh = ecdh.generateKeys('base64url');
      browsers.set(name, browser);
      const keys = { p256dh, auth: browser.secret.toString('base64url') };
      return { endpoint: new URL(`/push/${name}`, receiver.url).href, keys, language };
    },
    read(name, publicKey) {
      const browser = browsers.get(name);
      if (!browser) throw new Error(`nobody subscribed as ${name}`);
      return receiver.requests
        .filter(({ path }) => path === `/push/${name}`)
        .map((request) => {
          checkSender(request, publicKey, new URL(receiver.url).origin);
          return JSON.parse(decrypt(request.rawBody, browser).toString());
        });
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
  const receiver = await startReceiver({
    host: '127.0.0.1',
    respond: async () => ({ status: await service.answer }),
  });
  return Object.assign(service, { receiver });
}

/** One record of `aes128gcm` (RFC 8188), its key derived from both sides' keys (RFC 8291 §3.4). */
function decrypt(body: Buffer, { ecdh, secret }: Browser): Buffer {
  const salt = body.subarray(0, 16);
  const idLength = body.readUInt8(20);
  const sender = body.subarray(21, 21 + idLength);
  const sealed = body.subarray(21 + idLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const shared = derive(secret, ecdh.computeSecret(sender), info, 32);
  const key = derive(salt, shared, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(salt, shared, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const opened = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  // The last record ends in 2 and any padding.
  return opened.subarray(0, opened.lastIndexOf(2));
}

function derive(salt: Buffer, input: Buffer, info: Buffer, length: number): Buffer {
  const extracted = createHmac('sha256', salt).update(input).digest();
  const expanded = createHmac('sha256', extracted)
    .update(Buffer.concat([info, Buffer.from([1])]))
    .digest();
  return expanded.subarray(0, length);
}

function checkSender({ headers }: ReceivedRequest, publicKey: string, origin: string): void {
  const [, token = '', key] = /^vapid t=(.+), k=(.+)$/.exec(headers.authorization ?? '') ?? [];
  if (key !== publicKey) throw new Error('another key than the one of the subscription');
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url')) as [
    string,
    string,
  ];
  const jwk = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  if (!verify('sha256', signed, { key: jwk, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url')))
    throw new Error('the sender did not sign');
  const { aud } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  if (aud !== origin) throw new Error(`meant for ${aud}`);
}
