import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { PasskeyAssertion, PasskeyRegistration } from '#contract/accounts/second-factors.ts';

const FLAGS = { present: 0x01, verified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 };

/** Deviations from a correct browser and authenticator. */
export interface Deviations {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  isVerified?: boolean;
  userHandle?: string;
  counter?: number;
}

interface Credential {
  rpId: string;
  userHandle: string;
  privateKey: KeyObject;
}

/** The options that an authenticator reads. */
interface CreationOptions {
  challenge: string;
  rp: { id: string };
  user: { id: string };
}

interface RequestOptions {
  challenge: string;
  rpId: string;
  allowCredentials?: { id: string }[];
}

/** A WebAuthn authenticator and its browser, in software: ES256, discoverable credentials, attestation "none". */
export class Authenticator {
  readonly #origin: string;
  readonly #credentials = new Map<string, Credential>();
  #counter = 0;

  constructor(origin = 'http://localhost') {
    this.#origin = origin;
  }

  /** Creates a credential: `navigator.credentials.create`. */
  create(options: object, deviations: Deviations = {}): PasskeyRegistration {
    const { challenge, rp, user } = options as CreationOptions;
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const credentialId = randomBytes(32);
    const id = credentialId.toString('base64url');
    this.#credentials.set(id, { rpId: rp.id, userHandle: user.id, privateKey });
    const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
    const coseKey = encodeCbor(
      new Map<number, number | Buffer>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
    const length = Buffer.alloc(2);
    length.writeUInt16BE(credentialId.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey]);
    const authData = Buffer.concat([this.#authData(rp.id, FLAGS.attested, deviations), attested]);
    const attestation = encodeCbor(
      new Map<string, string | Buffer | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: this.#clientData('webauthn.create', challenge, deviations).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /** Signs with a credential of the site that the options allow: `navigator.credentials.get`. */
  get(options: object, deviations: Deviations = {}): PasskeyAssertion {
    const { challenge, rpId, allowCredentials = [] } = options as RequestOptions;
    const allowed = new Set(allowCredentials.map(({ id }) => id));
    const found = [...this.#credentials].find(
      ([id, credential]) => credential.rpId === rpId && (allowed.size === 0 || allowed.has(id)),
    );
    if (!found) throw new Error(`the authenticator has no credential for ${rpId}`);
    const [id, { privateKey, userHandle }] = found;
    const clientData = this.#clientData('webauthn.get', challenge, deviations);
    const authData = this.#authData(rpId, 0, deviations);
    const signed = Buffer.concat([authData, hash('sha256', clientData, 'buffer')]);
    return {
      id,
      rawId: id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: deviations.userHandle ?? userHandle,
      },
    };
  }

  #clientData(type: string, challenge: string, deviations: Deviations): Buffer {
    const origin = deviations.origin ?? this.#origin;
    const data = { type: deviations.type ?? type, challenge: deviations.challenge ?? challenge, origin };
    return Buffer.from(JSON.stringify({ ...data, crossOrigin: false }));
  }

  #authData(rpId: string, extraFlags: number, deviations: Deviations): Buffer {
    const head = Buffer.alloc(5);
    const verified = deviations.isVerified === false ? 0 : FLAGS.verified;
    head[0] = FLAGS.present | verified | FLAGS.backupEligible | FLAGS.backedUp | extraFlags;
    head.writeUInt32BE(deviations.counter ?? ++this.#counter, 1);
    const rpIdHash = hash('sha256', deviations.rpId ?? rpId, 'buffer');
    return Buffer.concat([rpIdHash, head]);
  }
}

type Cbor = number | string | Buffer | Map<string, Cbor> | Map<number, Cbor>;

/** The part of CBOR (RFC 8949) that an authenticator writes: integers, byte and text strings, ordered maps. */
function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const items = Array.from<[string | number, Cbor]>(value).flat();
  return Buffer.concat([head(5, value.size), ...items.map(encodeCbor)]);
}

/** The major type of an item, and its value or length. */
function head(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.of((major << 5) | argument);
  if (argument < 256) return Buffer.of((major << 5) | 24, argument);
  return Buffer.of((major << 5) | 25, argument >> 8, argument & 255);
}
