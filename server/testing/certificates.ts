import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

const TRUE = tagged(0x01, Buffer.from([0xff]));

/** Tags of the choices of GeneralName. */
const DNS_NAME = 2;
const IP_ADDRESS = 7;

/** Tag of the first field of AuthorityKeyIdentifier. */
const KEY_IDENTIFIER = 0;

const DAY_MS = 86_400_000;
const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'));

/** PEM texts, as `tls.createServer` takes them. */
export interface Certificate {
  cert: string;
  key: string;
}

export interface Authority {
  /** The authority's own certificate, for `WEBHOOK_CA_FILE` or `extraAuthorities`. */
  pem: string;
  issue(wanted: Wanted): Certificate;
}

export interface Wanted {
  /** Host names and IPv4 addresses. */
  hosts: readonly string[];
  validFrom?: Date;
  validUntil?: Date;
}

interface Issuer {
  name: string;
  key: KeyObject;
  publicKey: KeyObject;
}

/** A certificate authority that is valid for the duration of the test. */
export function createAuthority(): Authority {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name: `Test authority ${randomBytes(4).toString('hex')}`, key: privateKey, publicKey };
  const keyCertSign = bitString(Buffer.from([0x04]), 2);
  const extensions = [
    extension('2.5.29.19', sequence(TRUE), { isCritical: true }),
    extension('2.5.29.15', keyCertSign, { isCritical: true }),
  ];
  return {
    pem: toPem(certify({ issuer, subject: issuer.name, publicKey, extensions })),
    issue: (wanted) => issueLeaf(wanted, issuer),
  };
}

/** A self-signed certificate. */
export function createSelfSigned(wanted: Wanted): Certificate {
  return issueLeaf(wanted);
}

function issueLeaf({ hosts, ...validity }: Wanted, authority?: Issuer): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = hosts[0] ?? 'nobody';
  const issuer = authority ?? { name: subject, key: privateKey, publicKey };
  const extensions = [extension('2.5.29.17', sequence(...hosts.map(alternativeName)))];
  return {
    cert: toPem(certify({ issuer, subject, publicKey, extensions, ...validity })),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

interface Statement {
  issuer: Issuer;
  subject: string;
  publicKey: KeyObject;
  extensions: Buffer[];
  validFrom?: Date;
  validUntil?: Date;
}

/** RFC 5280 §4.1. */
function certify({ issuer, subject, publicKey, extensions, ...validity }: Statement): Buffer {
  const from = validity.validFrom ?? new Date(Date.now() - DAY_MS);
  const until = validity.validUntil ?? new Date(Date.now() + DAY_MS);
  const statement = sequence(
    contextual(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    commonName(issuer.name),
    sequence(utcTime(from), utcTime(until)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    contextual(3, sequence(...keyIdentifiers(publicKey, issuer.publicKey), ...extensions)),
  );
  return sequence(statement, ECDSA_WITH_SHA256, bitString(sign('sha256', statement, issuer.key)));
}

/** Strict verifiers require both. */
function keyIdentifiers(own: KeyObject, issuer: KeyObject): Buffer[] {
  return [
    extension('2.5.29.14', octetString(fingerprint(own))),
    extension('2.5.29.35', sequence(implicit(KEY_IDENTIFIER, fingerprint(issuer)))),
  ];
}

function fingerprint(key: KeyObject): Buffer {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
    .subarray(0, 20);
}

function commonName(name: string): Buffer {
  return sequence(set(sequence(oid('2.5.4.3'), utf8(name))));
}

function alternativeName(host: string): Buffer {
  return isIPv4(host)
    ? implicit(IP_ADDRESS, Buffer.from(host.split('.').map(Number)))
    : implicit(DNS_NAME, Buffer.from(host));
}

function extension(id: string, value: Buffer, { isCritical = false } = {}): Buffer {
  return sequence(oid(id), ...(isCritical ? [TRUE] : []), octetString(value));
}

function toPem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

// The part of DER (X.690) that a test certificate needs.

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, ...parts);
}

function set(...parts: Buffer[]): Buffer {
  return tagged(0x31, ...parts);
}

/** @param bytes big-endian, the first below 0x80 */
function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function bitString(bytes: Buffer, unusedBits = 0): Buffer {
  return tagged(0x03, Buffer.from([unusedBits]), bytes);
}

function octetString(bytes: Buffer): Buffer {
  return tagged(0x04, bytes);
}

function utf8(text: string): Buffer {
  return tagged(0x0c, Buffer.from(text));
}

function utcTime(time: Date): Buffer {
  const digits = time.toISOString().slice(2, 19).replace(/\D/g, '');
  return tagged(0x17, Buffer.from(`${digits}Z`));
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** An explicit tag around a whole element. */
function contextual(tag: number, element: Buffer): Buffer {
  return tagged(0xa0 | tag, element);
}

/** A tag in place of the element's own. */
function implicit(tag: number, content: Buffer): Buffer {
  return tagged(0x80 | tag, content);
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const lengthBytes = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}
